import type { FieldBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { FieldBehaviour } from './field-behaviour.ts';
import { combination, fieldSet, repeat } from './group-behaviours.ts';
import { media, reference } from './link-behaviours.ts';
import {
  boolean,
  datetime,
  flexibleText,
  multiline,
  multiSelect,
  select,
  text,
  unknown,
} from './scalar-behaviours.ts';

/** How the service treats each field type. */
export const BEHAVIOURS: { readonly [T in Field['type']]: FieldBehaviour<Extract<Field, { type: T }>> } = {
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

export function behaviourOf(field: FieldBase): FieldBehaviour {
  return BEHAVIOURS[field.type as Field['type']] as unknown as FieldBehaviour;
}
