import type { SystemTime } from '../../../contract/content.ts';
import type { Fields, FieldTypesWith, System, UnnamedStrings } from '../../../models/types.ts';

// The names of fields that options take.

/** The fields of a model. One named like a system property is not among them: the name leads to the property. */
export type FieldNames<F extends Fields> = Exclude<keyof F & string, keyof System>;

/** Those of these types. */
export type FieldsOfType<F extends Fields, Type extends string> = FieldsLike<F, { readonly type: Type }>;

/** Those that extend a type. */
export type FieldsLike<F extends Fields, Like> = UnnamedStrings<
  { [K in FieldNames<F>]: F[K] extends Like ? K : never }[FieldNames<F>]
>;

/** What entries can be ordered by: the mirror of `compileOrder`. */
export type EntryOrder<F extends Fields> = WithMinus<
  | FieldsOfType<F, FieldTypesWith<'sortable'>>
  | '_id'
  | '_model'
  | '_title'
  | '_status'
  | '_space'
  | SystemTime
>;
type WithMinus<Name extends string> = UnnamedStrings<Name | `-${Name}`>;
