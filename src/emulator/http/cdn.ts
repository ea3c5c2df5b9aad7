import { LIMITS } from '../../contract/limits.ts';
import type { Assumptions } from '../assumptions.ts';

const LIFETIME = LIMITS.cdnLifetimeDays * 24 * 60 * 60 * 1000;
/** Bounds memory; the oldest go first. */
const MOST_ENTRIES = 2_000;

interface Cached {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly storedAt: number;
  /** How many changes there had been when it was stored. */
  readonly changes: number;
}

/** A purge reaches the copies that are older than its change, from a certain time on. */
interface Purge {
  readonly from: number;
  readonly change: number;
}

/** §8: copies of answers per key, URL and point of presence, kept for 30 days or until purged. */
export class Cdn {
  readonly #copies = new Map<string, Cached>();
  readonly #purges = { first: [] as Purge[], others: [] as Purge[] };
  #changes = 0;

  find(pop: string, key: string, url: string, now: number): Uint8Array<ArrayBuffer> | undefined {
    const id = copyId(pop, key, url);
    const copy = this.#copies.get(id);
    if (!copy) return undefined;
    const purges = pop === FIRST_POP ? this.#purges.first : this.#purges.others;
    const purged = purges.some(({ from, change }) => from <= now && copy.changes < change);
    if (!purged && now - copy.storedAt < LIFETIME) return copy.body;
    this.#copies.delete(id);
    return undefined;
  }

  store(pop: string, key: string, url: string, body: Uint8Array<ArrayBuffer>, now: number): void {
    this.#copies.set(copyId(pop, key, url), { body, storedAt: now, changes: this.#changes });
    if (this.#copies.size <= MOST_ENTRIES) return;
    for (const oldest of this.#copies.keys()) {
      this.#copies.delete(oldest);
      break;
    }
  }

  /** Something changed: everything stored until now is void, once the purge arrives. */
  purge(now: number, { purgeDelay, purgeReach }: Pick<Assumptions, 'purgeDelay' | 'purgeReach'>): void {
    this.#changes++;
    const delay = Math.max(0, purgeDelay);
    if (delay === 0) {
      this.clear();
      return;
    }
    const later = { from: now + delay, change: this.#changes };
    remember(this.#purges.others, later, now);
    remember(this.#purges.first, purgeReach === 'some' ? { ...later, from: now } : later, now);
  }

  clear(): void {
    this.#copies.clear();
    this.#purges.first.length = 0;
    this.#purges.others.length = 0;
  }
}

/** Where a request arrives that names no point of presence. */
export const FIRST_POP = 'a';

function copyId(pop: string, key: string, url: string): string {
  return JSON.stringify([pop, key, url]);
}

/** Adds a purge; of those that have arrived only the last matters. */
function remember(purges: Purge[], purge: Purge, now: number): void {
  const pending = purges.filter(({ from }) => from > now);
  const arrived = purges.filter(({ from }) => from <= now).at(-1);
  purges.splice(0, purges.length, ...(arrived ? [arrived] : []), ...pending, purge);
}
