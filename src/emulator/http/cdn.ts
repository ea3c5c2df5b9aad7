import { CDN_LIFETIME } from '../../contract/limits.ts';
import type { Assumptions } from '../assumptions.ts';

/** Limits memory; the oldest entries are dropped first. */
const MAX_ENTRIES = 2_000;

interface CacheEntry {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly storedAt: number;
  /** The number of content changes when it was stored. */
  readonly changes: number;
}

/** From the time `from` on, invalidates entries that were stored before the change number `change`. */
interface Purge {
  readonly from: number;
  readonly change: number;
}

/** §8: caches responses per key, URL and point of presence, for 30 days or until they are purged. */
export class Cdn {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #purges = { first: [] as Purge[], others: [] as Purge[] };
  #changes = 0;

  find(pop: string, key: string, url: string, now: number): Uint8Array<ArrayBuffer> | undefined {
    const id = entryId(pop, key, url);
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    const purges = pop === FIRST_POP ? this.#purges.first : this.#purges.others;
    const purged = purges.some(({ from, change }) => from <= now && entry.changes < change);
    if (!purged && now - entry.storedAt < CDN_LIFETIME) return entry.body;
    this.#entries.delete(id);
    return undefined;
  }

  store(pop: string, key: string, url: string, body: Uint8Array<ArrayBuffer>, now: number): void {
    this.#entries.set(entryId(pop, key, url), { body, storedAt: now, changes: this.#changes });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Invalidates all entries after a change, once the purge takes effect. */
  purge(now: number, { purgeDelay, purgeReach }: Pick<Assumptions, 'purgeDelay' | 'purgeReach'>): void {
    this.#changes++;
    const delay = Math.max(0, purgeDelay);
    if (delay === 0) {
      this.clear();
      return;
    }
    const later = { from: now + delay, change: this.#changes };
    addPurge(this.#purges.others, later, now);
    addPurge(this.#purges.first, purgeReach === 'some' ? { ...later, from: now } : later, now);
  }

  clear(): void {
    this.#entries.clear();
    this.#purges.first.length = 0;
    this.#purges.others.length = 0;
  }
}

/** The point of presence of requests that name none. */
export const FIRST_POP = 'a';

function entryId(pop: string, key: string, url: string): string {
  return JSON.stringify([pop, key, url]);
}

/** Adds a purge. Of those already in effect only the last one matters. */
function addPurge(purges: Purge[], purge: Purge, now: number): void {
  const pending = purges.filter(({ from }) => from > now);
  const inEffect = purges.filter(({ from }) => from <= now).at(-1);
  purges.splice(0, purges.length, ...(inEffect ? [inEffect] : []), ...pending, purge);
}
