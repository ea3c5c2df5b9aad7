/** A route as Astro's integration API describes it. */
interface Route {
  /** `internal` for what Astro adds itself, such as server islands. */
  readonly origin?: string;
  readonly segments: readonly (readonly { readonly dynamic: boolean; readonly spread: boolean }[])[];
}

/**
 * Loaders and the integration run in two module graphs of one process, Astro's and Node's own, so they
 * share what they know on the global object.
 */
const PARAMETERS = Symbol.for('astro-luid:route-parameters');
const shared = globalThis as { [PARAMETERS]?: number | undefined };

/** Records how many segments of an id the routes of the site can take. Called by the integration. */
export function noteRoutes(routes: readonly Route[]): void {
  const own = routes.filter(({ origin }) => origin !== 'internal');
  const counts = own.map(({ segments }) => {
    const parts = segments.flat();
    return parts.some(({ spread }) => spread)
      ? Number.POSITIVE_INFINITY
      : parts.filter(({ dynamic }) => dynamic).length;
  });
  const most = Math.max(0, ...counts);
  // A site without dynamic routes has no pages by id.
  shared[PARAMETERS] = most === 0 ? undefined : most;
}

/** Segments of an id that some route takes. Unlimited where the integration is not used. */
export function mostIdSegments(): number {
  return shared[PARAMETERS] ?? Number.POSITIVE_INFINITY;
}
