/** Allows a number of events within any period of a length. */
export interface SlidingWindow {
  /** Milliseconds until one more event is allowed; 0 if it is allowed now. */
  delay(): number;
  add(): void;
}

export function createSlidingWindow(
  max: number,
  length: number,
  now: () => number = () => performance.now(),
): SlidingWindow {
  if (max === Number.POSITIVE_INFINITY) return { delay: () => 0, add: () => {} };
  /** A ring of the last `max` times. */
  const times: number[] = [];
  let oldest = 0;
  return {
    delay: () => (times.length < max ? 0 : Math.max(0, (times[oldest] ?? 0) + length - now())),
    add() {
      if (times.length < max) times.push(now());
      else {
        times[oldest] = now();
        oldest = (oldest + 1) % max;
      }
    },
  };
}
