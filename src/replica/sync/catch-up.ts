import type { QueryParameters } from '../../client/http/canonical-url.ts';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import type { Heads } from '../read/heads.ts';
import { scan } from '../read/scan.ts';
import type { Models, NewestBy, Source } from '../read/source.ts';
import type { Cursor } from '../store/manifest.ts';

/** An item that changed, and the ids of items that were visible at the moment at which it was read. */
export interface Change {
  readonly item: WireContent;
  /** Of each list that showed it. Absent if it was not read with others. */
  readonly seenWith?: readonly ReadonlySet<number>[] | undefined;
}

/**
 * Everything that changed since a cursor, inclusive: what the heads show, and where they do not reach back that
 * far, the pages since then; without a cursor, what the heads show. An item that was seen in two versions is read
 * once more.
 */
export async function catchUp(
  source: Source,
  models: Models,
  heads: Heads,
  since: Cursor | undefined,
): Promise<Change[]> {
  const lists = [heads.updated.data, heads.published.data].map(seenTogether);
  const found = [...lists.flat(), ...(await changesSince(source, models, heads, since))];
  const changes = new Map<number, Change>();
  const inTwoVersions = new Set<number>();
  for (const change of found) {
    const { _id } = change.item;
    const other = changes.get(_id);
    if (!other) changes.set(_id, change);
    else if (JSON.stringify(other.item) !== JSON.stringify(change.item)) inTwoVersions.add(_id);
    else changes.set(_id, { ...other, seenWith: [...(other.seenWith ?? []), ...(change.seenWith ?? [])] });
  }
  // Of items in other formats only the times are used, so any version of them will do.
  const toReread = [...inTwoVersions].filter((id) =>
    source.models.includes((changes.get(id) as Change).item._model),
  );
  for (const id of toReread) changes.delete(id);
  for (const ids of chunks(toReread)) {
    for (const item of await source.byId(ids)) changes.set(item._id, { item });
  }
  return [...changes.values()];
}

function seenTogether(items: readonly WireContent[]): Change[] {
  const seenWith = [new Set(items.map(({ _id }) => _id))];
  return items.map((item) => ({ item, seenWith }));
}

/** What the heads have no room for. What was updated is not read a second time because it was published too. */
async function changesSince(
  source: Source,
  models: Models,
  { updated, published }: Heads,
  since: Cursor | undefined,
): Promise<Change[]> {
  if (!since) return [];
  const read = async (by: NewestBy, filters: QueryParameters) => {
    const { items, isSteady } = await scan(source, { models, by, filters, bypassCdn: true });
    // None of them was hidden for a moment: that would have shown in the total of a page.
    return isSteady ? seenTogether(items) : items.map((item) => ({ item }));
  };
  const from = new Date(since.updated).toISOString();
  const items: Change[] = [];
  const readUpdated = !coversSince(updated, '_updated_at', since.updated);
  if (readUpdated) items.push(...(await read('_updated_at', { '_updated_at[gte]': from })));
  if (!coversSince(published, '_last_published_at', since.published)) {
    const filters = { '_last_published_at[gte]': new Date(since.published).toISOString() };
    items.push(
      ...(await read('_last_published_at', readUpdated ? { ...filters, '_updated_at[lt]': from } : filters)),
    );
  }
  return items;
}

function coversSince({ data, total }: WireList, by: NewestBy, since: number): boolean {
  const isBefore = (time: number) => time < since && time !== Number.NEGATIVE_INFINITY;
  return data.length >= total || data.some((item) => isBefore(timeOf(item, by)));
}
