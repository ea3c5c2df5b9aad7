/** Times of what happened last, to keep within so many in any stretch of time. */
export interface SlidingWindow {
  /** Milliseconds to wait until one more fits; 0 if it does now. */
  wait(now: number): number;
  /** One more happened. */
  add(now: number): void;
}

export function slidingWindow(most: number, length: number): SlidingWindow {
  if (most === Number.POSITIVE_INFINITY) return { wait: () => 0, add: () => {} };
  const times: number[] = [];
  let oldest = 0;
  return {
    wait: (now) => (times.length < most ? 0 : Math.max(0, (times[oldest] ?? 0) + length - now)),
    add(now) {
      if (times.length < most) times.push(now);
      else {
        times[oldest] = now;
        oldest = (oldest + 1) % most;
      }
    },
  };
}
