import { errorMessage } from '../../errors.ts';
import { shareInProcess } from '../../process-registry.ts';
import { type LiveSources, liveSources } from '../live/live-sources.ts';

/** Differs after every change of the drafts of a space. */
export type ReadFingerprint = () => Promise<string>;

/** Calls a function once, unless the returned function is called before. */
type Schedule = (callback: () => void, milliseconds: number) => () => void;

export interface DraftWatchOptions {
  readonly sources: Pick<LiveSources, 'forEach'>;
  /** Milliseconds between two checks. */
  readonly interval: number;
  readonly schedule?: Schedule | undefined;
  readonly logger?: { warn(message: string): void } | undefined;
}

const INTERVAL = 2000;
/** The delay grows after each failure, up to this many milliseconds. */
const MAX_DELAY = 60_000;

/**
 * Tells open previews when drafts have changed: one check for all of them, and none while there are no previews. Drafts
 * that are served from a replica report their changes themselves, when pages show them.
 */
export class DraftWatch {
  readonly #interval: number;
  readonly #schedule: Schedule;
  readonly #logger: { warn(message: string): void };
  readonly #listeners = new Set<() => void>();
  readonly #fingerprints = new Map<string, { readonly read: ReadFingerprint; last: string }>();
  #cancel: (() => void) | undefined;
  #failures = 0;

  constructor({ sources, interval, schedule = scheduleWithTimer, logger = console }: DraftWatchOptions) {
    this.#interval = interval;
    this.#schedule = schedule;
    this.#logger = logger;
    sources.forEach((source) => {
      source.onChange(() => this.#report());
    });
  }

  /** The number of open previews. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Called before a page shows content of the service, so that no change after that is missed. */
  async beforeShowing(name: string, read: ReadFingerprint): Promise<void> {
    const known = this.#fingerprints.get(name);
    // Open previews check all the time.
    if (known && this.#cancel) return;
    this.#fingerprints.set(name, { read, last: await read() });
    if (this.#listeners.size > 0) this.#start();
  }

  /** Calls a function after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    if (this.#cancel || this.#fingerprints.size === 0) return;
    this.#wait(0);
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(milliseconds: number): void {
    this.#cancel = this.#schedule(() => void this.#check(), milliseconds);
  }

  async #check(): Promise<void> {
    try {
      const results = await Promise.all([...this.#fingerprints.values()].map(isChanged));
      this.#failures = 0;
      if (results.includes(true)) this.#report();
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        this.#logger.warn(`[astro-luid] Cannot check for changed drafts, will retry: ${errorMessage(error)}`);
      }
    }
    if (this.#listeners.size === 0) return;
    this.#wait(Math.min(this.#interval * 2 ** this.#failures, MAX_DELAY));
  }

  #report(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function isChanged(one: { readonly read: ReadFingerprint; last: string }): Promise<boolean> {
  const [before, next] = [one.last, await one.read()];
  one.last = next;
  return before !== next;
}

function scheduleWithTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  // In Node, a timer would keep the process alive.
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
}

/** The one watch of this process. */
export const draftWatch = (): DraftWatch =>
  shareInProcess('draft-watch', () => new DraftWatch({ sources: liveSources(), interval: INTERVAL }));
