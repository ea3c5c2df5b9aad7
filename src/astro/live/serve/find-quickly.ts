import type { Entry } from '../../../entries/collection.ts';
import { type Content, replicasOf } from '../../../replica/content/content.ts';
import type { Collection } from '../../collection/view/collection.ts';
import { CollectionView } from '../../collection/view/collection-view.ts';
import { MemberList } from '../../collection/view/member-list.ts';

/**
 * Finds an entry by its id while the members of its collection are still being found: by searching the JSON of all items
 * for it. `undefined` if that is not possible, or leads to several entries.
 */
export async function findQuickly(
  collection: Collection,
  content: Content,
  id: string,
): Promise<{ readonly entry: Entry | undefined } | undefined> {
  const { rule, model, order, backlinks } = collection.settings;
  if (order || backlinks.length > 0 || typeof rule.id === 'function') return undefined;
  const value = rule.langs ? id.slice(id.indexOf('/') + 1) : id;
  const affected = candidates(content, model, rule.id, value);
  const before = new MemberList([], new Set());
  const view = await CollectionView.open({ ...collection, usesColumns: false }, content, {
    before,
    affected,
  });
  const found = view.find(id);
  return found.length > 1 ? undefined : { entry: found[0] && view.entryOf(found[0]) };
}

/** Content IDs of the items that may have this id: all that have it, and perhaps others. */
function candidates(content: Content, model: string, field: string | undefined, value: string): Set<number> {
  if (field === undefined || field === '_id') return new Set([Number(value)]);
  // A reference is a number.
  const values = [JSON.stringify(value), ...(String(Number(value)) === value ? [value] : [])];
  const texts = values.map((one) => `${JSON.stringify(field)}:${one}`);
  const found = new Set<number>();
  for (const replica of replicasOf(content)) {
    for (const segment of replica.segmentsOf(model)) {
      if (!texts.some((text) => segment.includes(text))) continue;
      for (const [index, id] of segment.ids().entries()) {
        if (texts.some((text) => segment.json(index).includes(text))) found.add(id);
      }
    }
  }
  return found;
}
