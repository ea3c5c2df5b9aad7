import {
  type BooleanField,
  boolean,
  type MultiSelectField,
  multiSelect,
  type SelectField,
  select,
} from './choices.ts';
import { type DatetimeField, datetime } from './datetime.ts';
import type { FieldBase, FieldType } from './field-type.ts';
import {
  type CombinationField,
  combination,
  type FieldSetField,
  fieldSet,
  type RepeatField,
  repeat,
} from './groups.ts';
import { type MediaField, media } from './media.ts';
import { type ReferenceField, reference } from './reference.ts';
import {
  type FlexibleTextField,
  flexibleText,
  type MultilineField,
  multiline,
  type TextField,
  text,
} from './texts.ts';
import { type UnknownField, unknown } from './unknown.ts';

/** A field definition: plain data. */
export type Field =
  | FlexibleTextField
  | TextField
  | MultilineField
  | BooleanField
  | SelectField
  | MultiSelectField
  | DatetimeField
  | MediaField
  | ReferenceField
  | RepeatField
  | CombinationField
  | FieldSetField
  | UnknownField;

/** All field types. The compiler demands the static types beside it, `StaticTypes` in `types.ts`, too. */
export const FIELD_TYPES: { readonly [T in Field['type']]: FieldType<Extract<Field, { type: T }>> } = {
  flexible_text: flexibleText,
  text,
  multiline,
  boolean,
  select,
  multi_select: multiSelect,
  datetime,
  media,
  reference,
  repeat,
  combination,
  field_set: fieldSet,
  unknown,
};

export function isFieldType(type: unknown): type is Field['type'] {
  return typeof type === 'string' && Object.hasOwn(FIELD_TYPES, type);
}

/** The type of a field whose definition has been checked. */
export function fieldTypeOf(field: FieldBase): FieldType {
  return FIELD_TYPES[field.type as Field['type']] as unknown as FieldType;
}

export function isReference(field: FieldBase): field is ReferenceField {
  return fieldTypeOf(field).link === 'reference';
}

export function isMedia(field: FieldBase): field is MediaField {
  return fieldTypeOf(field).link === 'media';
}

export function isRichText(field: FieldBase): field is FlexibleTextField {
  return fieldTypeOf(field).text === 'rich';
}
