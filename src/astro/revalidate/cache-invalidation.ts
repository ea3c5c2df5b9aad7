import type { APIContext } from 'astro';
import { chunks } from '../../contract/chunks.ts';
import { errorMessage } from '../../shared/errors.ts';
import { pluralize } from '../../shared/format-count.ts';
import { limitTime } from '../../shared/limit-time.ts';
import { printable } from '../../shared/printable.ts';
import { delayAfter } from '../../shared/repeat-check.ts';
import { type Schedule, schedule } from '../live/schedule.ts';

/** Astro's route cache, as pages and middleware have it. */
export type RouteCache = APIContext['cache'];

type InvalidatedCache = Pick<RouteCache, 'invalidate'>;

export interface InvalidationOptions {
  readonly schedule?: Schedule;
  readonly logger?: Pick<Console, 'info' | 'error'>;
}

const FIRST_RETRY = 1000;
const LONGEST_RETRY = 60_000;
/** An invalidation without a result by then has failed: a later one must not wait for it. */
const TIME_LIMIT = 30_000;
/** Tags per call: the APIs of CDNs have a limit. */
const MAX_TAGS = 100;
/** After so many calls in a row that failed, the provider is down: the others are retried with them. */
const MAX_FAILURES = 3;

/** Invalidates cache tags, one call at a time, and retries what fails until it succeeds. */
export class CacheInvalidation {
  readonly #schedule: Schedule;
  readonly #logger: Pick<Console, 'info' | 'error'>;
  readonly #tags = new Set<string>();
  /** Retried apart from new tags, which a call that the provider refuses would keep in the cache. */
  readonly #failed = new Set<string>();
  /** Changed items that were not logged yet. */
  #items = 0;
  #cache: InvalidatedCache | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #cancelRetry = () => {};
  #canInvalidate = true;

  constructor({ schedule: later = schedule, logger = console }: InvalidationOptions = {}) {
    this.#schedule = later;
    this.#logger = logger;
  }

  /** Astro creates a cache per request; the latest is used. */
  useCache(cache: InvalidatedCache): void {
    this.#cache = cache;
  }

  /** Whether the cache of this server has a way to invalidate pages, as far as is known. */
  get canInvalidate(): boolean {
    return this.#canInvalidate;
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
    this.#running ??= this.#invalidateAll()
      .finally(() => {
        this.#running = undefined;
      })
      // Tags may have been added after the last look at them.
      .then(() => (this.#tags.size > 0 && this.#cache ? this.done() : undefined));
    return this.#running;
  }

  /** Resolves when no tags are being invalidated. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  async #invalidateAll(): Promise<void> {
    this.#cancelRetry();
    const retried = chunks([...this.#failed], MAX_TAGS);
    const errors: unknown[] = [];
    while (this.#cache && this.#tags.size + retried.length > 0) {
      const calls = [...chunks([...this.#tags], MAX_TAGS), ...retried.splice(0)];
      this.#tags.clear();
      errors.push(...(await this.#invalidateInCalls(this.#cache, calls)));
    }
    if (errors.length > 0) {
      this.#retryLater(errors[0]);
      throw errors[0];
    }
    this.#failures = 0;
  }

  /** Returns the errors of the calls that failed. They do not keep the others from being invalidated. */
  async #invalidateInCalls(cache: InvalidatedCache, calls: readonly string[][]): Promise<unknown[]> {
    const errors: unknown[] = [];
    const items = this.#items;
    let count = 0;
    let failuresInRow = 0;
    for (const [index, tags] of calls.entries()) {
      try {
        await limitTime(cache.invalidate({ tags }), TIME_LIMIT, () => new TimeUpError(), this.#schedule);
        for (const tag of tags) this.#failed.delete(tag);
        count += tags.length;
        failuresInRow = 0;
        this.#canInvalidate = true;
      } catch (error) {
        if (isMissing(error)) {
          this.#reportMissing(error);
          break;
        }
        errors.push(error);
        failuresInRow += 1;
        const isDown = error instanceof TimeUpError || failuresInRow === MAX_FAILURES;
        // The others would fail too, or take as long. The next attempt begins with them if this one timed out.
        if (isDown) this.#fail(calls.slice(index + 1).flat());
        this.#fail(tags);
        if (isDown) break;
      }
    }
    if (count > 0) {
      this.#items -= items;
      this.#logger.info(`[astro-luid] ${describe(items, count)}`);
    }
    return errors;
  }

  /** Nothing is retried: pages stay as long as they are cached. */
  #reportMissing(error: Error): void {
    this.#failed.clear();
    this.#items = 0;
    if (this.#canInvalidate) this.#logger.error(`[astro-luid] ${NOT_INVALIDATED}: ${error.message}`);
    this.#canInvalidate = false;
  }

  /** Adds tags to the end of those that are retried. */
  #fail(tags: readonly string[]): void {
    for (const tag of tags) {
      this.#failed.delete(tag);
      this.#failed.add(tag);
    }
  }

  #retryLater(error: unknown): void {
    const delay = delayAfter(this.#failures, FIRST_RETRY, LONGEST_RETRY);
    this.#failures += 1;
    const tags = pluralize(this.#failed.size, 'cache tag');
    const reason = printable(errorMessage(error), 300);
    this.#logger.error(
      `[astro-luid] ${tags} could not be invalidated; retrying in ${delay / 1000} s: ${reason}`,
    );
    this.#cancelRetry = this.#schedule(() => this.done().catch(() => {}), delay);
  }
}

class TimeUpError extends Error {
  constructor() {
    super(`no result after ${TIME_LIMIT / 1000} s`);
  }
}

/**
 * Whether a provider has called what its host does not have: `cache.purge` of Cloudflare does not exist in `wrangler dev`.
 * By its name, because errors of another realm have another class.
 */
function isMissing(error: unknown): error is Error {
  const { name, message } = Object(error) as Error;
  return name === 'TypeError' && /\bis not a function\b/.test(message);
}

const NOT_INVALIDATED =
  'the cache of this server cannot invalidate pages, so each is shown until it expires (this is normal in `wrangler dev`)';

function describe(items: number, tags: number): string {
  const invalidated = `${pluralize(tags, 'cache tag')} invalidated`;
  return items > 0 ? `${pluralize(items, 'item')} changed: ${invalidated}` : invalidated;
}
