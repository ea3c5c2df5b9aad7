import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { ModelMap } from '../../models/types.ts';

/** The models with every flexible text as portable HTML, the only format that keeps all of it (§2.2). */
export function portableModels(models: ModelMap): ModelMap {
  return mapEntries(models, portableFields) as ModelMap;
}

function portableFields(fields: FieldsBase): FieldsBase {
  return mapEntries(fields, (field) => {
    if (fieldTypeOf(field).text === 'rich') return { type: field.type, format: 'portable_html' } as FieldBase;
    const { fields: inner, sets } = field as { fields?: FieldsBase; sets?: { [luid: string]: FieldsBase } };
    if (inner) return { ...field, fields: portableFields(inner) };
    return sets ? { ...field, sets: mapEntries(sets, portableFields) } : field;
  });
}

function mapEntries<T>(record: { readonly [key: string]: T }, change: (value: T) => T): { [key: string]: T } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
