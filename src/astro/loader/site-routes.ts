import { shareInProcess } from '../../process-registry.ts';
import { maxIdSegmentsOfPages } from './page-routes.ts';

/** A route as Astro's integration API describes it. */
interface Route {
  /** `internal` for routes that Astro adds itself, such as server islands. */
  readonly origin?: string;
  readonly segments: readonly (readonly { readonly dynamic: boolean; readonly spread: boolean }[])[];
}

/** Set by the integration, read by loaders. */
const routes = shareInProcess('routes', (): { maxIdSegments: number | undefined } => ({
  maxIdSegments: undefined,
}));

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
  routes.maxIdSegments = most === 0 ? undefined : most;
}

/**
 * How many segments of an id some route of the site accepts: from the integration, which knows all routes, or else
 * from the files in `src/pages`. Infinity if there are no dynamic routes, or if nothing is known.
 */
export function maxIdSegments(srcDir: URL | undefined): number {
  return routes.maxIdSegments ?? (srcDir && maxOfPages(srcDir)) ?? Number.POSITIVE_INFINITY;
}

function maxOfPages(srcDir: URL): number | undefined {
  try {
    return maxIdSegmentsOfPages(srcDir) || undefined;
  } catch {
    // The site has no `src/pages`.
    return undefined;
  }
}
