import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { mapReferences } from '../models/walk.ts';
import type { Manifest } from './store/manifest/manifest.ts';

export type Items = ReadonlyMap<number, WireContent>;

/** Items without references to what was removed. */
export function withoutRemoved(models: ModelMap, manifest: Manifest, items: Items): Items {
  const removed = new Set(manifest.removed);
  if (removed.size === 0) return items;
  const clean = (item: WireContent) =>
    mapReferences(fieldsOf(models, item._model), item, ({ value }) =>
      typeof value === 'number' && removed.has(value) && !items.has(value) ? null : value,
    );
  return new Map([...items].map(([id, item]) => [id, clean(item)]));
}
