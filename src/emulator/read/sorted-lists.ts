import type { Assumptions } from '../assumptions.ts';
import { dataInLanguage, dataInView, type Item, isVisible, type View } from '../state/item.ts';
import type { State } from '../state/state.ts';
import type { Condition } from './compile-filter.ts';
import { compareKeys, type OrderTerm } from './compile-order.ts';

/** Selects and orders the items of a list. */
export interface ListQuery {
  readonly view: View;
  readonly models: readonly string[];
  /** The `space` parameter. */
  readonly space: string | undefined;
  readonly order: readonly OrderTerm[];
  readonly conditions: readonly Condition[];
  /** Equal for queries with the same items in the same order. */
  readonly id: string;
  /** The `id` of the same query without conditions. */
  readonly unfilteredId: string;
}

/** Limits memory: a list of 100,000 items takes 0.8 MB. */
const MAX_LISTS = 64;
/** With more changes, rebuilding a list is faster than updating it. */
const MAX_UPDATES = 1_000;

/**
 * Caches the sorted lists of recent queries. When items have changed, a list is updated at its next use by binary
 * search; it is rebuilt only if one of its conditions depends on such items through a reference.
 */
export class ListCache {
  readonly #state: State;
  readonly #lists = new Map<string, SortedList>();
  #modelsVersion = 0;

  constructor(state: State) {
    this.#state = state;
  }

  find(query: ListQuery, assumptions: Assumptions): SortedList {
    if (this.#modelsVersion !== this.#state.modelsVersion) this.clear();
    const cached = this.#lists.get(query.id);
    if (cached) this.#lists.delete(query.id);
    const list = cached?.update() ? cached : this.#build(query, assumptions);
    // Deleted and set again, so that the first entry of the map is the least recently used.
    this.#lists.set(query.id, list);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= MAX_LISTS) break;
      this.#lists.delete(oldest);
    }
    return list;
  }

  clear(): void {
    this.#modelsVersion = this.#state.modelsVersion;
    this.#lists.clear();
  }

  #build(query: ListQuery, assumptions: Assumptions): SortedList {
    const list = new SortedList(this.#state, query, assumptions);
    if (query.conditions.length === 0) return list.sort(this.#state.items.values());
    const all = this.find({ ...query, id: query.unfilteredId, conditions: [] }, assumptions);
    return list.filter(all.items);
  }
}

export class SortedList {
  items: Item[] = [];
  readonly #state: State;
  readonly #query: ListQuery;
  readonly #assumptions: Assumptions;
  readonly #models: ReadonlySet<string>;
  /** The models of other items that conditions depend on. */
  readonly #dependencies: ReadonlySet<string>;
  #version: number;

  constructor(state: State, query: ListQuery, assumptions: Assumptions) {
    this.#state = state;
    this.#query = query;
    this.#assumptions = assumptions;
    this.#models = new Set(query.models);
    this.#dependencies = new Set(query.conditions.flatMap(({ dependencies }) => [...dependencies]));
    this.#version = state.itemVersion;
  }

  sort(items: Iterable<Item>): this {
    const keyed: { item: Item; keys: ReturnType<OrderTerm['key']>[] }[] = [];
    for (const item of items) {
      if (this.#includes(item)) keyed.push({ item, keys: this.#query.order.map((term) => term.key(item)) });
    }
    const directions = this.#query.order.map(({ descending }) => (descending ? -1 : 1));
    keyed.sort((a, b) => {
      for (let index = 0; index < directions.length; index++) {
        const difference = compareKeys(a.keys[index], b.keys[index]);
        if (difference !== 0) return difference * (directions[index] as number);
      }
      return this.#compareTies(a.item, b.item);
    });
    this.items = keyed.map(({ item }) => item);
    return this;
  }

  /** Fills the list from items that are already sorted. */
  filter(items: readonly Item[]): this {
    this.items = items.filter((item) => this.#meetsConditions(item));
    return this;
  }

  /** Applies the changes since the last use; `false` if the list has to be rebuilt. */
  update(): boolean {
    if (this.#version === this.#state.itemVersion) return true;
    const changes = this.#state.changesSince(this.#version);
    if (!changes || changes.length > MAX_UPDATES) return false;
    if (changes.some(({ before, after }) => this.#dependencies.has((after ?? before)?.model ?? '')))
      return false;
    this.#version = this.#state.itemVersion;
    return changes.every(({ before, after }) => {
      if (before && this.#includes(before) && !this.#remove(before)) return false;
      if (after && this.#includes(after)) this.items.splice(this.#insertionIndex(after), 0, after);
      return true;
    });
  }

  /** The index of an item, or -1. */
  indexOf(item: Item): number {
    const index = this.#insertionIndex(item);
    return this.items[index] === item ? index : -1;
  }

  /** The range around an index in which all items are equal in the requested order. */
  tieRange(index: number): { from: number; to: number } {
    const item = this.items[index] as Item;
    let from = index;
    let to = index + 1;
    while (from > 0 && this.#compareByOrder(this.items[from - 1] as Item, item) === 0) from--;
    while (to < this.items.length && this.#compareByOrder(this.items[to] as Item, item) === 0) to++;
    return { from, to };
  }

  #remove(item: Item): boolean {
    const index = this.indexOf(item);
    if (index < 0) return false;
    this.items.splice(index, 1);
    return true;
  }

  /** The first index whose item does not come before the given one. */
  #insertionIndex(item: Item): number {
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
    return this.#compareByOrder(a, b) || this.#compareTies(a, b);
  }

  #compareByOrder(a: Item, b: Item): number {
    for (const { key, descending } of this.#query.order) {
      const difference = compareKeys(key(a), key(b));
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  }

  #compareTies(a: Item, b: Item): number {
    return this.#assumptions.tieOrder === 'reverse' ? b.id - a.id : a.id - b.id;
  }

  #includes(item: Item): boolean {
    const { view, space } = this.#query;
    return (
      this.#models.has(item.model) &&
      isVisible(item, view) &&
      (space === undefined || item.space === space) &&
      dataInView(item, view) !== undefined &&
      this.#meetsConditions(item)
    );
  }

  #meetsConditions(item: Item): boolean {
    const { conditions, view } = this.#query;
    if (conditions.length === 0) return true;
    const candidates = this.#assumptions.defectStatusFilter
      ? [
          dataInLanguage(item, 'drafts', view.lang),
          dataInLanguage(item, 'published', view.lang),
          dataInView(item, view),
        ]
      : [dataInView(item, view)];
    return candidates.some((data) => data !== undefined && conditions.every(({ test }) => test(data, item)));
  }
}
