import type { Clock } from '../../client/http/clock.ts';
import { HookFailed } from './deploy-hooks.ts';
import type { StateStore, WatchState } from './watch-state.ts';

/** What happens: nothing told what is deployed, content changed, the hook was called. */
export type WatchEvent =
  | { readonly event: 'first' }
  | { readonly event: 'changed' }
  | { readonly event: 'fired' };

export interface WatcherOptions {
  /** A digest of the newest items, which is another one after every change but those that heads cannot see. */
  readonly look: () => Promise<string>;
  /** A digest of the content as it is now. `audit`: read everything, past the CDN. */
  readonly read: (audit: boolean) => Promise<string>;
  readonly fire: (signal: AbortSignal) => Promise<void>;
  readonly state: StateStore;
  /** Milliseconds from one look to the next, and without a change before the hook is called. */
  readonly every: number;
  readonly settle: number;
  /** Milliseconds after which everything is read, whatever the heads say, and when that was last. */
  readonly auditEvery: number;
  readonly auditedAt: number;
  /** Call the hook at the first start, too, when nothing tells what is deployed. */
  readonly fireFirst: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (event: WatchEvent) => void;
}

/** How much later than the heads a purge may reach the other copies of the CDN's. */
const PURGE = 60_000;

/** Content that never rests is deployed, too: after this many times `settle`. */
const MOST_SETTLES = 15;

/** Whatever is due, the service is asked no more often than this. */
const SHORTEST_WAIT = 250;

const MINUTE = 60_000;
/** The first and the longest pause after a hook that failed, and after one that was refused. */
const PAUSES = {
  failed: { first: 5_000, longest: 5 * MINUTE },
  refused: { first: MINUTE, longest: 60 * MINUTE },
};

/**
 * Follows every change with a hook, and calls none without one. That a change was seen is stored before
 * the hook is called, and that it was called only once it has answered: whatever ends the process in
 * between, the next one calls it again.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  #state: WatchState | undefined;
  /** What is in memory is not stored yet. */
  #unsaved = false;
  /** The heads when content was read last, and that content. */
  #heads: string | undefined;
  #content = '';
  #movedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #auditedAt: number;
  /** Since when content has been as it is, and since when there is something to deploy. */
  #quietSince = 0;
  #changedSince = 0;
  #failedHooks = 0;
  #hookNotBefore = Number.NEGATIVE_INFINITY;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#auditedAt = options.auditedAt;
  }

  /** Whether content waits for its hook. */
  get isPending(): boolean {
    return this.#state?.changed === true;
  }

  /** Looks whether something changed, and takes note of it. */
  async look(): Promise<void> {
    const { clock, state, auditEvery } = this.#options;
    this.#state ??= await state.load();
    if (this.#unsaved) await this.#save();
    const heads = await this.#options.look();
    const now = clock.now();
    const audit = now - this.#auditedAt >= auditEvery;
    if (heads !== this.#heads) this.#movedAt = now;
    // A copy of the CDN's may be older than the one that the heads came from.
    else if (!audit && this.#readAt >= this.#movedAt + PURGE) return;
    const content = await this.#options.read(audit);
    await this.#note(content);
    // What changes from here on, changes the heads that were read before.
    this.#heads = heads;
    this.#readAt = now;
    if (audit) this.#auditedAt = now;
  }

  async #note(content: string): Promise<void> {
    const now = this.#options.clock.now();
    const { fireFirst, tell } = this.#options;
    if (content !== this.#content) {
      this.#content = content;
      this.#quietSince = now;
    }
    const before = this.#state;
    if (before?.changed && this.#changedSince === 0) this.#changedSince = now;
    if (before && (before.changed || content === before.deployed)) return;
    this.#state = { deployed: before?.deployed ?? content, changed: before !== undefined || fireFirst };
    this.#changedSince = now;
    tell({ event: before ? 'changed' : 'first' });
    await this.#save();
  }

  /** Calls the hook, if there is something to deploy and it is time. Throws if that fails. */
  async fireIfDue(): Promise<void> {
    const { clock, signal, fire, tell } = this.#options;
    if (!this.isPending || this.#unsaved || clock.now() < this.#dueAt()) return;
    const content = this.#content;
    try {
      await fire(signal);
    } catch (error) {
      this.#failedHooks += 1;
      this.#hookNotBefore = clock.now() + pauseAfter(error, this.#failedHooks);
      throw error;
    }
    this.#failedHooks = 0;
    this.#state = { deployed: content, changed: false };
    tell({ event: 'fired' });
    await this.#save();
  }

  /** Calls the hook, whether anything changed or not. */
  async fireNow(): Promise<void> {
    await this.look();
    this.#state = { deployed: this.#state?.deployed ?? '', changed: true };
    this.#quietSince = Number.NEGATIVE_INFINITY;
    await this.#save();
    await this.fireIfDue();
  }

  /** Milliseconds until there is something to do again. */
  untilNext(): number {
    const { every, clock } = this.#options;
    const due = this.isPending ? this.#dueAt() - clock.now() : every;
    return Math.min(every, Math.max(due, SHORTEST_WAIT));
  }

  #dueAt(): number {
    const { settle } = this.#options;
    const rested = Math.min(this.#quietSince + settle, this.#changedSince + MOST_SETTLES * settle);
    return Math.max(rested, this.#hookNotBefore);
  }

  async #save(): Promise<void> {
    if (!this.#state) return;
    this.#unsaved = true;
    await this.#options.state.save(this.#state);
    this.#unsaved = false;
  }
}

function pauseAfter(error: unknown, times: number): number {
  const { isRefused = false, wait = 0 } = error instanceof HookFailed ? error : {};
  const { first, longest } = PAUSES[isRefused ? 'refused' : 'failed'];
  const pause = Math.min(first * 2 ** (times - 1), longest);
  return Math.max(pause, Math.min(wait, PAUSES.refused.longest));
}
