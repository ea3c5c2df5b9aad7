import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../client/http/clock.ts';
import { errorMessage } from '../../errors.ts';

export interface PollOptions {
  /** Milliseconds from one look to the next. */
  readonly interval: number;
  /** Something that is another one after every change. */
  readonly look: () => Promise<string>;
  /** Called for each change. One that fails is called again. */
  readonly onChange: () => Promise<void>;
  readonly logger: { info(message: string): void; warn(message: string): void };
  readonly signal: AbortSignal;
  /**
   * Nothing is loaded at the start, and what is there may be older than any look: the first look comes
   * after the interval, and counts as a change.
   */
  readonly resumes?: boolean | undefined;
  /** What is loaded is older than the service's content for certain: a look that works counts as a change. */
  readonly isBehind?: (() => boolean) | undefined;
  readonly clock?: Pick<Clock, 'sleep'> | undefined;
}

/** After failures the service is asked less and less often, but at least this often. */
const LONGEST_WAIT = 5 * 60_000;

/** Does not keep the process alive. */
const idleClock: Pick<Clock, 'sleep'> = {
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { ref: false, ...(signal && { signal }) }),
};

/**
 * Looks for changes until the signal ends it, and never fails: a service that does not answer is told
 * once, and once that it does again. The first look is made at once, to know what there is before
 * anything is loaded; unless it `resumes`.
 */
export async function poll(options: PollOptions): Promise<void> {
  const { interval, look, onChange, logger, signal, resumes, clock = idleClock } = options;
  const follow = follower(options);
  let failures = 0;

  if (resumes) await clock.sleep(interval, signal).catch(() => {});

  while (!signal.aborted) {
    try {
      const found = await look();
      if (failures > 0) logger.info('Checking for changes works again');
      failures = 0;
      if (!signal.aborted) await follow(found, onChange);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      if (failures === 1) logger.warn(`Cannot check for changes, will retry: ${errorMessage(error)}`);
    }
    const wait = failures === 0 ? interval : Math.min(interval * 2 ** failures, LONGEST_WAIT);
    await clock.sleep(Math.max(wait, interval), signal).catch(() => {});
  }
}

/**
 * Calls for each change. A call that failed is made again at once for the next change, which may be
 * the correction, and else less and less often.
 */
function follower({ interval, logger, resumes, isBehind }: PollOptions) {
  /** `undefined` before the first look; `null` while it is unknown what is loaded. */
  let known: string | null | undefined = resumes ? null : undefined;
  let stuck = { found: '', tries: 0, rest: 0 };

  return async (found: string, onChange: () => Promise<void>): Promise<void> => {
    if (known === undefined) known = found;
    if (isBehind?.()) known = null;
    if (found === known) return;
    if (stuck.tries > 0 && stuck.found === found && stuck.rest > 0) {
      stuck.rest -= 1;
      return;
    }
    try {
      await onChange();
      known = found;
      // The load itself warned that it had to use older content.
      if (isBehind?.()) wait(found);
      else stuck = { found: '', tries: 0, rest: 0 };
    } catch (error) {
      known = null;
      wait(found);
      if (stuck.tries === 1)
        logger.warn(`The changes could not be loaded, will retry: ${errorMessage(error)}`);
    }
  };

  /** Looks that find the same again are passed over, twice as many after each try. */
  function wait(found: string): void {
    const tries = stuck.found === found ? stuck.tries + 1 : 1;
    stuck = { found, tries, rest: Math.min(2 ** tries - 1, Math.floor(LONGEST_WAIT / interval)) };
  }
}
