import { shareInProcess } from '../../process-registry.ts';
import { maxIdSegmentsOfPages } from './page-routes.ts';

/** A route as Astro's integration API describes it. */
interface Route {
  /** `internal` for what Astro adds itself, such as server islands. */
  readonly origin?: string;
  readonly segments: readonly (readonly { readonly dynamic: boolean; readonly spread: boolean }[])[];
}

/** Set by the integration, read by loaders. */
const routes = shareInProcess('routes', (): { maxIdSegments: number | undefined } => ({
  maxIdSegments: undefined,
}));

/** Records how many segments of an id the routes of the site can take. Called by the integration. */
export function recordRoutes(resolved: readonly Route[]): void {
  const own = resolved.filter(({ origin }) => origin !== 'internal');
  const counts = own.map(({ segments }) => {
    const parts = segments.flat();
    return parts.some(({ spread }) => spread)
      ? Number.POSITIVE_INFINITY
      : parts.filter(({ dynamic }) => dynamic).length;
  });
  const most = Math.max(0, ...counts);
  // A site without dynamic routes has no pages by id.
  routes.maxIdSegments = most === 0 ? undefined : most;
}

/**
 * Segments of an id that some route of the site takes: by the integration, which knows all routes, else by the
 * files in `src/pages`. Unlimited where there are no dynamic routes, or nothing is known.
 */
export function maxIdSegments(srcDir: URL | undefined): number {
  return routes.maxIdSegments ?? (srcDir && ofPages(srcDir)) ?? Number.POSITIVE_INFINITY;
}

function ofPages(srcDir: URL): number | undefined {
  try {
    return maxIdSegmentsOfPages(srcDir) || undefined;
  } catch {
    // A site without pages of its own.
    return undefined;
  }
}
