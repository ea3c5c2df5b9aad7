import { createEntry, type Entry, memberId } from '../../../entries/collection.ts';
import { languageContent } from '../../../entries/language-content.ts';
import type { LiveCollection } from './collection-view.ts';
import { type ContentVersion, replicasOf } from './content-version.ts';

/**
 * Finds an entry by its id while the members of its collection are still being found: by searching the JSON of all items
 * for it. `undefined` if that is not possible, or leads to several entries.
 */
export async function findQuickly(
  { space, plan, references }: LiveCollection,
  version: ContentVersion,
  id: string,
): Promise<{ readonly entry: Entry | undefined } | undefined> {
  const { rule, orderBy, backlinks } = plan;
  if (orderBy !== undefined || backlinks.length > 0 || typeof rule.id === 'function') return undefined;
  const { languages, ...content } = await languageContent(space, rule, version, (replica) => replica);
  const value = rule.langs ? id.slice(id.indexOf('/') + 1) : id;
  const found: Entry[] = [];
  for (const itemId of candidates(version, plan.model, rule.id, value)) {
    for (const languageItems of languages) {
      const item = languageItems.get(itemId);
      const result = item && memberId(rule, item, languageItems);
      if (!item || !result || !('id' in result) || result.id !== id) continue;
      const options = { ...content, order: undefined, references: references() };
      found.push(createEntry(options, languageItems, { id, item }, undefined, undefined));
    }
  }
  return found.length > 1 ? undefined : { entry: found[0] };
}

/** Content IDs of the items that may have this id: all that have it, and perhaps others. */
function candidates(
  version: ContentVersion,
  model: string,
  field: string | undefined,
  value: string,
): Set<number> {
  if (field === undefined || field === '_id') return new Set([Number(value)]);
  // A reference is a number.
  const values = [JSON.stringify(value), ...(String(Number(value)) === value ? [value] : [])];
  const texts = values.map((one) => `${JSON.stringify(field)}:${one}`);
  const found = new Set<number>();
  for (const replica of replicasOf(version)) {
    for (const segment of replica.segmentsOf(model)) {
      if (!texts.some((text) => segment.includes(text))) continue;
      for (const [index, id] of segment.ids().entries()) {
        if (texts.some((text) => segment.json(index).includes(text))) found.add(id);
      }
    }
  }
  return found;
}
