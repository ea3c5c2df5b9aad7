import type { CollectionRule } from '../../entries/collection.ts';
import type { ItemIndex } from '../../replica/item-index.ts';
import type { LoaderPlan } from './loader-options.ts';

/**
 * Over how many references a change can show in an entry, or in an item that it lists. One more than `depth`: whether a
 * reference leads anywhere shows at its boundary too. A reference to an entry of another collection depends on whether
 * that contains its target, which may depend on what the target refers to.
 */
export function changeDistance(
  { depth, rule, backlinks }: Pick<LoaderPlan, 'depth' | 'rule' | 'backlinks'>,
  /** Of the collections that references lead to. */
  targets: readonly Pick<CollectionRule, 'filterReach'>[],
): number {
  const deepest = Math.max(depth, ...backlinks.map((list) => list.depth));
  const filters = [rule, ...backlinks].map(({ filterReach }) => filterReach);
  return Math.max(deepest + 1, ...filters, ...targets.map(({ filterReach }) => 1 + filterReach));
}

/**
 * The items whose entries may show any of these: they themselves, and what leads to them through at most `distance`
 * references, in any language. Items that did not change refer to the same as before, so the references of today are
 * enough to find everything that showed a removed item.
 */
export function itemsThatShow(
  changed: ReadonlySet<number>,
  indexes: readonly Pick<ItemIndex, 'referrersOf'>[],
  distance: number,
): Set<number> {
  return spread(changed, distance, (level) => indexes.map((index) => index.referrersOf(level)));
}

/** These items, and what they lead to through at most `distance` references, in any language. */
export function itemsShownBy(
  ids: ReadonlySet<number>,
  indexes: readonly ItemIndex[],
  distance: number,
): Set<number> {
  return spread(ids, distance, (level) =>
    [...level].flatMap((id) => indexes.map((index) => index.get(id)?.links ?? [])),
  );
}

function spread(
  start: ReadonlySet<number>,
  distance: number,
  step: (level: ReadonlySet<number>) => Iterable<number>[],
): Set<number> {
  const found = new Set(start);
  let level = start;
  for (let left = distance; left > 0 && level.size > 0; left--) {
    const next = new Set<number>();
    for (const ids of step(level)) for (const id of ids) if (!found.has(id)) next.add(id);
    for (const id of next) found.add(id);
    level = next;
  }
  return found;
}
