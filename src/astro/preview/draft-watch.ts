import { backgroundClock, type Clock } from '../../client/http/clock.ts';
import { errorMessage } from '../../shared/errors.ts';
import { EventChecks } from '../../shared/event-checks.ts';
import { repeatCheck } from '../../shared/repeat-check.ts';
import { hasChanged, type LiveSources, liveSources } from '../live/live-sources.ts';
import { schedule } from '../live/schedule.ts';

/** Differs after every change of the drafts of a space. */
export type ReadFingerprint = () => Promise<string>;

/** `undefined` if it could not be read. */
type Fingerprint = string | undefined;

interface Watched {
  read: ReadFingerprint;
  /** What the last check found: no open preview shows anything older. `undefined` if none is open. */
  checked: string | undefined;
  /** What pages have shown since the last check began: their previews may not be open yet. */
  shown: Set<Fingerprint>;
}

export interface DraftWatchOptions {
  readonly sources: Pick<LiveSources, 'all' | 'forEach' | 'onEvent' | 'openPreviews' | 'outsideRequests'>;
  /** Milliseconds between two checks. */
  readonly interval: number;
  readonly clock?: Pick<Clock, 'sleep'> | undefined;
  readonly logger?: { warn(message: string): void } | undefined;
}

const INTERVAL = 2000;
/** After failures too: an editor is waiting. */
const MAX_INTERVAL = 60_000;

/**
 * Tells open previews when drafts have changed: one check for all of them, and none while there are no previews. Drafts
 * that are served from a replica report their changes themselves, when pages show them.
 */
export class DraftWatch {
  readonly #options: DraftWatchOptions;
  readonly #listeners = new Set<() => void>();
  readonly #watched = new Map<string, Watched>();
  /** Ends the checks that are running. */
  #running: AbortController | undefined;
  #isFailing = false;

  constructor(options: DraftWatchOptions) {
    this.#options = options;
    options.sources.forEach((source) => {
      source.onChange(() => this.#report());
    });
    const checks = new EventChecks({
      schedule,
      check: () => this.#checkAfterEvent(),
      hasFound: (isFound) => isFound,
    });
    options.sources.onEvent(() => {
      // A failure is logged.
      if (this.#listeners.size > 0) checks.add().catch(() => {});
    });
  }

  /** Called before a page shows content of the service, so that no change after that is missed. */
  async beforeShowing(name: string, read: ReadFingerprint): Promise<void> {
    // Open previews check all the time.
    const known = this.#watched.get(name)?.checked;
    // If it cannot be read, the first check counts as a change.
    const fingerprint = known ?? (await read().catch((error: unknown) => this.#warn(error)));
    const watched = this.#watched.get(name) ?? { read, checked: undefined, shown: new Set() };
    watched.read = read;
    watched.shown.add(fingerprint);
    this.#watched.set(name, watched);
    if (this.#listeners.size > 0) this.#start();
  }

  /** Calls a function after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#options.sources.openPreviews = this.#listeners.size;
    this.#start();
    return () => {
      this.#listeners.delete(listener);
      this.#options.sources.openPreviews = this.#listeners.size;
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    if (this.#running || this.#watched.size === 0) return;
    const { sources, interval, clock = backgroundClock } = this.#options;
    this.#running = new AbortController();
    const { signal } = this.#running;
    const checks = () =>
      repeatCheck({
        check: () => this.#check(),
        act: () => {
          this.#isFailing = false;
        },
        interval,
        longestDelay: MAX_INTERVAL,
        onFailure: (error) => this.#warn(error),
        sleep: clock.sleep,
        signal,
      });
    void sources.outsideRequests(checks);
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    for (const watched of this.#watched.values()) watched.checked = undefined;
  }

  /** Reports whether any drafts have changed. Throws if some of them cannot be read. */
  async #check(): Promise<boolean> {
    const results = await Promise.allSettled([...this.#watched.values()].map((one) => this.#hasChanged(one)));
    const isChanged = results.some((result) => result.status === 'fulfilled' && result.value);
    // Reported although another one cannot be read: the next check does not see this change any more.
    if (isChanged) this.#report();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return isChanged;
  }

  /** Includes the content that only previews show, which reports its changes itself. */
  async #checkAfterEvent(): Promise<boolean> {
    const sources = this.#options.sources
      .all()
      .filter(({ isForPreviews = false, version }) => isForPreviews && version > 0);
    const refreshing = sources.map(async (source) =>
      hasChanged(await source.refresh({ isAfterEvent: true })),
    );
    const checking = this.#check().catch((error: unknown) => {
      this.#warn(error);
      throw error;
    });
    const results = await Promise.allSettled([checking, ...refreshing]);
    return results.some((result) => result.status === 'fulfilled' && result.value);
  }

  /** Whether an open preview, or a page whose preview is open by now, may show something else. */
  async #hasChanged(watched: Watched): Promise<boolean> {
    const { shown } = watched;
    watched.shown = new Set();
    const found = await watched.read().catch((error: unknown) => {
      keepShown(watched, shown);
      throw error;
    });
    // The next check compares what pages show.
    if (this.#listeners.size === 0) return keepShown(watched, shown);
    if (watched.checked !== undefined) shown.add(watched.checked);
    watched.checked = found;
    return [...shown].some((fingerprint) => fingerprint !== found);
  }

  /** Logs the first of several failures. */
  #warn(error: unknown): undefined {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { logger = console } = this.#options;
    logger.warn(`[astro-luid] Cannot check for changed drafts, will retry: ${errorMessage(error)}`);
  }

  #report(): void {
    for (const listener of this.#listeners) listener();
  }
}

function keepShown(watched: Watched, shown: ReadonlySet<Fingerprint>): false {
  for (const fingerprint of shown) watched.shown.add(fingerprint);
  return false;
}

let watch: DraftWatch | undefined;

/** The one watch of this server. */
export function draftWatch(): DraftWatch {
  watch ??= new DraftWatch({ sources: liveSources(), interval: INTERVAL });
  return watch;
}
