import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../client/http/clock.ts';
import { errorMessage } from '../../errors.ts';
import type { Logger } from '../../logger.ts';

export interface PollOptions {
  /** Milliseconds from one check to the next. */
  readonly interval: number;
  /** Differs after every change of the content. */
  readonly readFingerprint: () => Promise<string>;
  /** Called for each change, and again if it fails. */
  readonly onChange: () => Promise<void>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /**
   * The dev server restarted with content that was loaded before, so the first check comes after one interval and
   * counts as a change.
   */
  readonly isRestart?: boolean | undefined;
  /** Whether the loaded content is known to be older than the service's: then a successful check counts as a change. */
  readonly isStale?: (() => boolean) | undefined;
  readonly clock?: Pick<Clock, 'sleep'> | undefined;
}

/** The delay grows after each failure, up to this many milliseconds. */
const MAX_DELAY = 5 * 60_000;

/** Does not keep the process alive. */
const unrefClock: Pick<Clock, 'sleep'> = {
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { ref: false, ...(signal && { signal }) }),
};

/**
 * Checks for changes until the signal is aborted. Never throws: an outage is logged once when it begins and once
 * when it ends. The first check is immediate, to know the content before anything is loaded, unless `isRestart`; if it
 * fails, the first one that succeeds counts as a change.
 */
export async function poll(options: PollOptions): Promise<void> {
  const { interval, readFingerprint, logger, signal, isRestart, clock = unrefClock } = options;
  const handleCheck = createCheckHandler(options);
  let failures = 0;
  /** Later ones may find content that is newer than the loaded content. */
  let isFirstCheck = !isRestart;

  if (isRestart) await clock.sleep(interval, signal).catch(() => {});

  while (!signal.aborted) {
    try {
      const fingerprint = await readFingerprint();
      if (failures > 0) logger.info('Checking for changes works again');
      failures = 0;
      if (!signal.aborted) await handleCheck(fingerprint, isFirstCheck);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      if (failures === 1) logger.warn(`Cannot check for changes, will retry: ${errorMessage(error)}`);
    }
    isFirstCheck = false;
    const delay = failures === 0 ? interval : Math.min(interval * 2 ** failures, MAX_DELAY);
    await clock.sleep(Math.max(delay, interval), signal).catch(() => {});
  }
}

/** A load that failed, or that ended with stale content. */
interface FailedLoad {
  readonly fingerprint: string;
  readonly attempts: number;
  /** Checks with the same result to ignore before the next attempt. */
  checksToSkip: number;
}

/** Calls `onChange` for each change. A failed load is retried at once for the next change, otherwise with a growing delay. */
function createCheckHandler({ interval, onChange, logger, isStale }: PollOptions) {
  /** Of the loaded content; `null` if unknown. */
  let loaded: string | null = null;
  let failed: FailedLoad | undefined;

  return async (fingerprint: string, isBeforeLoad: boolean): Promise<void> => {
    if (isBeforeLoad) loaded = fingerprint;
    if (isStale?.()) loaded = null;
    if (fingerprint === loaded) return;
    if (failed?.fingerprint === fingerprint && failed.checksToSkip > 0) {
      failed.checksToSkip -= 1;
      return;
    }
    try {
      await onChange();
      loaded = fingerprint;
      // No warning: the load itself warned about stale content.
      failed = isStale?.() ? failedAgain(fingerprint) : undefined;
    } catch (error) {
      loaded = null;
      failed = failedAgain(fingerprint);
      if (failed.attempts === 1) logger.warn(`Cannot load the changes, will retry: ${errorMessage(error)}`);
    }
  };

  function failedAgain(fingerprint: string): FailedLoad {
    const attempts = failed?.fingerprint === fingerprint ? failed.attempts + 1 : 1;
    const checksToSkip = Math.min(2 ** attempts - 1, Math.floor(MAX_DELAY / interval));
    return { fingerprint, attempts, checksToSkip };
  }
}
