import { type Clock, neverBack } from '../../client/http/clock.ts';
import { delayAfter } from '../../shared/repeat-check.ts';
import { HookError } from './hook.ts';
import type { WatchState, WatchStateStore } from './watch-state.ts';

/** `first`: no earlier deploy is known. `changed`: the content changed. `fired`: the hook was called. */
export type WatchEvent = 'first' | 'changed' | 'fired';

export interface WatcherOptions {
  /** A fingerprint of the heads (the newest items): differs after every change that heads can show. */
  readonly readHeads: () => Promise<string>;
  /** Syncs, and returns a fingerprint of the content. `forceFullSync`: full sync that bypasses the CDN. */
  readonly readContent: (
    forceFullSync: boolean,
    options?: { readonly bypassCdn?: boolean },
  ) => Promise<string>;
  readonly fire: (signal: AbortSignal) => Promise<void>;
  readonly state: WatchStateStore;
  /** Milliseconds between two checks. */
  readonly every: number;
  /** Milliseconds without a change before the hook is called. */
  readonly settle: number;
  /** Milliseconds between two full syncs, and the time of the last one. */
  readonly fullReadEvery: number;
  readonly lastFullRead: number;
  /** Call the hook also when no earlier deploy is known. */
  readonly fireFirst: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
}

/** Other CDN responses may be purged this much later than the heads. */
const PURGE_DELAY = 60_000;

/** Content that keeps changing is deployed after this many times `settle`. */
const MAX_SETTLES = 15;

/** The shortest time between two checks. */
const MIN_WAIT = 250;

const MINUTE = 60_000;
/** Back-off after a failed and after a refused hook call. */
const BACKOFF = {
  failed: { first: 5_000, max: 5 * MINUTE },
  refused: { first: MINUTE, max: 60 * MINUTE },
};

/**
 * Calls the hook after every change, and only after a change. A change is stored before the hook is called, a
 * deploy only after the hook has responded: if the process dies in between, the next one calls the hook again.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #now: () => number;
  #state: WatchState | undefined;
  /** The state in memory is not stored yet. */
  #unsaved = false;
  /** Fingerprints of the heads and of the content, as of the last read. */
  #heads: string | undefined;
  #content = '';
  #headsChangedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #lastFullRead: number;
  #lastChange = Number.NEGATIVE_INFINITY;
  /** Time of the first change that is not deployed. */
  #firstChange: number | undefined;
  #failedHooks = 0;
  #retryHookAt = Number.NEGATIVE_INFINITY;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#now = neverBack(() => options.clock.now());
    this.#lastFullRead = options.lastFullRead;
  }

  /** Whether a change is waiting for the hook. */
  get isPending(): boolean {
    return this.#state?.changed === true;
  }

  /** Checks for changes and stores whether there is one. */
  async check(): Promise<void> {
    const { state, fullReadEvery } = this.#options;
    this.#state ??= await state.load();
    if (this.#unsaved) await this.#save();
    const heads = await this.#options.readHeads();
    const now = this.#now();
    const isFullReadDue = now - this.#lastFullRead >= fullReadEvery;
    if (heads !== this.#heads) this.#headsChangedAt = now;
    // Another CDN location may still serve content that is older than the heads.
    else if (!isFullReadDue && this.#readAt >= this.#headsChangedAt + PURGE_DELAY) return;
    const content = await this.#options.readContent(isFullReadDue);
    await this.#recordContent(content);
    // Later changes will change the heads again.
    this.#heads = heads;
    this.#readAt = now;
    if (isFullReadDue) this.#lastFullRead = now;
  }

  /** Checks without the CDN, which may not show yet what an event has announced. Returns whether the content has changed. */
  async checkAnnounced(): Promise<boolean> {
    this.#state ??= await this.#options.state.load();
    if (this.#unsaved) await this.#save();
    const before = this.#content || this.#state?.deployed;
    const content = await this.#options.readContent(false, { bypassCdn: true });
    await this.#recordContent(content);
    return content !== before;
  }

  async #recordContent(content: string): Promise<void> {
    const now = this.#now();
    const { fireFirst, onEvent } = this.#options;
    if (content !== this.#content) {
      this.#content = content;
      this.#lastChange = now;
    }
    const before = this.#state;
    if (before?.changed) this.#firstChange ??= now;
    if (before && (before.changed || content === before.deployed)) return;
    this.#state = { deployed: before?.deployed ?? content, changed: before !== undefined || fireFirst };
    this.#firstChange = now;
    onEvent(before ? 'changed' : 'first');
    await this.#save();
  }

  /** Calls the hook if a change is pending and due. Throws if the call fails. */
  async fireIfDue(): Promise<void> {
    const { signal, fire, onEvent } = this.#options;
    if (!this.isPending || this.#unsaved || this.#now() < this.#dueAt()) return;
    const content = this.#content;
    try {
      await fire(signal);
    } catch (error) {
      this.#failedHooks += 1;
      this.#retryHookAt = this.#now() + backoffAfter(error, this.#failedHooks);
      throw error;
    }
    this.#failedHooks = 0;
    this.#state = { deployed: content, changed: false };
    this.#firstChange = undefined;
    onEvent('fired');
    await this.#save();
  }

  /** Calls the hook even if nothing changed. */
  async fireAlways(): Promise<void> {
    await this.check();
    this.#state = { deployed: this.#state?.deployed ?? '', changed: true };
    this.#lastChange = Number.NEGATIVE_INFINITY;
    await this.#save();
    await this.fireIfDue();
  }

  /** Milliseconds until the next check. */
  timeUntilNextCheck(): number {
    const { every } = this.#options;
    const due = this.isPending ? this.#dueAt() - this.#now() : every;
    return Math.min(every, Math.max(due, MIN_WAIT));
  }

  #dueAt(): number {
    const { settle } = this.#options;
    const settledAt = this.#lastChange + settle;
    const latest = (this.#firstChange ?? settledAt) + MAX_SETTLES * settle;
    return Math.max(Math.min(settledAt, latest), this.#retryHookAt);
  }

  async #save(): Promise<void> {
    if (!this.#state) return;
    this.#unsaved = true;
    await this.#options.state.save(this.#state);
    this.#unsaved = false;
  }
}

function backoffAfter(error: unknown, times: number): number {
  const { isRefused = false, retryAfter = 0 } = error instanceof HookError ? error : {};
  const { first, max } = BACKOFF[isRefused ? 'refused' : 'failed'];
  return Math.max(delayAfter(times - 1, first, max), Math.min(retryAfter, BACKOFF.refused.max));
}
