import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { mapMedia, mapReferences } from '../models/walk.ts';
import { mayReferToAnyModel } from './reference-fields.ts';
import type { Manifest } from './store/manifest.ts';

export type Items = ReadonlyMap<number, WireContent>;

/** An item with the alternative texts that were seen last: until it is read again, it has those of its time. */
export function withAltTexts(models: ModelMap, alts: Manifest['alts'], item: WireContent): WireContent {
  if (Object.keys(alts).length === 0) return item;
  return mapMedia(fieldsOf(models, item._model), item, ({ value }) => {
    const { url, alt: before } = value as { url: string; alt: string };
    const alt = Object.hasOwn(alts, url) ? alts[url] : undefined;
    return alt === undefined || alt === before ? value : { ...(value as object), alt };
  });
}

/** Items without references to what was removed. */
export function withoutRemoved(models: ModelMap, manifest: Manifest, items: Items): Items {
  const [removed, undeclared] = [new Set(manifest.gone), new Set(manifest.undeclared)];
  const untyped = new Set(Object.keys(models).filter((model) => mayReferToAnyModel(fieldsOf(models, model))));
  if (removed.size + untyped.size === 0) return items;
  const isRemoved = (id: number, isTyped: boolean) =>
    !items.has(id) && (removed.has(id) || (!isTyped && !undeclared.has(id)));
  const clean = (item: WireContent) => {
    if (removed.size === 0 && !untyped.has(item._model)) return item;
    return mapReferences(fieldsOf(models, item._model), item, ({ field, value }) =>
      typeof value === 'number' && isRemoved(value, field.model !== undefined) ? null : value,
    );
  };
  return new Map([...items].map(([id, item]) => [id, clean(item)]));
}
