import { canonicalJson } from '../../models/canonical-json.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { type BackupItem, STATES } from './backup-item.ts';
import { mapItemValues } from './item-values.ts';
import { type Side, slugOf, titleOf } from './side.ts';

/** How the items of two sides are matched: by id in one space, by slug (or else title) between spaces. */
export type MatchBy = '_id' | 'slug';

/** What identifies an item on both sides. */
export function matchKey(side: Side, item: BackupItem, by: MatchBy): string {
  if (by === '_id') return String(item.id);
  return JSON.stringify([item.model, slugOf(side, item) || titleOf(side, item)]);
}

/** The item of `b` for each item of `a` that has one, by id. */
export function matchItems(a: Side, b: Side, by: MatchBy): Map<number, number> {
  const groups = groupByKey(b, by);
  const matches = new Map<number, number>();
  for (const [key, items] of groupByKey(a, by)) {
    const others = groups.get(key) ?? [];
    const isClear = items.length === 1 && others.length === 1;
    // Of several with one slug or title, those with the same content belong together.
    const [from, to] = isClear ? [items, others] : [sortByContent(a, items), sortByContent(b, others)];
    for (const [index, item] of from.entries()) {
      const other = to[index];
      if (other) matches.set(item.id, other.id);
    }
  }
  return matches;
}

function groupByKey(side: Side, by: MatchBy): Map<string, BackupItem[]> {
  const groups = new Map<string, BackupItem[]>();
  for (const item of side.items.values()) {
    const key = matchKey(side, item, by);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function sortByContent(side: Side, items: readonly BackupItem[]): BackupItem[] {
  const keys = new Map(items.map((item) => [item, contentKey(side, item)]));
  return [...items].sort((one, other) => ((keys.get(one) ?? '') < (keys.get(other) ?? '') ? -1 : 1));
}

/** The content of an item without ids. */
function contentKey({ models }: Side, item: BackupItem): string {
  const data = STATES.map((state) =>
    Object.entries(item[state] ?? {}).map(([lang, values]) => [
      lang,
      mapItemValues(fieldsOf(models, item.model), values, {
        reference: () => true,
        media: () => true,
        richText: (html) => html,
        undeclared: () => {},
      }),
    ]),
  );
  return canonicalJson(data);
}
