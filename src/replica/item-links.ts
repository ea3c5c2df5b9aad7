import type { WireContent } from '../contract/content.ts';
import type { FieldBase, FieldsBase, Values } from '../models/field-types/field-type.ts';
import { fieldTypeOf } from '../models/field-types/index.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { type ItemLinks, mediaKey } from './store/item-facts.ts';

/** What an item refers to: content, also of undeclared models or that is gone, and media. */
export function linksOf(models: ModelMap, item: WireContent): ItemLinks {
  const links: number[] = [];
  const hasEmptyReference = collectLinks(fieldsOf(models, item._model), item, links);
  return { links: links.length > 1 ? [...new Set(links)] : links, hasEmptyReference };
}

/** Adds the links of a group of values. Returns whether one of its reference fields is empty, at any depth. */
function collectLinks(fields: FieldsBase, values: Values, links: number[]): boolean {
  let hasEmpty = false;
  for (const [luid, field] of fieldsWithLinks(fields)) {
    const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
    const isEmpty = value === null || value === undefined;
    const { link, mapGroups } = fieldTypeOf(field);
    if (link === 'reference' && isEmpty) hasEmpty = true;
    if (isEmpty) continue;
    if (mapGroups) {
      mapGroups(field, value, (_below, inner, group) => {
        if (collectLinks(inner, group, links)) hasEmpty = true;
        return group;
      });
    } else if (link === 'reference') {
      if (typeof value === 'number') links.push(value);
    } else {
      const { url } = value as { url?: unknown };
      if (typeof url === 'string') links.push(mediaKey(url));
    }
  }
  return hasEmpty;
}

const cache = new WeakMap<FieldsBase, readonly (readonly [string, FieldBase])[]>();

/** Every item that is stored is searched for links, so the fields that may have some are cached. */
function fieldsWithLinks(fields: FieldsBase): readonly (readonly [string, FieldBase])[] {
  const known = cache.get(fields);
  if (known) return known;
  const found = Object.entries(fields).filter(([, field]) => {
    const { link, mapGroups } = fieldTypeOf(field);
    return link || mapGroups;
  });
  cache.set(fields, found);
  return found;
}
