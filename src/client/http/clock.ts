/** The clock of the client. Tests use a simulated one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of `setTimeout`; with a longer one it fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, signal),
};

/** The same for work in the background: its delays do not keep the process alive. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  // Only Node's timers have `unref`.
  sleep: (milliseconds, signal) => sleep(milliseconds, signal, (timer) => timer.unref?.()),
};

function sleep(
  milliseconds: number,
  signal?: AbortSignal,
  onStart?: (timer: ReturnType<typeof setTimeout>) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const onEnd = () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const timer = setTimeout(onEnd, Math.min(milliseconds, LONGEST_TIMER));
    onStart?.(timer);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Runs an action after some time, unless the returned function is called before. */
export function runAfter(clock: Pick<Clock, 'sleep'>, milliseconds: number, action: () => void): () => void {
  if (clock === systemClock) {
    // Without a signal, whose first event costs 3 ms.
    const timer = setTimeout(action, Math.min(milliseconds, LONGEST_TIMER));
    return () => clearTimeout(timer);
  }
  const cancelled = new AbortController();
  clock.sleep(milliseconds, cancelled.signal).then(action, () => {});
  // Without a reason, `abort` would make an error with a stack.
  return () => cancelled.abort('cancelled');
}

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
