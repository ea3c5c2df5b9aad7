import type { APIContext } from 'astro';
import { errorMessage } from '../../errors.ts';
import { pluralize } from '../../format-count.ts';
import { printable } from '../../printable.ts';
import { type Schedule, schedule } from './schedule.ts';

/** Astro's route cache, as pages and middleware have it. */
export type RouteCache = APIContext['cache'];

export interface InvalidationOptions {
  readonly schedule?: Schedule;
  readonly logger?: Pick<Console, 'info' | 'error'>;
}

const FIRST_RETRY = 1000;
const LONGEST_RETRY = 60_000;
/** An invalidation without a result by then has failed: a later one must not wait for it. */
const TIME_LIMIT = 30_000;

/** Invalidates cache tags, one call at a time, and retries what fails until it succeeds. */
export class CacheInvalidation {
  readonly #schedule: Schedule;
  readonly #logger: Pick<Console, 'info' | 'error'>;
  readonly #tags = new Set<string>();
  #items = 0;
  #cache: Pick<RouteCache, 'invalidate'> | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #cancelRetry = () => {};

  constructor({ schedule: later = schedule, logger = console }: InvalidationOptions = {}) {
    this.#schedule = later;
    this.#logger = logger;
  }

  /** Astro creates a cache per request; the latest is used. */
  useCache(cache: Pick<RouteCache, 'invalidate'>): void {
    this.#cache = cache;
  }

  /** Invalidates tags, because this number of items changed if it is known. */
  add(tags: readonly string[], items = 0): void {
    for (const tag of tags) this.#tags.add(tag);
    this.#items += items;
    // A failure is logged and retried.
    this.done().catch(() => {});
  }

  /** Resolves when all tags that were added are invalidated; rejects if that fails now. */
  done(): Promise<void> {
    this.#running ??= this.#invalidateAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #invalidateAll(): Promise<void> {
    this.#cancelRetry();
    while (this.#tags.size > 0 && this.#cache) {
      const tags = [...this.#tags];
      const items = this.#items;
      this.#tags.clear();
      this.#items = 0;
      try {
        await this.#limitTime(this.#cache.invalidate({ tags }));
      } catch (error) {
        for (const tag of tags) this.#tags.add(tag);
        this.#items += items;
        this.#retryLater(error);
        throw error;
      }
      this.#failures = 0;
      this.#logger.info(`[astro-luid] ${describe(items, tags.length)}`);
    }
  }

  #retryLater(error: unknown): void {
    const delay = Math.min(FIRST_RETRY * 2 ** this.#failures, LONGEST_RETRY);
    this.#failures += 1;
    const tags = pluralize(this.#tags.size, 'cache tag');
    const reason = printable(errorMessage(error), 300);
    this.#logger.error(
      `[astro-luid] ${tags} could not be invalidated; retrying in ${delay / 1000} s: ${reason}`,
    );
    this.#cancelRetry = this.#schedule(() => this.done().catch(() => {}), delay);
  }

  async #limitTime(running: Promise<void>): Promise<void> {
    let cancel = () => {};
    const timeUp = new Promise<never>((_, reject) => {
      cancel = this.#schedule(() => reject(new Error(`no result after ${TIME_LIMIT / 1000} s`)), TIME_LIMIT);
    });
    try {
      await Promise.race([running, timeUp]);
    } finally {
      cancel();
    }
  }
}

function describe(items: number, tags: number): string {
  const invalidated = `${pluralize(tags, 'cache tag')} invalidated`;
  return items > 0 ? `${pluralize(items, 'item')} changed: ${invalidated}` : invalidated;
}
