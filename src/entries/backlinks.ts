import type { WireContent } from '../contract/content.ts';
import type { EntryShape, FindInvalid } from './entry-shape.ts';
import type { LanguageItems } from './language-items.ts';
import type { Filter } from './query/filter.ts';
import type { Order, OrderKeys } from './query/order.ts';

/** Which items refer to an entry's item, and how its data lists them. */
export interface BacklinkRule extends EntryShape {
  /** The field of `data`. */
  readonly name: string;
  /** The model of the referrers. */
  readonly from: string;
  /** The path of their reference field. */
  readonly by: string;
  /** What an item refers to at that path. */
  readonly targetsOf: (item: WireContent) => Iterable<number>;
  readonly filter: Filter;
  /** Over how many references a change can decide whether the filter matches. */
  readonly filterReach: number;
  /** The properties that the filter begins with. */
  readonly whereFields: readonly string[];
  readonly order: Order;
  /** How many at most. */
  readonly limit: number;
}

/** One list of referrers in the data of an entry. */
export interface Backlinks extends EntryShape {
  readonly name: string;
  readonly items: readonly WireContent[];
}

/** The content IDs of the referrers that lists may contain, by the content ID of the item that has them. */
export type ListedReferrers = Readonly<Record<number, readonly number[]>>;

interface Referrer {
  readonly id: number;
  readonly keys: OrderKeys;
}

/** Finds what refers to an item, in one language. */
export class BacklinkIndex {
  readonly #rules: readonly BacklinkRule[];
  /** Per rule: target → its referrers. */
  readonly #referrers: readonly Map<number, Referrer[]>[];

  constructor(rules: readonly BacklinkRule[]) {
    this.#rules = rules;
    this.#referrers = rules.map(() => new Map());
  }

  /** Adds an item that matches a rule, with what it refers to. Each item once per rule. */
  add(rule: BacklinkRule, item: WireContent, targets: Iterable<number>): void {
    const byTarget = this.#referrers[this.#rules.indexOf(rule)];
    let referrer: Referrer | undefined;
    for (const target of targets) {
      referrer ??= { id: item._id, keys: rule.order.keysOf(item) };
      const known = byTarget?.get(target);
      if (known) known.push(referrer);
      else byTarget?.set(target, [referrer]);
    }
  }

  /** The lists of an item, in order, without those that `findInvalid` finds. A list without referrers is empty. */
  of(target: number, languageItems: LanguageItems, findInvalid?: FindInvalid): Backlinks[] {
    return this.#rules.map(({ name, depth, maxEmbedded, order, limit }, index) => {
      const shape = { depth, maxEmbedded };
      const found = this.#referrers[index]?.get(target) ?? [];
      const items: WireContent[] = [];
      for (const { id } of [...found].sort((a, b) => order.compare(a.keys, b.keys))) {
        if (items.length >= limit) break;
        const item = languageItems.get(id);
        if (item && !findInvalid?.(item, languageItems, shape)) items.push(item);
      }
      return { name, ...shape, items };
    });
  }

  /** What the lists of these items may contain: the content IDs of the referrers, by that of the item. */
  listedBy(targets: Iterable<number>): ListedReferrers {
    const found: Record<number, number[]> = {};
    for (const target of targets) {
      const ids = this.#referrers.flatMap((byTarget) => (byTarget.get(target) ?? []).map(({ id }) => id));
      if (ids.length > 0) found[target] = [...new Set(ids)];
    }
    return found;
  }
}
