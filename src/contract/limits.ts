/** The numbers of §8. */
export const LIMITS = {
  /** Read requests that reach the origin, per minute and key. */
  readsPerMinute: 600,
  /** POST, PUT, PATCH and DELETE, per minute and key. */
  writesPerMinute: 30,
  /** `limit` of a list: 1 to this, which is also the default. */
  pageSize: 100,
  /** `depth`: 0 to this. */
  maxDepth: 3,
  defaultDepth: 1,
} as const;

/** Above this many matching items, the neighbour of a side may be wrong (§8). */
export const RELIABLE_NEIGHBOURS = { _prev: 1_000, _next: 2_000 } as const;

/** How long the CDN keeps a response (§8), in milliseconds. */
export const CDN_LIFETIME = 30 * 24 * 60 * 60 * 1000;
