import { errorMessage } from '../../errors.ts';
import { shareInProcess } from '../../process-registry.ts';
import { type LiveSources, liveSources } from '../live/live-sources.ts';

/** Differs after every change of the drafts of a space. */
export type ReadFingerprint = () => Promise<string>;

/** `undefined` if it could not be read. */
type Fingerprint = string | undefined;

interface Watched {
  read: ReadFingerprint;
  /** What the last check found: no open preview shows anything older. `undefined` if none is open. */
  checked: string | undefined;
  /** What pages have shown since the last check began: their previews may not be open yet. */
  shown: ReadonlySet<Fingerprint>;
}

/** One check of one space. */
interface Check {
  readonly watched: Watched;
  /** What pages showed before it. */
  readonly shown: ReadonlySet<Fingerprint>;
  readonly found: Promise<string>;
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
  readonly #watched = new Map<string, Watched>();
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
    const known = this.#watched.get(name)?.checked;
    // If it cannot be read, the first check counts as a change.
    const fingerprint = known ?? (await read().catch((error: unknown) => this.#fail(error)));
    const watched = this.#watched.get(name) ?? { read, checked: undefined, shown: new Set() };
    watched.read = read;
    watched.shown = union(watched.shown, [fingerprint]);
    this.#watched.set(name, watched);
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
    if (this.#isRunning || this.#watched.size === 0) return;
    this.#wait(0);
  }

  get #isRunning(): boolean {
    return this.#isChecking || this.#cancel !== undefined;
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const watched of this.#watched.values()) watched.checked = undefined;
  }

  #wait(milliseconds: number): void {
    this.#cancel = this.#schedule(() => void this.#check(), milliseconds);
  }

  async #check(): Promise<void> {
    this.#cancel = undefined;
    this.#isChecking = true;
    const checks = [...this.#watched.values()].map(startCheck);
    const results = await Promise.allSettled(checks.map(({ found }) => found));
    const isReported = this.#listeners.size > 0;
    const changes = checks.map((check, at) => {
      const result = results[at];
      if (isReported && result?.status === 'fulfilled') return endCheck(check, result.value);
      return undoCheck(check);
    });
    // Reported although another one cannot be read: the next check does not see this change any more.
    if (changes.includes(true)) this.#report();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) this.#fail(failed.reason);
    else this.#failures = 0;
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

function startCheck(watched: Watched): Check {
  const { shown } = watched;
  watched.shown = new Set();
  return { watched, shown, found: watched.read() };
}

/** Returns whether an open preview, or a page whose preview is open by now, may show something else. */
function endCheck({ watched, shown }: Check, found: string): boolean {
  const before = watched.checked === undefined ? shown : union(shown, [watched.checked]);
  watched.checked = found;
  return [...before].some((fingerprint) => fingerprint !== found);
}

/** Leaves it to the next check to compare what pages show. */
function undoCheck({ watched, shown }: Check): false {
  watched.shown = union(shown, watched.shown);
  return false;
}

/** At most two: whatever a check finds, one of two differs from it. */
function union(some: Iterable<Fingerprint>, others: Iterable<Fingerprint>): ReadonlySet<Fingerprint> {
  return new Set([...new Set([...some, ...others])].slice(0, 2));
}

function scheduleWithTimer(callback: () => void, milliseconds: number): () => void {
  const timer = liveSources().outsideRequests(() => setTimeout(callback, milliseconds));
  // In Node, a timer would keep the process alive.
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
}

/** The one watch of this process. */
export const draftWatch = (): DraftWatch =>
  shareInProcess('draft-watch', () => new DraftWatch({ sources: liveSources(), interval: INTERVAL }));
