import { backgroundClock, type Clock } from '../../client/http/clock.ts';
import { errorMessage } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { delayAfter, repeatCheck } from '../../shared/repeat-check.ts';

export interface PollOptions {
  /** Milliseconds from one check to the next. */
  readonly interval: number;
  /** Differs after every change of the content. */
  readonly readFingerprint: () => Promise<string>;
  /** The delay, if it differs from check to check. */
  readonly delay?: (() => number) | undefined;
  /** Whether content with this fingerprint was loaded for another reason. */
  readonly isLoaded?: ((fingerprint: string) => boolean) | undefined;
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

/** A load that failed, or that ended with stale content. */
interface FailedLoad {
  readonly fingerprint: string;
  readonly attempts: number;
  /** Checks with the same result to ignore before the next attempt. */
  checksToSkip: number;
}

/**
 * Checks for changes until the signal is aborted. Never throws: an outage is logged once when it begins and once
 * when it ends. The first check is immediate, to know the content before anything is loaded, unless `isRestart`; if it
 * fails, the first one that succeeds counts as a change. A failed load is retried at once for the next change, otherwise
 * with a growing delay.
 */
export async function poll(options: PollOptions): Promise<void> {
  const { interval, readFingerprint, onChange, logger, signal, isRestart, isStale, isLoaded } = options;
  const { delay, clock = backgroundClock } = options;
  /** Of the loaded content; `null` if unknown, `undefined` as long as nothing is loaded. */
  let loaded: string | null | undefined = isRestart ? null : undefined;
  let failed: FailedLoad | undefined;

  function failedAgain(fingerprint: string): FailedLoad {
    const attempts = failed?.fingerprint === fingerprint ? failed.attempts + 1 : 1;
    const checksToSkip = Math.ceil(delayAfter(attempts, interval) / interval) - 1;
    return { fingerprint, attempts, checksToSkip };
  }

  async function load(fingerprint: string): Promise<void> {
    if (loaded === undefined || isLoaded?.(fingerprint)) loaded = fingerprint;
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
  }

  if (isRestart) await clock.sleep(interval, signal).catch(() => {});
  await repeatCheck({
    check: readFingerprint,
    act: load,
    interval,
    delay,
    onFailure(error, failures) {
      loaded ??= null;
      if (failures === 1) logger.warn(`Cannot check for changes, will retry: ${errorMessage(error)}`);
    },
    onRecovery: () => logger.info('Checking for changes works again'),
    sleep: clock.sleep,
    signal,
  });
}
