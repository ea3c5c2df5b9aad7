import type { FieldBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { Emulated } from './field-behaviour.ts';
import { combination, fieldSet, repeat } from './groups.ts';
import { media, reference } from './links.ts';
import { boolean, datetime, flexibleText, multiSelect, select, text, unknown } from './scalars.ts';

/** The table of field types, as the service sees them. */
const KINDS: { readonly [T in Field['type']]: Emulated<Extract<Field, { type: T }>> } = {
  flexible_text: flexibleText,
  text,
  multiline: text,
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

export function emulated(field: FieldBase): Emulated {
  return KINDS[field.type as Field['type']] as unknown as Emulated;
}
