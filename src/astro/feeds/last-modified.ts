import { dataOf, type EntryData, isContent, isObject, type ShownEntry } from './shown-entry.ts';

/** Finds an entry of another collection, for references of Astro's. */
export type FindEntry = (collection: string, id: string) => ShownEntry | undefined;

/**
 * When an entry changed last, or anything that it shows: content that it embeds through references, and entries that
 * `references` of its loader lead to.
 */
export function lastModified(entry: ShownEntry, find: FindEntry = () => undefined): Date | undefined {
  const times: number[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, isEntry: boolean): void => {
    if (!isObject(value) || value instanceof Date || seen.has(value)) return;
    seen.add(value);
    if (isEntry || isContent(value)) times.push(...[changedAt(value)].filter((time) => time !== undefined));
    const { collection, id } = value;
    const target =
      typeof collection === 'string' && typeof id === 'string' ? find(collection, id) : undefined;
    if (target) times.push(...[changedAt(dataOf(target))].filter((time) => time !== undefined));
    for (const one of Object.values(value)) visit(one, false);
  };
  visit(entry.data, true);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

/**
 * When the visible version of an item changed: an item with a draft may have been updated after it was published, but
 * that is not visible.
 */
function changedAt(data: EntryData): number | undefined {
  const { _status, _updated_at, _published_at, _last_published_at } = data;
  const published = _last_published_at ?? _published_at;
  const times = _status === 'published_draft' && published ? [published] : [published, _updated_at];
  const known = times.filter((time) => time instanceof Date).map(Number);
  return known.length === 0 ? undefined : Math.max(...known);
}
