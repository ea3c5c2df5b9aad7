import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A route as Astro's integration API describes it. */
interface Route {
  /** `internal` for routes that Astro adds itself, such as server islands. */
  readonly origin?: string;
  readonly segments: readonly (readonly { readonly dynamic: boolean; readonly spread: boolean }[])[];
}

/** Set by the integration, read by loaders. */
let maxOfRoutes: number | undefined;

/** Records how many segments of an id the routes of the site accept. Called by the integration. */
export function recordRoutes(resolved: readonly Route[]): void {
  const own = resolved.filter(({ origin }) => origin !== 'internal');
  const counts = own.map(({ segments }) => {
    const parts = segments.flat();
    return parts.some(({ spread }) => spread)
      ? Number.POSITIVE_INFINITY
      : parts.filter(({ dynamic }) => dynamic).length;
  });
  const most = Math.max(0, ...counts);
  // Without dynamic routes, no page has an id in its URL.
  maxOfRoutes = most === 0 ? undefined : most;
}

/**
 * How many segments of an id some route of the site accepts: from the integration, which knows all routes, or else
 * from the files in `src/pages`. Infinity if there are no dynamic routes, or if nothing is known.
 */
export function maxIdSegments(srcDir: URL | undefined): number {
  return maxOfRoutes ?? (srcDir && maxOfPages(srcDir)) ?? Number.POSITIVE_INFINITY;
}

/** The same of the file-based routes of a site: 1 for `[id].astro`, any number for `[...id].astro`. */
function maxOfPages(srcDir: URL): number | undefined {
  const counts = pageRoutes(srcDir).map((route) =>
    route.includes('[...') ? Number.POSITIVE_INFINITY : (route.match(/\[/g)?.length ?? 0),
  );
  return Math.max(0, ...counts) || undefined;
}

const PAGE = /\.(?:astro|md|mdx|html|ts|js|mts|mjs)$/;

/** The routes of the files in `src/pages`: `/articles/[id]`, `/rss.xml`, `/`. */
export function pageRoutes(srcDir: URL): string[] {
  return pageFiles(srcDir).map(({ route }) => route);
}

/** The files in `src/pages`, whose names are as `/articles/[id].astro`, with their routes. */
export function pageFiles(srcDir: URL): { readonly name: string; readonly route: string }[] {
  let files: string[];
  try {
    files = readdirSync(fileURLToPath(new URL('pages/', srcDir)), { recursive: true, encoding: 'utf8' });
  } catch {
    // The site has no `src/pages`.
    return [];
  }
  return (
    files
      .map((file) => `/${file.replaceAll('\\', '/')}`)
      // Astro ignores files and folders whose name begins with `_`.
      .filter((file) => PAGE.test(file) && !file.includes('/_'))
      .map((file) => ({ name: file, route: file.replace(PAGE, '').replace(/\/index$/, '') || '/' }))
  );
}
