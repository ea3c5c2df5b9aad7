import { createHash } from 'node:crypto';
import type { WireContent } from '../../contract/content.ts';
import { canonicalJson } from '../../models/canonical-json.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { mapReferences } from '../../models/walk.ts';
import type { SyncedReplica } from '../shared/sync-space.ts';

/**
 * A fingerprint of everything a site can show. Ignores `_updated_at` and `_status`, which also change when a
 * draft is saved. Includes `_last_published_at`: a page may show it, and publishing is a request to deploy.
 */
export async function contentFingerprint(
  models: ModelMap,
  synced: readonly SyncedReplica[],
): Promise<string> {
  const replicas = await Promise.all(synced.map(({ replica }) => replica.items()));
  const exists = (id: unknown) => replicas.some((items) => items.has(id as number));
  const hash = createHash('sha256');
  for (const [index, items] of replicas.entries()) {
    hash.update(`${synced[index]?.lang ?? ''}\n`);
    for (const id of [...items.keys()].sort((a, b) => a - b)) {
      const { _updated_at, _status, ...shown } = items.get(id) as WireContent;
      hash.update(`${canonicalJson(withoutDanglingReferences(models, shown as WireContent, exists))}\n`);
    }
  }
  return hash.digest('hex');
}

/** A dangling reference is shown as empty, whether its item was read before or after the target was removed. */
function withoutDanglingReferences(
  models: ModelMap,
  item: WireContent,
  exists: (id: unknown) => boolean,
): object {
  return mapReferences(fieldsOf(models, item._model), item, ({ field, value }) =>
    field.model !== undefined && !exists(value) ? null : value,
  );
}
