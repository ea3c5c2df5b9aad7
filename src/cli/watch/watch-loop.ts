import type { Clock } from '../../client/http/clock.ts';
import { LuidConfigError, LuidError } from '../../errors.ts';
import { HookFailed } from './deploy-hooks.ts';
import type { Watcher } from './watcher.ts';

export interface LoopOptions {
  readonly every: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told of every hook that failed, and of the first of several looks that did. */
  readonly onFailure: (error: unknown) => void;
  readonly onRecovery: () => void;
}

/** After failures the service is asked less and less often, but at least this often. */
const LONGEST_WAIT = 5 * 60_000;

/**
 * Looks and fires until the signal ends it. Only what could never work fails, and only at the start:
 * later, a service or a hook that does not answer is tried again, for ever.
 */
export async function watchOn(watcher: Watcher, options: LoopOptions): Promise<void> {
  const { every, clock, signal, onFailure, onRecovery } = options;
  let failures = 0;
  let hasWorked = false;
  while (!signal.aborted) {
    try {
      await watcher.look();
      if (failures > 0) onRecovery();
      failures = 0;
      hasWorked = true;
      await watcher.fireIfDue();
    } catch (error) {
      if (signal.aborted) return;
      if (!hasWorked && isHopeless(error)) throw error;
      if (!(error instanceof HookFailed)) failures += 1;
      if (failures <= 1) onFailure(error);
    }
    const wait =
      failures === 0 ? watcher.untilNext() : Math.max(every, Math.min(every * 2 ** failures, LONGEST_WAIT));
    await clock.sleep(wait, signal).catch(() => {});
  }
}

/** Looks until nothing waits for its hook any more. Throws whatever fails. */
export async function watchOnce(
  watcher: Watcher,
  { clock, signal }: Pick<LoopOptions, 'clock' | 'signal'>,
): Promise<void> {
  for (;;) {
    await watcher.look();
    await watcher.fireIfDue();
    if (!watcher.isPending) return;
    await clock.sleep(watcher.untilNext(), signal);
  }
}

/** A wrong setting, key or address: waiting does not help. */
function isHopeless(error: unknown): boolean {
  if (LuidConfigError.is(error)) return true;
  return LuidError.is(error) && [401, 403, 404].includes(error.status ?? 0);
}
