/** The clock of the client. Tests use a simulated one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of `setTimeout`; with a longer one it fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(milliseconds, LONGEST_TIMER),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** A clock that goes on from where it was if the clock of the system is set back: nothing waits for the difference. */
export function neverBack(clock: () => number): () => number {
  let last = Number.NEGATIVE_INFINITY;
  let offset = 0;
  return () => {
    const time = clock() + offset;
    if (time < last) offset += last - time;
    last = Math.max(last, time);
    return last;
  };
}
