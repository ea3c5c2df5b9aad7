import type { SystemTime } from '../../contract/content.ts';
import type { Fields, FieldTypesWith, System } from '../../models/types.ts';

// The names of fields that options take.

/** The fields of a model. One named like a system property is not among them: the name leads to the property. */
export type FieldNames<F extends Fields> = Exclude<keyof F & string, keyof System>;

/** Those of these types. */
export type FieldsOfType<F extends Fields, Type extends string> = {
  [K in keyof F]: F[K] extends { readonly type: Type } ? K : never;
}[FieldNames<F>] &
  string;

/** What entries can be ordered by: the mirror of `compileOrder`. */
type Sortable<F extends Fields> =
  | FieldsOfType<F, FieldTypesWith<'sortable'>>
  | '_id'
  | '_model'
  | '_title'
  | '_status'
  | '_space'
  | SystemTime;
export type EntryOrder<F extends Fields> = Sortable<F> | `-${Sortable<F>}`;
