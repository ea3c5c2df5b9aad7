/** The most frequent origin of the URLs. */
export function commonOrigin(urls: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const { origin } = new URL(url);
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0];
}

/**
 * The longest path prefix of all URLs of the common origin, without a trailing slash. If all URLs are in one
 * folder, only the origin: other media may be in other folders.
 */
export function commonFolder(urls: readonly string[]): string | undefined {
  const origin = commonOrigin(urls);
  if (!origin) return undefined;
  const paths = urls.map((url) => new URL(url)).filter((url) => url.origin === origin);
  const folders = paths.map(({ pathname }) => pathname.split('/').slice(0, -1));
  const [first = [], ...others] = folders;
  if (new Set(folders.map((folder) => folder.join('/'))).size < 2) return origin;
  let length = 0;
  while (length < first.length && others.every((folder) => folder[length] === first[length])) length += 1;
  return `${origin}${first.slice(0, length).join('/')}`;
}
