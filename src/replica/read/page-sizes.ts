import { LIMITS } from '../../contract/limits.ts';

/** How many items of a list the service manages to send at once, and when that was found out. */
export interface PageSize {
  readonly size: number;
  readonly at: number;
}

/** By list: the models of it, or `heads`. A list that is not named can be read in full pages. */
export interface StoredPageSizes {
  readonly [list: string]: PageSize;
}

const DAY = 24 * 60 * 60 * 1000;

/** The sizes of pages that work. After a day, twice as much is tried again: the content may have become smaller. */
export class PageSizes {
  readonly #sizes = new Map<string, PageSize>();
  /** How many requests of the present size worked, and how many did not. */
  readonly #counts = new Map<string, { worked: number; failed: number }>();
  readonly #now: () => number;

  constructor(stored: StoredPageSizes = {}, now: () => number = Date.now) {
    this.#now = now;
    for (const [list, { size, at }] of Object.entries(stored)) {
      if (Math.abs(now() - at) < DAY) this.#sizes.set(list, { size, at });
      else this.set(list, 2 * size);
    }
  }

  of(list: string): number {
    return this.#sizes.get(list)?.size ?? LIMITS.pageSize;
  }

  set(list: string, size: number): void {
    this.#counts.delete(list);
    if (size >= LIMITS.pageSize) this.#sizes.delete(list);
    else this.#sizes.set(list, { size: Math.max(1, Math.floor(size)), at: this.#now() });
  }

  worked(list: string, size: number): void {
    if (size === this.of(list)) this.#countsOf(list).worked += 1;
  }

  /** One page with large items among many others does not make all pages smaller. */
  failed(list: string, size: number): void {
    if (size !== this.of(list)) return;
    const counts = this.#countsOf(list);
    counts.failed += 1;
    if (4 * counts.failed > counts.worked) this.set(list, size / 2);
  }

  toStored(): StoredPageSizes {
    return Object.fromEntries(this.#sizes);
  }

  #countsOf(list: string) {
    const counts = this.#counts.get(list) ?? { worked: 0, failed: 0 };
    this.#counts.set(list, counts);
    return counts;
  }
}
