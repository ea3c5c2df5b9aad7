import type { Clock } from '../../client/http/clock.ts';
import { LuidConfigError, LuidError } from '../../shared/errors.ts';
import { repeatCheck } from '../../shared/repeat-check.ts';
import type { AnnouncedChecks } from './announced-checks.ts';
import { HookError } from './hook.ts';
import type { Watcher } from './watcher.ts';

export interface LoopOptions {
  readonly every: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called for every failed hook, and for the first of several failed checks. */
  readonly onFailure: (error: unknown) => void;
  readonly onRecovery: () => void;
  /** With `--listen`. */
  readonly events?: AnnouncedChecks | undefined;
}

/**
 * Checks for changes and fires the hook until aborted. A wrong setting makes it throw at the start; all later
 * failures are retried.
 */
export async function watchUntilStopped(watcher: Watcher, options: LoopOptions): Promise<void> {
  const { every, clock, signal, onFailure, onRecovery, events } = options;
  let hasSucceeded = false;
  await repeatCheck({
    check: () => (events ? events.check(watcher) : watcher.check()),
    async act() {
      hasSucceeded = true;
      await watcher.fireIfDue().catch((error: unknown) => {
        if (!(error instanceof HookError)) throw error;
        if (!signal.aborted) onFailure(error);
      });
    },
    interval: every,
    delay: () => watcher.timeUntilNextCheck(),
    onFailure(error, failures) {
      if (!hasSucceeded && isPermanent(error)) throw error;
      if (failures === 1) onFailure(error);
    },
    onRecovery,
    sleep: (milliseconds) => (events ?? clock).sleep(milliseconds, signal),
    signal,
  });
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
