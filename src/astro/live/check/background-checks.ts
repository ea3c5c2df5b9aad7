import { intervalWithEvents } from '../../../shared/event-checks.ts';
import { limitTime } from '../../../shared/limit-time.ts';
import { hasChanged, type LiveChange, liveSources, type RefreshOptions } from '../live-sources.ts';
import type { Freshness } from './freshness.ts';
import type { LiveHost } from './live-host.ts';
import type { LiveNeeds } from './live-needs.ts';

export interface CheckOptions extends RefreshOptions {
  /** Not by a timer: it does not wait for the checks of other servers. */
  readonly isForced: boolean;
}

export interface BackgroundChecksOptions {
  readonly host: () => Promise<LiveHost>;
  readonly needs: LiveNeeds;
  /** Whether a preview is open. */
  readonly isPreviewed: () => boolean;
  readonly freshness: Freshness;
  /** Looks for changes, and serves what it finds. */
  readonly check: (options: CheckOptions) => Promise<LiveChange>;
  /** Milliseconds until the next check of one of several servers that share the checks; otherwise `undefined`. */
  readonly sharedDelay: () => number | undefined;
}

const MIN_DELAY = 100;
/** A request for content that is too old waits this long for a check. */
const LONGEST_WAIT = 10_000;
/** The same after a pause of the whole process, when the content is not too old. */
const SHORT_WAIT = 3000;

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
  /** The last change was found after an event. */
  #areAnnounced = false;
  #cancelTimer: (() => void) | undefined;
  /** When the timer is due, by the clock of the host. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** The running check began long after its time: hosts freeze functions, with their timers, after a response. */
  #isLate = false;
  #isClosed = false;

  constructor(options: BackgroundChecksOptions) {
    this.#options = options;
  }

  /** Checks, or waits for the check that is running. */
  check(options: CheckOptions): Promise<LiveChange> {
    if (this.#running) return this.#running;
    this.#startedAt = performance.now();
    this.#running = this.alone(() => this.#check(options)).finally(() => {
      this.#running = undefined;
      this.#isLate = false;
    });
    return this.#running;
  }

  /** Checks now. A running check may have begun before the change that the caller knows of, so another one follows. */
  async checkNow(options: RefreshOptions = {}): Promise<LiveChange> {
    while (this.#running) await this.#running.catch(() => {});
    return this.check({ ...options, isForced: true });
  }

  /**
   * Starts a check if the last one is too long ago. Only servers without a timer, or with a paused one, wait for it, and
   * for some time those whose timer is late.
   */
  async checkIfDue({ now, schedule }: LiveHost): Promise<void> {
    const isPaused = this.#isPaused;
    if (isPaused && this.#running) await this.#running.catch(() => {});
    if (this.#running || now() - this.#checkedAt < this.#interval) return;
    const check = this.#checkInBackground(now());
    if (!schedule || isPaused) await check;
  }

  /** Waits a short time for a check that is late. */
  async waitIfLate({ schedule }: LiveHost): Promise<void> {
    if (!this.#isLate || !this.#running || this.#options.freshness.isFailing) return;
    await limitTime(this.#running, SHORT_WAIT, undefined, schedule).catch(() => {});
  }

  /** Resolves when no check is running. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  /** Waits for a check if the content is too old, for example because the process was suspended. */
  async failIfTooOld({ now, sync }: LiveHost): Promise<void> {
    const { freshness } = this.#options;
    const isTooOld = () => freshness.isTooOld(now(), this.#interval);
    // A server that does not sync itself cannot know.
    if (!isTooOld() || (!sync && !freshness.isFailing)) return;
    const waited = performance.now() - this.#startedAt;
    if (this.#running && !freshness.isFailing && waited < LONGEST_WAIT) {
      await limitTime(this.#running, LONGEST_WAIT - waited).catch(() => {});
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
  schedule({ now, schedule }: LiveHost): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#isClosed || !schedule) return;
    const { needs, isPreviewed } = this.#options;
    if (!needs.isPermanent && !isPreviewed()) return;
    const delay = Math.max(MIN_DELAY, this.#options.sharedDelay() ?? this.#interval);
    this.#dueAt = now() + delay;
    this.#cancelTimer = liveSources().outsideRequests(() =>
      schedule(() => void this.#checkInBackground(now()), delay),
    );
  }

  /** Goes on after a pause. */
  resume(): void {
    if (this.#isPaused && !this.#isClosed) void this.#checkInBackground();
  }

  /** Milliseconds between two checks by the timer. */
  get #interval(): number {
    const { needs, freshness, sharedDelay } = this.#options;
    // Servers that share the checks expect each other to check as often as is configured, and an editor is waiting.
    const isAsConfigured = sharedDelay() !== undefined || !needs.isPermanent || freshness.isFailing;
    if (!this.#areAnnounced || isAsConfigured) return needs.interval;
    return intervalWithEvents(needs.interval);
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

  async #check(options: CheckOptions): Promise<LiveChange> {
    const host = await this.#options.host();
    this.#checkedAt = host.now();
    const change = await this.#options.check(options);
    if (hasChanged(change)) this.#areAnnounced = options.isAfterEvent === true;
    this.#options.freshness.succeed();
    return change;
  }

  /** Never throws. */
  async #checkInBackground(now = 0): Promise<void> {
    const { freshness, needs } = this.#options;
    this.#isLate ||= now - this.#dueAt > needs.interval;
    const checking = this.check({ isForced: false });
    const host = await this.#options.host();
    try {
      await checking;
    } catch (error) {
      freshness.fail(host.now(), error);
    }
    this.schedule(host);
  }
}
