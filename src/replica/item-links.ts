import type { WireContent } from '../contract/content.ts';
import type { FieldBase, FieldsBase, Values } from '../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../models/field-types/index.ts';
import { targetsOf } from '../models/field-types/reference.ts';
import { fieldsOf } from '../models/fields-of.ts';
import { referenceFields } from '../models/reference-paths.ts';
import type { ModelMap } from '../models/types.ts';
import { mediaKey } from './media-key.ts';

/** What an item refers to, each once: content, also of undeclared models or that is gone, and the keys of media. */
export function linksOf(models: ModelMap, item: WireContent): readonly number[] {
  const links: number[] = [];
  visitLinks(fieldsOf(models, item._model), item, (field, value) => {
    if (isReference(field)) {
      if (typeof value === 'number') links.push(value);
    } else {
      const url = (value as { url?: unknown } | null)?.url;
      if (typeof url === 'string') links.push(mediaKey(url));
    }
  });
  return links.length > 1 ? [...new Set(links)] : links;
}

/** What the empty reference fields of an item accept: models by LUID, or any. */
export function emptyReferences(models: ModelMap, item: WireContent): ReadonlySet<string> | 'any model' {
  const accepted = new Set<string>();
  let acceptsAny = false;
  visitLinks(fieldsOf(models, item._model), item, (field, value) => {
    if (!isReference(field) || value !== null) return;
    const targets = targetsOf(field);
    if (!targets) acceptsAny = true;
    for (const target of targets ?? []) accepted.add(target);
  });
  return acceptsAny ? 'any model' : accepted;
}

export function hasEmptyReference(models: ModelMap, item: WireContent): boolean {
  const accepted = emptyReferences(models, item);
  return accepted === 'any model' || accepted.size > 0;
}

/** Whether a model has a reference that names no model, so that it may lead to content of an undeclared one. */
export function mayReferToAnyModel(fields: FieldsBase): boolean {
  return referenceFields(fields).some(([, field]) => !targetsOf(field));
}

/** Visits the references and media of a group of values, at any depth; empty ones as `null`. */
function visitLinks(
  fields: FieldsBase,
  values: Values,
  visit: (field: FieldBase, value: unknown) => void,
): void {
  for (const [luid, field] of fieldsWithLinks(fields)) {
    const value = (Object.hasOwn(values, luid) ? values[luid] : undefined) ?? null;
    const { link, mapGroups } = fieldTypeOf(field);
    if (link) visit(field, value);
    else if (value !== null) {
      mapGroups?.(field, value, (_below, inner, group) => {
        visitLinks(inner, group, visit);
        return group;
      });
    }
  }
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
