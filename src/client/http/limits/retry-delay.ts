const FIRST_DELAY = 250;
const LONGEST_DELAY = 8_000;

/** Milliseconds to wait before the nth retry: exponential backoff with full jitter. */
export function retryDelay(retry: number): number {
  return Math.random() * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** retry);
}

/** Milliseconds that a `retry-after` header asks for, in seconds or as a date; `undefined` if it asks for none. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // `Date.parse` takes any number for a year, so a date must have a time of day.
  const date = value.includes(':') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
