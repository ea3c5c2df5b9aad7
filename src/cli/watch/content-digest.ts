import { createHash } from 'node:crypto';
import type { WireContent } from '../../contract/content.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { mapReferences } from '../../models/walk.ts';
import type { Synced } from '../shared/sync-space.ts';

/**
 * A digest of what a site can show: equal unless content changed. `_updated_at` and `_status` are left
 * out, since a saved draft moves them and shows nothing. `_last_published_at` is in: to publish is to ask
 * for it to be shown, and a page may show the time.
 */
export async function contentDigest(models: ModelMap, synced: readonly Synced[]): Promise<string> {
  const copies = await Promise.all(synced.map(({ replica }) => replica.items()));
  const isThere = (id: unknown) => copies.some((items) => items.has(id as number));
  const hash = createHash('sha256');
  for (const [index, items] of copies.entries()) {
    hash.update(`${synced[index]?.lang ?? ''}\n`);
    for (const id of [...items.keys()].sort((a, b) => a - b)) {
      const { _updated_at, _status, ...shown } = items.get(id) as WireContent;
      hash.update(`${canonical(withoutMissing(models, shown as WireContent, isThere))}\n`);
    }
  }
  return hash.digest('hex');
}

/** A target that is gone shows as nothing, whether the item that refers to it was read before it went or after. */
function withoutMissing(models: ModelMap, item: WireContent, isThere: (id: unknown) => boolean): object {
  return mapReferences(fieldsOf(models, item._model), item, ({ field, value }) =>
    field.model !== undefined && !isThere(value) ? null : value,
  );
}

/** JSON in which the order of properties does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
