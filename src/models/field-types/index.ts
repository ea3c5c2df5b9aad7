import {
  type BooleanField,
  boolean,
  type MultiSelectField,
  multiSelect,
  type SelectField,
  select,
} from './choices.ts';
import { type DatetimeField, datetime } from './datetime.ts';
import type { FieldBase, Kind } from './field-type.ts';
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

/** Every field definition: plain data. */
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

/** The table of field types. Their static types are the table beside it, `KindTypes` in `types.ts`. */
const KINDS: { readonly [T in Field['type']]: Kind<Extract<Field, { type: T }>> } = {
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

export const FIELD_TYPES = Object.keys(KINDS) as readonly Field['type'][];

export function isFieldType(type: unknown): type is Field['type'] {
  return typeof type === 'string' && Object.hasOwn(KINDS, type);
}

/** The kind of a field that has been checked. */
export function kindOf(field: FieldBase): Kind {
  return KINDS[field.type as Field['type']] as unknown as Kind;
}
