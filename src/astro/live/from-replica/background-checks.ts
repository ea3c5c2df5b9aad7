import { type LiveChange, liveSources } from '../live-sources.ts';
import type { Freshness } from './freshness.ts';
import type { LiveHost } from './live-host.ts';
import type { LiveNeeds } from './live-needs.ts';

export interface BackgroundChecksOptions {
  readonly host: () => Promise<LiveHost>;
  readonly needs: LiveNeeds;
  /** Whether a preview is open. */
  readonly isPreviewed: () => boolean;
  readonly freshness: Freshness;
  /** Looks for changes, and serves what it finds. */
  readonly check: (options: { readonly isForced: boolean }) => Promise<LiveChange>;
  /** Milliseconds until the next check, after one has ended. */
  readonly delay: () => number;
}

const MIN_DELAY = 100;
/** A request for content that is too old waits this long for a check. */
const LONGEST_WAIT = 10_000;

/**
 * Decides when content is checked for changes: by a timer, when a request finds that it is time, and on demand. If only
 * previews show it, the timer pauses while none is open.
 */
export class BackgroundChecks {
  readonly #options: BackgroundChecksOptions;
  /** Ends when nothing replaces the version any more: one task at a time does. */
  #lastTask: Promise<unknown> = Promise.resolve();
  #running: Promise<LiveChange> | undefined;
  /** When the running check was started, for those who wait for it. */
  #startedAt = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: BackgroundChecksOptions) {
    this.#options = options;
  }

  /** Checks, or waits for the check that is running. */
  check(options: { readonly isForced: boolean }): Promise<LiveChange> {
    if (this.#running) return this.#running;
    this.#startedAt = performance.now();
    this.#running = this.alone(() => this.#check(options)).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Checks now. A running check may have begun before the change that the caller knows of, so another one follows. */
  async checkNow(): Promise<LiveChange> {
    while (this.#running) await this.#running.catch(() => {});
    return this.check({ isForced: true });
  }

  /** Starts a check if the last one is too long ago. Only servers without a timer, or with a paused one, wait for it. */
  async checkIfDue({ now, schedule }: LiveHost): Promise<void> {
    const isPaused = this.#isPaused;
    if (isPaused && this.#running) await this.#running.catch(() => {});
    if (this.#running || now() - this.#checkedAt < this.#options.needs.interval) return;
    const check = this.#checkInBackground();
    if (!schedule || isPaused) await check;
  }

  /** Waits for a check if the content is too old, for example because the process was suspended. */
  async failIfTooOld({ now, sync }: LiveHost): Promise<void> {
    const { freshness, needs } = this.#options;
    const isTooOld = () => freshness.isTooOld(now(), needs.interval);
    // A server that does not sync itself cannot know.
    if (!isTooOld() || (!sync && !freshness.isFailing)) return;
    const waited = performance.now() - this.#startedAt;
    if (this.#running && !freshness.isFailing && waited < LONGEST_WAIT) {
      await settledWithin(this.#running, LONGEST_WAIT - waited);
    }
    if (isTooOld()) throw freshness.tooOldError(now());
  }

  /** Runs after all other tasks that replace the version. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#lastTask.then(task);
    this.#lastTask = running.catch(() => {});
    return running;
  }

  /** Plans the next check. */
  schedule({ schedule }: LiveHost): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#isClosed || !schedule) return;
    const { needs, isPreviewed } = this.#options;
    if (!needs.isPermanent && !isPreviewed()) return;
    const delay = Math.max(MIN_DELAY, this.#options.delay());
    this.#cancelTimer = liveSources().outsideRequests(() =>
      schedule(() => void this.#checkInBackground(), delay),
    );
  }

  /** Goes on after a pause. */
  resume(): void {
    if (this.#isPaused && !this.#isClosed) void this.#checkInBackground();
  }

  get #isPaused(): boolean {
    return !this.#options.needs.isPermanent && this.#cancelTimer === undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  /** The next check, when a page is requested, starts the timer again. */
  reopen(): void {
    this.#isClosed = false;
  }

  async #check(options: { readonly isForced: boolean }): Promise<LiveChange> {
    const { now } = await this.#options.host();
    this.#checkedAt = now();
    return this.#options.check(options);
  }

  /** Never throws. */
  async #checkInBackground(): Promise<void> {
    const { freshness } = this.#options;
    const checking = this.check({ isForced: false });
    const host = await this.#options.host();
    try {
      await checking;
      freshness.succeed(host);
    } catch (error) {
      freshness.fail(host, error);
    }
    this.schedule(host);
  }
}

async function settledWithin(running: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([running.catch(() => {}), timeUp]);
  clearTimeout(timer);
}
