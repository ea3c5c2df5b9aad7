import type { QueryParameters } from '../../client/http/canonical-url.ts';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import type { Heads } from '../read/heads.ts';
import { scan } from '../read/scan.ts';
import type { Models, NewestBy, Source } from '../read/source.ts';
import type { Cursor } from '../store/manifest/manifest.ts';

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
): Promise<WireContent[]> {
  const changes = new Map<number, WireContent>();
  const inTwoVersions = new Set<number>();
  const shown = [...heads.updated.data, ...heads.published.data];
  for (const item of [...shown, ...(await changesSince(source, models, heads, since))]) {
    const other = changes.get(item._id);
    if (other && JSON.stringify(other) !== JSON.stringify(item)) inTwoVersions.add(item._id);
    else changes.set(item._id, item);
  }
  // Of items in other formats only the times are used, so any version of them will do.
  const toReread = [...inTwoVersions].filter((id) =>
    source.models.includes((changes.get(id) as WireContent)._model),
  );
  for (const id of toReread) changes.delete(id);
  for (const ids of chunks(toReread)) {
    for (const item of await source.byId(ids)) changes.set(item._id, item);
  }
  return [...changes.values()];
}

/** What the heads have no room for. What was updated is not read a second time because it was published too. */
async function changesSince(
  source: Source,
  models: Models,
  { updated, published }: Heads,
  since: Cursor | undefined,
): Promise<WireContent[]> {
  if (!since) return [];
  const read = async (by: NewestBy, filters: QueryParameters) =>
    (await scan(source, { models, by, filters, bypassCdn: true })).items;
  const from = new Date(since.updated).toISOString();
  const items: WireContent[] = [];
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
