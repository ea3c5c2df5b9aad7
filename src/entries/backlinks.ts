import type { WireContent } from '../contract/content.ts';
import type { Filter } from './filter.ts';
import type { LanguageItems } from './language-items.ts';
import type { OrderKeys } from './order.ts';

/** Which items refer to an entry's item, and how its data lists them. */
export interface BacklinkRule {
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
  readonly orderFields: readonly string[];
  readonly order: {
    keysOf(item: WireContent): OrderKeys;
    compare(a: OrderKeys, b: OrderKeys): number;
  };
  /** How many at most. */
  readonly limit: number;
  /** How many references deep the referrers embed content. */
  readonly depth: number;
}

/** One list of referrers in the data of an entry. */
export interface Backlinks {
  readonly name: string;
  readonly depth: number;
  readonly items: readonly WireContent[];
}

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

  /** The lists of an item, in order. A list without referrers is empty. */
  of(target: number, languageItems: Pick<LanguageItems, 'get'>): Backlinks[] {
    return this.#rules.map(({ name, depth, order, limit }, index) => {
      const found = this.#referrers[index]?.get(target) ?? [];
      const sorted = [...found].sort((a, b) => order.compare(a.keys, b.keys)).slice(0, limit);
      return { name, depth, items: sorted.flatMap(({ id }) => languageItems.get(id) ?? []) };
    });
  }
}

/** Indexes the items that refer to others. One pass over the items. */
export function indexBacklinks(
  rules: readonly BacklinkRule[],
  languageItems: LanguageItems,
  /** All items that may be referrers. */
  items: Iterable<WireContent>,
): BacklinkIndex {
  const index = new BacklinkIndex(rules);
  const byModel = Map.groupBy(rules, ({ from }) => from);
  for (const item of items) {
    for (const rule of byModel.get(item._model) ?? []) {
      if (rule.filter(item, languageItems)) index.add(rule, item, rule.targetsOf(item));
    }
  }
  return index;
}
