import type { BacklinkRule } from '../../entries/backlinks.ts';
import type { Entry } from '../../entries/collection.ts';
import type { ItemIndex } from '../../replica/item-index.ts';

/** The content IDs of the referrers that the entry of an item lists, by the content ID of the item. */
export type StoredReferrers = Readonly<Record<number, readonly number[]>>;

type Rules = readonly Pick<BacklinkRule, 'from'>[];

/**
 * The items whose backlinks may show any of these: what they refer to now, in any language, and what listed them when
 * the entries were stored.
 */
export function itemsThatList(
  ids: ReadonlySet<number>,
  rules: Rules,
  indexes: readonly Pick<ItemIndex, 'get'>[],
  stored: readonly StoredReferrers[],
): Set<number> {
  const found = new Set<number>();
  if (rules.length === 0) return found;
  const models = new Set(rules.map(({ from }) => from));
  for (const id of ids) {
    for (const index of indexes) {
      const known = index.get(id);
      if (known && models.has(known.model)) for (const target of known.links) found.add(target);
    }
  }
  for (const language of stored) {
    for (const [item, referrers] of Object.entries(language)) {
      if (referrers.some((id) => ids.has(id))) found.add(Number(item));
    }
  }
  return found;
}

/** All items that the backlinks of these may list. */
export function possibleReferrers(
  ids: ReadonlySet<number>,
  rules: Rules,
  indexes: readonly ItemIndex[],
): Set<number> {
  const models = new Set(rules.map(({ from }) => from));
  const found = new Set<number>();
  for (const index of indexes) {
    for (const id of index.referrersOf(ids)) {
      if (models.has(index.get(id)?.model ?? '')) found.add(id);
    }
  }
  return found;
}

/** What the entries of a language list, to be stored. */
export function listedReferrers(entries: Iterable<Entry>): StoredReferrers {
  const found: Record<number, number[]> = {};
  for (const { item, backlinks = [] } of entries) {
    const ids = new Set(backlinks.flatMap(({ items }) => items.map(({ _id }) => _id)));
    if (ids.size > 0) found[item._id] = [...ids];
  }
  return found;
}
