import type { FieldsBase, Values } from '../models/field-types/field-type.ts';
import { kindOf } from '../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';

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
    for (const [luid, field] of Object.entries(inner)) {
      const value = Object.hasOwn(group, luid) ? group[luid] : undefined;
      const isEmpty = value === null || value === undefined;
      if (field.type === 'reference') {
        if (!isEmpty) continue;
        const targets = targetsOf(field as ReferenceField);
        if (targets) for (const target of targets) models.add(target);
        else acceptsAny = true;
      } else if (!isEmpty) {
        kindOf(field).map?.(field, value, (_below, nested, part) => {
          visit(nested, part);
          return part;
        });
      }
    }
  };
  visit(fields, values);
  return { models, acceptsAny };
}

interface Definition {
  readonly type: string;
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

/** All reference fields of a model, at any depth, with the path of each. */
export function referenceFields(fields: FieldsBase, prefix = ''): [path: string, field: ReferenceField][] {
  return Object.entries(fields).flatMap(([luid, definition]) => {
    const path = `${prefix}${luid}`;
    const { type, fields: inner = {}, sets = {} } = definition as Definition;
    if (type === 'reference') return [[path, definition as ReferenceField]];
    return [
      ...referenceFields(inner, `${path}.`),
      ...Object.entries(sets).flatMap(([set, group]) => referenceFields(group, `${path}.${set}.`)),
    ];
  });
}

/** Whether a model has a reference that names no model, so that it may lead to content of an undeclared one. */
export function mayReferToAnyModel(fields: FieldsBase): boolean {
  return referenceFields(fields).some(([, field]) => !targetsOf(field));
}
