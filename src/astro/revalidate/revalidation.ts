import {
  ANY_TAG,
  type LiveChange,
  type LiveSource,
  type LiveSources,
  liveSources,
  outdatedTags,
  type RequestVersions,
} from '../live/live-sources.ts';
import { type Schedule, schedule } from '../live/schedule.ts';
import { limitPage } from '../live/tags/cache-tags.ts';
import { CacheInvalidation, type InvalidationOptions, type RouteCache } from './cache-invalidation.ts';

/** After a response is returned, its page is stored: usually in the next task, at the latest by then. */
const STORED_AFTER = [0, 1000];

/** Keeps the route cache equal to the live content: invalidates what changed, and stores nothing outdated. */
export class Revalidation {
  readonly #sources: LiveSources;
  readonly #schedule: Schedule;
  readonly #invalidation: CacheInvalidation;
  #isStarted = false;
  /** Pages that are checked again when they are stored. */
  readonly #stored = new Set<Promise<unknown>>();

  constructor(sources: LiveSources, options: InvalidationOptions = {}) {
    this.#sources = sources;
    this.#schedule = options.schedule ?? schedule;
    this.#invalidation = new CacheInvalidation(options);
  }

  /** Takes the cache of a request. The first one starts the invalidation of changes. */
  useCache(cache: RouteCache): void {
    this.#invalidation.useCache(cache);
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#sources.forEach((source) => {
      this.#invalidateChangesOf(source);
    });
  }

  #invalidateChangesOf(source: LiveSource): void {
    source.onChange(({ tags, added, changed, removed }: LiveChange) => {
      if (tags.length > 0) this.#invalidate(source, tags, added + changed + removed);
    });
    // A cache outside of this process may have pages from before.
    const changed = source.version > 0 ? source.tagsSince(0) : [];
    const missed = changed.filter((tag) => tag !== ANY_TAG);
    if (missed.length > 0) this.#invalidate(source, missed);
  }

  #invalidate(source: LiveSource, tags: readonly string[], items?: number): void {
    const { version } = source;
    this.#invalidation.add(tags, items);
    // A failure is retried, and confirmed with the next change.
    this.#invalidation.done().then(
      () => this.canInvalidate && source.confirmInvalidated?.(version),
      () => {},
    );
  }

  /** Whether the cache has a way to invalidate pages. */
  get canInvalidate(): boolean {
    return this.#invalidation.canInvalidate;
  }

  /** Resolves when the tags of all changes are invalidated; rejects if that fails now. It is retried then. */
  done(): Promise<void> {
    return this.#invalidation.done();
  }

  /**
   * Returns the response when all of it is rendered. It is not cached if its content has changed meanwhile. If that
   * happens before the page is stored, the invalidation came too early for it, and is repeated.
   */
  async guard(cache: RouteCache, response: Response, versions: RequestVersions): Promise<Response> {
    // A clone, because Astro keeps cookies on the object itself.
    await response.clone().arrayBuffer();
    this.#limitTags(cache);
    const { tags } = cache;
    if (outdatedTags(versions, tags).length > 0) {
      cache.set(false);
      return response;
    }
    const repeat = () => {
      const outdated = outdatedTags(versions, tags);
      if (outdated.length > 0) this.#invalidation.add(outdated);
    };
    const repeats = STORED_AFTER.map(
      (delay) =>
        new Promise<void>((resolve) => {
          this.#schedule(() => resolve(repeat()), delay);
        }),
    );
    const stored = Promise.all(repeats).finally(() => this.#stored.delete(stored));
    this.#stored.add(stored);
    return response;
  }

  #limitTags(cache: RouteCache): void {
    const { hasOutsideCache, maxTags } = this.#sources;
    if (!hasOutsideCache) return;
    const tags = limitPage(cache.tags, maxTags);
    const { options } = cache;
    // Tags can be added only.
    cache.set(false);
    cache.set({ ...options, tags });
  }

  /** Resolves when nothing is left to do after a response: checks, and invalidations. */
  async settled(): Promise<void> {
    await Promise.all([...this.#stored, ...this.#sources.all().map((source) => source.settled?.())]);
    await this.#invalidation.settled();
  }
}

/** The revalidation of this site: of one server bundle, because each has its own route cache. */
export const siteRevalidation = new Revalidation(liveSources());
