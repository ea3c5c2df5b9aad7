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
  /** Above this many matching items `_prev` may be wrong. */
  reliablePrev: 1_000,
  /** Above this many matching items `_next` may be wrong. */
  reliableNext: 2_000,
  cdnLifetimeDays: 30,
} as const;
