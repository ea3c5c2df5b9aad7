import type { WireContent } from '../contract/content.ts';
import type { FieldsBase, Values } from '../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';
import { fieldsOf } from '../models/fields-of.ts';
import { referenceFields } from '../models/reference-paths.ts';
import type { ModelMap } from '../models/types.ts';
import { referencesAndGroups } from '../models/walk.ts';

/** What an item refers to, each once, also if it is of an undeclared model or gone. */
export function linksOf(models: ModelMap, item: WireContent): readonly number[] {
  const links: number[] = [];
  visitReferences(fieldsOf(models, item._model), item, (_field, value) => {
    if (typeof value === 'number') links.push(value);
  });
  return links.length > 1 ? [...new Set(links)] : links;
}

/** What the empty reference fields of an item accept: models by LUID, or any. */
export function emptyReferences(models: ModelMap, item: WireContent): ReadonlySet<string> | 'any model' {
  const accepted = new Set<string>();
  let acceptsAny = false;
  visitReferences(fieldsOf(models, item._model), item, (field, value) => {
    if (value !== null) return;
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

/** Visits the references of a group of values, at any depth; empty ones as `null`. */
function visitReferences(
  fields: FieldsBase,
  values: Values,
  visit: (field: ReferenceField, value: unknown) => void,
): void {
  for (const [luid, field] of referencesAndGroups(fields)) {
    const value = (Object.hasOwn(values, luid) ? values[luid] : undefined) ?? null;
    if (isReference(field)) visit(field, value);
    else if (value !== null) {
      fieldTypeOf(field).mapGroups?.(field, value, (_below, inner, group) => {
        visitReferences(inner, group, visit);
        return group;
      });
    }
  }
}
