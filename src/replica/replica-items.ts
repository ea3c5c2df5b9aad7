import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { mapMedia, mapReferences } from '../models/walk.ts';
import type { Manifest } from './store/manifest/manifest.ts';

export type Items = ReadonlyMap<number, WireContent>;

/** An item with the alternative texts that were seen last: until it is read again, it has those of its time. */
export function withAltTexts(models: ModelMap, alts: Manifest['alts'], item: WireContent): WireContent {
  if (Object.keys(alts).length === 0) return item;
  return mapMedia(fieldsOf(models, item._model), item, ({ value }) => {
    const { url, alt: before } = value as { url: string; alt?: string | null };
    const alt = Object.hasOwn(alts, url) ? alts[url] : before;
    return (alt ?? null) === (before ?? null) ? value : { ...(value as object), alt: alt ?? undefined };
  });
}

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
