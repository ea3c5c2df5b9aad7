export interface RepeatedCheck<T> {
  readonly check: () => Promise<T>;
  /** Called with what a check has found. If it throws, the check has failed. */
  readonly act: (found: T) => void | Promise<void>;
  /** Milliseconds from one check to the next, and `delay` if that differs from check to check. */
  readonly interval: number;
  readonly delay?: (() => number) | undefined;
  /** The longest delay after failures, in milliseconds. Default: 5 minutes. */
  readonly longestDelay?: number | undefined;
  /** Called after each failure, with the number of failures in a row. What it throws ends the repetition. */
  readonly onFailure: (error: unknown, failures: number) => void;
  /** Called when a check succeeds after failures. */
  readonly onRecovery?: (() => void) | undefined;
  /** Rejects as soon as the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

const LONGEST_DELAY = 5 * 60_000;

/** Checks until the signal is aborted; after failures, less often. */
export async function repeatCheck<T>(options: RepeatedCheck<T>): Promise<void> {
  const { check, act, interval, delay = () => interval, longestDelay } = options;
  const { onFailure, onRecovery, sleep, signal } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const found = await check();
      if (failures > 0) onRecovery?.();
      failures = 0;
      if (!signal.aborted) await act(found);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onFailure(error, failures);
    }
    await sleep(failures === 0 ? delay() : delayAfter(failures, interval, longestDelay), signal).catch(
      () => {},
    );
  }
}

/** Milliseconds until the next attempt: twice as long after each failure, at least `interval`. */
export function delayAfter(failures: number, interval: number, longest = LONGEST_DELAY): number {
  return Math.max(interval, Math.min(interval * 2 ** failures, longest));
}
