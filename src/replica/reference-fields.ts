import type { FieldBase, FieldsBase, Values } from '../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../models/field-types/index.ts';
import { targetsOf } from '../models/field-types/reference.ts';
import { referenceFields } from '../models/reference-paths.ts';

/** The models that the empty reference fields of an item accept. */
export interface EmptyReferences {
  readonly models: ReadonlySet<string>;
  /** One of them accepts any model. */
  readonly acceptsAny: boolean;
}

/** Finds the empty reference fields of a group of values, at any depth. */
export function emptyReferences(fields: FieldsBase, values: Values): EmptyReferences {
  const models = new Set<string>();
  let acceptsAny = false;
  const visit = (inner: FieldsBase, group: Values) => {
    for (const [luid, field] of fieldsWithReferences(inner)) {
      const value = Object.hasOwn(group, luid) ? group[luid] : undefined;
      const isEmpty = value === null || value === undefined;
      if (isReference(field)) {
        if (!isEmpty) continue;
        const targets = targetsOf(field);
        if (targets) for (const target of targets) models.add(target);
        else acceptsAny = true;
      } else if (!isEmpty) {
        fieldTypeOf(field).mapGroups?.(field, value, (_below, nested, part) => {
          visit(nested, part);
          return part;
        });
      }
    }
  };
  visit(fields, values);
  return { models, acceptsAny };
}

export function hasEmptyReferences(fields: FieldsBase, values: Values): boolean {
  const { models, acceptsAny } = emptyReferences(fields, values);
  return acceptsAny || models.size > 0;
}

const cache = new WeakMap<FieldsBase, readonly (readonly [string, FieldBase])[]>();

/** The fields that are references or may contain some. Every item is searched for them, so they are cached. */
function fieldsWithReferences(fields: FieldsBase): readonly (readonly [string, FieldBase])[] {
  const known =
    cache.get(fields) ??
    Object.entries(fields).filter(([, field]) => isReference(field) || fieldTypeOf(field).mapGroups);
  cache.set(fields, known);
  return known;
}

/** Whether a model has a reference that names no model, so that it may lead to content of an undeclared one. */
export function mayReferToAnyModel(fields: FieldsBase): boolean {
  return referenceFields(fields).some(([, field]) => !targetsOf(field));
}
