import * as z from 'zod';
import type { FieldBase, Kind } from './field-type.ts';

/** A field whose type `astro-luid init` could not infer: any value passes. */
export interface UnknownField extends FieldBase {
  readonly type: 'unknown';
}

export interface UnknownTypes {
  value: unknown;
  empty: null;
  where: never;
  write: unknown;
}

export const unknown: Kind<UnknownField> = {
  noun: 'a value',
  empty: () => null,
  operators: [],
  identifies: true,
  keys: [],
  schema: () => z.unknown(),
  write: () => z.unknown(),
};
