// Astro's `base`: `/`, or a path with or without a slash at its end.

/** A path of the site as the browser sees it. */
export function withBase(path: string, base: string): string {
  return base.replace(/\/$/, '') + path;
}

/** A path as Astro's routes match it; `undefined` if it is not of this site. */
export function withoutBase(path: string, base: string): string | undefined {
  const prefix = base.replace(/\/$/, '');
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
