import type { Clock } from '../../client/http/clock.ts';
import { LuidConfigError, LuidError } from '../../errors.ts';
import { HookError } from './deploy-hooks.ts';
import type { Watcher } from './watcher.ts';

export interface LoopOptions {
  readonly every: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called for every failed hook, and for the first of several failed checks. */
  readonly onFailure: (error: unknown) => void;
  readonly onRecovery: () => void;
}

/** The upper limit of the back-off after failed checks. */
const MAX_BACKOFF = 5 * 60_000;

/**
 * Checks for changes and fires the hook until aborted. A wrong setting makes it throw at the start; all later
 * failures are retried.
 */
export async function watchUntilStopped(watcher: Watcher, options: LoopOptions): Promise<void> {
  const { every, clock, signal, onFailure, onRecovery } = options;
  let failedChecks = 0;
  let hasSucceeded = false;
  while (!signal.aborted) {
    try {
      await watcher.check();
      if (failedChecks > 0) onRecovery();
      failedChecks = 0;
      hasSucceeded = true;
      await watcher.fireIfDue();
    } catch (error) {
      if (signal.aborted) return;
      if (!hasSucceeded && isPermanent(error)) throw error;
      if (!(error instanceof HookError)) failedChecks += 1;
      if (failedChecks <= 1) onFailure(error);
    }
    const wait =
      failedChecks === 0
        ? watcher.timeUntilNextCheck()
        : Math.max(every, Math.min(every * 2 ** failedChecks, MAX_BACKOFF));
    await clock.sleep(wait, signal).catch(() => {});
  }
}

/** Checks until no change is pending. Throws any failure. */
export async function watchOnce(
  watcher: Watcher,
  { clock, signal }: Pick<LoopOptions, 'clock' | 'signal'>,
): Promise<void> {
  for (;;) {
    await watcher.check();
    await watcher.fireIfDue();
    if (!watcher.isPending) return;
    await clock.sleep(watcher.timeUntilNextCheck(), signal);
  }
}

/** A wrong setting, key or URL: retrying does not help. */
function isPermanent(error: unknown): boolean {
  if (LuidConfigError.is(error)) return true;
  return LuidError.is(error) && [401, 403, 404].includes(error.status ?? 0);
}
