import type { Assumptions } from '../assumptions.ts';
import { dataIn, type Item, isVisible, shownData, type View } from '../state/item.ts';
import type { State } from '../state/state.ts';
import type { Condition } from './filter.ts';
import { compareKeys, type OrderTerm } from './order.ts';

/** Which items, in which order. */
export interface ListQuery {
  readonly view: View;
  readonly models: readonly string[];
  /** The `space` that was asked for. */
  readonly space: string | undefined;
  readonly order: readonly OrderTerm[];
  readonly conditions: readonly Condition[];
  /** Equal for queries that have the same members in the same order. */
  readonly id: string;
  /** The same without conditions. */
  readonly unfilteredId: string;
}

/** Bounds memory: a list of 100,000 items takes 0.8 MB. */
const MOST_LISTS = 64;
/** Past this many changes building a list anew is faster than correcting it. */
const MOST_CORRECTIONS = 1_000;

/**
 * The lists that were asked for, kept sorted. A change of single items corrects a list the next
 * time it is asked for, by binary search; it is built anew only if one of its conditions looks at such items
 * through a reference.
 */
export class Lists {
  readonly #state: State;
  readonly #lists = new Map<string, SortedList>();
  #epoch = 0;

  constructor(state: State) {
    this.#state = state;
  }

  find(query: ListQuery, assumptions: Assumptions): SortedList {
    if (this.#epoch !== this.#state.epoch) this.clear();
    return this.#find(query, assumptions);
  }

  clear(): void {
    this.#epoch = this.#state.epoch;
    this.#lists.clear();
  }

  #find(query: ListQuery, assumptions: Assumptions): SortedList {
    const known = this.#lists.get(query.id);
    if (known) this.#lists.delete(query.id);
    const list = known?.isCurrent() ? known : this.#build(query, assumptions);
    // Deleted and set again: the map's first entry is the one that was not used for longest.
    this.#lists.set(query.id, list);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= MOST_LISTS) break;
      this.#lists.delete(oldest);
    }
    return list;
  }

  #build(query: ListQuery, assumptions: Assumptions): SortedList {
    const list = new SortedList(this.#state, query, assumptions);
    if (query.conditions.length === 0) return list.sort(this.#state.items.values());
    const all = this.#find({ ...query, id: query.unfilteredId, conditions: [] }, assumptions);
    return list.filter(all.items);
  }
}

export class SortedList {
  items: Item[] = [];
  readonly #state: State;
  readonly #query: ListQuery;
  readonly #assumptions: Assumptions;
  readonly #models: ReadonlySet<string>;
  /** The models of other items that a condition looks at. */
  readonly #others: ReadonlySet<string>;
  #version: number;

  constructor(state: State, query: ListQuery, assumptions: Assumptions) {
    this.#state = state;
    this.#query = query;
    this.#assumptions = assumptions;
    this.#models = new Set(query.models);
    this.#others = new Set(query.conditions.flatMap(({ others }) => [...others]));
    this.#version = state.version;
  }

  sort(items: Iterable<Item>): this {
    const keyed: { item: Item; keys: ReturnType<OrderTerm['key']>[] }[] = [];
    for (const item of items) {
      if (this.#has(item)) keyed.push({ item, keys: this.#query.order.map((term) => term.key(item)) });
    }
    const directions = this.#query.order.map(({ descending }) => (descending ? -1 : 1));
    keyed.sort((a, b) => {
      for (let index = 0; index < directions.length; index++) {
        const difference = compareKeys(a.keys[index], b.keys[index]);
        if (difference !== 0) return difference * (directions[index] as number);
      }
      return this.#compareTied(a.item, b.item);
    });
    this.items = keyed.map(({ item }) => item);
    return this;
  }

  /** From a list that is sorted already. */
  filter(items: readonly Item[]): this {
    this.items = items.filter((item) => this.#meets(item));
    return this;
  }

  /** Brings the list up to the state; `false` if it has to be built anew. */
  isCurrent(): boolean {
    if (this.#version === this.#state.version) return true;
    const changes = this.#state.since(this.#version);
    if (!changes || changes.length > MOST_CORRECTIONS) return false;
    if (changes.some(({ before, after }) => this.#others.has((after ?? before)?.model ?? ''))) return false;
    this.#version = this.#state.version;
    return changes.every(({ before, after }) => {
      if (before && this.#has(before) && !this.#take(before)) return false;
      if (after && this.#has(after)) this.items.splice(this.#place(after), 0, after);
      return true;
    });
  }

  /** Where an item stands, or -1. */
  indexOf(item: Item): number {
    const index = this.#place(item);
    return this.items[index] === item ? index : -1;
  }

  /** The stretch around an index in which all items are equal in the order that was asked for. */
  tiedAround(index: number): { from: number; to: number } {
    const item = this.items[index] as Item;
    let from = index;
    let to = index + 1;
    while (from > 0 && this.#compareAsked(this.items[from - 1] as Item, item) === 0) from--;
    while (to < this.items.length && this.#compareAsked(this.items[to] as Item, item) === 0) to++;
    return { from, to };
  }

  #take(item: Item): boolean {
    const index = this.indexOf(item);
    if (index < 0) return false;
    this.items.splice(index, 1);
    return true;
  }

  /** The first index whose item does not come before the given one. */
  #place(item: Item): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.items[middle] as Item, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: Item, b: Item): number {
    return this.#compareAsked(a, b) || this.#compareTied(a, b);
  }

  #compareAsked(a: Item, b: Item): number {
    for (const { key, descending } of this.#query.order) {
      const difference = compareKeys(key(a), key(b));
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  }

  #compareTied(a: Item, b: Item): number {
    return this.#assumptions.tieOrder === 'reverse' ? b.id - a.id : a.id - b.id;
  }

  #has(item: Item): boolean {
    const { view, space } = this.#query;
    return (
      this.#models.has(item.model) &&
      isVisible(item, view) &&
      (space === undefined || item.space === space) &&
      shownData(item, view) !== undefined &&
      this.#meets(item)
    );
  }

  #meets(item: Item): boolean {
    const { conditions, view } = this.#query;
    if (conditions.length === 0) return true;
    const candidates = this.#assumptions.defectStatusFilter
      ? [dataIn(item, 'drafts', view.lang), dataIn(item, 'published', view.lang), shownData(item, view)]
      : [shownData(item, view)];
    return candidates.some((data) => data !== undefined && conditions.every(({ test }) => test(data, item)));
  }
}
