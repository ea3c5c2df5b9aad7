import * as z from 'zod';
import type { FieldBase, FieldType } from './field-type.ts';

/** A field whose type `luid init` could not infer: any value is valid. */
export interface UnknownField extends FieldBase {
  readonly type: 'unknown';
}

export interface UnknownTypes {
  value: unknown;
  empty: null;
  where: never;
  write: unknown;
  usableAsId: true;
}

export const unknown: FieldType<UnknownField> = {
  empty: () => null,
  operators: [],
  usableAsId: true,
  keys: [],
  schema: () => z.unknown(),
};
