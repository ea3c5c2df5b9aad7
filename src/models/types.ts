import type { Status, WireLangs } from '../contract/content.ts';
import type { BooleanTypes, MultiSelectTypes, SelectTypes } from './field-types/choices.ts';
import type { DatetimeTypes } from './field-types/datetime.ts';
import type { Field } from './field-types/index.ts';
import type { MediaTypes } from './field-types/media.ts';
import type { FlexibleTextTypes, TextTypes } from './field-types/texts.ts';
import type { UnknownTypes } from './field-types/unknown.ts';

export type Fields = { readonly [luid: string]: Field };
export type ModelMap = { readonly [luid: string]: Fields };

/** How many levels of references are content; below they are ids. */
export type Depth = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
type Less = [never, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * The static side of each field type: its value, its empty value (`never` if that is an empty string or list), its
 * filter operands (§4.1), its value in write requests (§4.10), and whether it is `sortable` and `usableAsId`.
 */
interface StaticTypes<F, M extends ModelMap, D extends Depth, T> {
  flexible_text: FlexibleTextTypes;
  text: TextTypes;
  multiline: TextTypes;
  boolean: BooleanTypes;
  select: SelectTypes<F>;
  multi_select: MultiSelectTypes<F>;
  datetime: DatetimeTypes<T>;
  media: MediaTypes<F, T>;
  reference: {
    value: D extends 0 ? number : Target<F, M, Less[D], T>;
    empty: null;
    where: { eq?: number; in?: readonly number[] };
    write: number;
    usableAsId: true;
  };
  repeat: {
    value: Data<FieldsOf<F>, M, D, T>[];
    empty: never;
    where: never;
    write: WriteData<FieldsOf<F>>[];
  };
  combination: {
    value: Block<SetsOf<F>, M, D, T>[];
    empty: never;
    where: never;
    write: WriteBlock<SetsOf<F>>[];
  };
  field_set: {
    value: Data<FieldsOf<F>, M, D, T>;
    empty: null;
    where: never;
    write: WriteData<FieldsOf<F>>;
  };
  unknown: UnknownTypes;
}

type FieldsOf<F> = F extends { readonly fields: infer I extends Fields } ? I : never;
type SetsOf<F> = F extends { readonly sets: infer S extends ModelMap } ? S : never;

/** A reference above the depth limit: content of its models; if it names none, of any model or an id. */
type Target<F, M extends ModelMap, D extends Depth, T> = F extends { readonly model: infer N }
  ? ContentOf<M, N extends readonly (infer One)[] ? One : N, D, T>
  : ContentOf<M, keyof M, D, T> | number;

/** Distributes over models, so that the result is a union discriminated by `_model`. */
type ContentOf<M extends ModelMap, N, D extends Depth, T> = N extends keyof M & string
  ? Content<M, N, D, T>
  : never;

type Block<S extends ModelMap, M extends ModelMap, D extends Depth, T> = {
  [L in keyof S & string]: { luid: L; fields: Data<S[L], M, D, T> };
}[keyof S & string];

type WriteBlock<S extends ModelMap> = {
  [L in keyof S & string]: { luid: L; fields: WriteData<S[L]> };
}[keyof S & string];

type Value<F extends Field, M extends ModelMap, D extends Depth, T> = Unnamed<
  | StaticTypes<F, M, D, T>[F['type']]['value']
  | (F extends RequiredIn<T> ? never : StaticTypes<F, M, D, T>[F['type']]['empty'])
>;

/** Only parsed content is checked: in a response, every field may be empty. */
type RequiredIn<T> = T extends Date ? { readonly required: true } : never;

/** Astro's store and zod drop a property of this name, so entries never have it. */
type Dropped = '__proto__';

type Data<F extends Fields, M extends ModelMap, D extends Depth, T> = Flat<{
  -readonly [K in keyof F as Exclude<K, Dropped>]: Value<F[K], M, D, T>;
}>;

/** The values to write for a group of fields. All are optional; `null` empties a field. */
export type WriteData<F extends Fields> = {
  -readonly [K in keyof F as StaticTypes<F[K], never, 0, Date>[F[K]['type']]['write'] extends never
    ? never
    : K]?: StaticTypes<F[K], never, 0, Date>[F[K]['type']]['write'] | null;
};

/** The operands of each filter operator (§4.1) of a field; `never` if it has none. */
export type FieldWhere<F> = F extends Field ? StaticTypes<F, never, 0, Date>[F['type']]['where'] : never;

/** The names of the field types that have a trait: `'sortable'`, `'usableAsId'`. */
export type FieldTypesWith<Trait extends string> = {
  [T in Field['type']]: Trait extends keyof StaticTypes<Field, never, 0, Date>[T] ? T : never;
}[Field['type']];

/** §2.1. The type of times, `T`, is `Date` in parsed content and `string` in responses, whose values nothing has checked. */
export interface System<Model extends string = string, T = Date> {
  _id: number;
  _model: Model;
  _title: string;
  _created_at: T;
  _updated_at: T;
  _published_at: T | null;
  _last_published_at: T | null;
  _status: Status;
  /** Only in a space with sub-spaces. */
  _space?: string | undefined;
  /** Only if requested: the previous item. */
  _prev?: unknown;
  /** Only if requested: the next item. */
  _next?: unknown;
  /** Only if requested: the current language and those available. */
  _langs?: WireLangs | undefined;
}

/** An item of a model, with references resolved to a depth. System properties replace fields of the same name. */
export type Content<M extends ModelMap, N extends keyof M & string, D extends Depth = 1, T = Date> = Flat<
  {
    -readonly [K in keyof M[N] as Exclude<K, keyof System | Dropped>]: Value<M[N][K], M, D, T>;
  } & System<N, T>
>;

// Editors and errors show a type by its name, and here that would contain all models. A conditional type has no name
// once it is resolved.

/** The same type, shown as what it is. */
type Unnamed<T> = [T] extends [infer Same] ? Same : never;
export type UnnamedStrings<T extends string> = [T] extends [infer Same extends string] ? Same : never;
/** One object instead of an intersection. */
export type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;

/** The data of an entry: `Entry<typeof space, 'article', 2>`. */
export type Entry<
  S extends { readonly models: ModelMap },
  N extends keyof S['models'] & string,
  D extends Depth = 1,
> = Content<S['models'], N, D>;

/** The combination fields of a model. */
type CombinationKeys<F extends Fields> = {
  [K in keyof F & string]: F[K] extends { readonly type: 'combination' } ? K : never;
}[keyof F & string];

/**
 * The props of the component that `Blocks` renders a block with: the fields of a field set of a combination,
 * `BlockProps<typeof space, 'article', 'sections', 'hero'>`. The depth is that of the collection.
 */
export type BlockProps<
  S extends { readonly models: ModelMap },
  N extends keyof S['models'] & string,
  F extends CombinationKeys<S['models'][N]>,
  B extends keyof SetsOf<S['models'][N][F]> & string,
  D extends Depth = 1,
> = Data<SetsOf<S['models'][N][F]>[B], S['models'], D, Date>;
