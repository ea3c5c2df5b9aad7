import { errorMessage } from '../../errors.ts';
import { shareInProcess } from '../../process-registry.ts';
import { type LiveSources, liveSources } from '../live/live-sources.ts';

/** Differs after every change of the drafts of a space. */
export type ReadFingerprint = () => Promise<string>;

interface Watched {
  readonly read: ReadFingerprint;
  /** `undefined` if it could not be read. */
  last: string | undefined;
}

/** Calls a function once, unless the returned function is called before. */
type Schedule = (callback: () => void, milliseconds: number) => () => void;

export interface DraftWatchOptions {
  readonly sources: Pick<LiveSources, 'forEach' | 'openPreviews'>;
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
  readonly #sources: DraftWatchOptions['sources'];
  readonly #interval: number;
  readonly #schedule: Schedule;
  readonly #logger: { warn(message: string): void };
  readonly #listeners = new Set<() => void>();
  readonly #fingerprints = new Map<string, Watched>();
  /** Cancels the next check. */
  #cancel: (() => void) | undefined;
  #isChecking = false;
  #failures = 0;

  constructor({ sources, interval, schedule = scheduleWithTimer, logger = console }: DraftWatchOptions) {
    this.#sources = sources;
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
    // Open previews check all the time.
    if (this.#fingerprints.has(name) && this.#isRunning) return;
    // If it cannot be read, the first check counts as a change.
    const last = await read().catch((error: unknown) => this.#fail(error));
    this.#fingerprints.set(name, { read, last });
    if (this.#listeners.size > 0) this.#start();
  }

  /** Calls a function after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#sources.openPreviews = this.#listeners.size;
    this.#start();
    return () => {
      this.#listeners.delete(listener);
      this.#sources.openPreviews = this.#listeners.size;
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    if (this.#isRunning || this.#fingerprints.size === 0) return;
    this.#wait(0);
  }

  get #isRunning(): boolean {
    return this.#isChecking || this.#cancel !== undefined;
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(milliseconds: number): void {
    this.#cancel = this.#schedule(() => void this.#check(), milliseconds);
  }

  async #check(): Promise<void> {
    this.#cancel = undefined;
    this.#isChecking = true;
    try {
      const results = await Promise.all([...this.#fingerprints.values()].map(isChanged));
      this.#failures = 0;
      if (results.includes(true)) this.#report();
    } catch (error) {
      this.#fail(error);
    }
    this.#isChecking = false;
    if (this.#listeners.size === 0) return;
    this.#wait(Math.min(this.#interval * 2 ** this.#failures, MAX_DELAY));
  }

  /** Logs the first of several failures. */
  #fail(error: unknown): undefined {
    this.#failures += 1;
    if (this.#failures > 1) return;
    this.#logger.warn(`[astro-luid] Cannot check for changed drafts, will retry: ${errorMessage(error)}`);
  }

  #report(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function isChanged(one: Watched): Promise<boolean> {
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
