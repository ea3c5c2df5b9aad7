import type { Status, SystemTime, WireLangs } from '../../contract/content.ts';
import type { Include, TextFormat } from '../../contract/parameters.ts';
import type { DatetimeTypes } from '../../models/field-types/datetime.ts';
import type { TextTypes } from '../../models/field-types/texts.ts';
import type { Content, FieldWhere, ModelMap } from '../../models/types.ts';

/** The depths that the service resolves (§8). */
export type ServiceDepth = 0 | 1 | 2 | 3;

/** An item as the service sends it: times are ISO 8601 strings, `required` fields may be empty. For several models, a union discriminated by `_model`. */
export type Item<M extends ModelMap, N extends keyof M & string, D extends ServiceDepth> = N extends unknown
  ? Content<M, N, D, string>
  : never;

type FieldsOf<M extends ModelMap, N extends keyof M> = N extends unknown ? M[N] : never;
type KeysOf<F> = F extends unknown ? keyof F & string : never;
/** The field with this name, in every model that has it. */
type FieldOf<F, K> = F extends unknown ? (K extends keyof F ? F[K] : never) : never;

/** The fields that a filter can reach through a dotted path (§4.1): of field sets, repeats and referenced content. */
type InnerFields<F, M extends ModelMap> = F extends {
  readonly type: 'field_set' | 'repeat';
  readonly fields: infer I;
}
  ? I
  : F extends { readonly type: 'reference' }
    ? F extends { readonly model: infer T }
      ? FieldsOf<M, (T extends readonly (infer One)[] ? One : T) & keyof M>
      : FieldsOf<M, keyof M>
    : never;

/** §4.1: in a repeat, only `eq` is supported. */
type InnerWhere<Outer, Inner> = Outer extends { readonly type: 'repeat' }
  ? 'eq' extends keyof FieldWhere<Inner>
    ? Pick<FieldWhere<Inner>, 'eq'>
    : never
  : FieldWhere<Inner>;

type InnerPaths<F, M extends ModelMap> = {
  [K in KeysOf<F>]: KeysOf<InnerFields<FieldOf<F, K>, M>> extends infer I extends string
    ? `${K}.${I}`
    : never;
}[KeysOf<F>];

type PathWhere<F, M extends ModelMap, P> = P extends `${infer K}.${infer I}`
  ? FieldOf<F, K> extends infer Outer
    ? Outer extends unknown
      ? InnerWhere<Outer, FieldOf<InnerFields<Outer, M>, I>>
      : never
    : never
  : never;

interface ChoiceWhere<V> {
  eq?: V;
  in?: readonly V[];
}

type SystemWhere = {
  _id?: ChoiceWhere<number>;
  _model?: ChoiceWhere<string>;
  _title?: TextTypes['where'];
  _status?: ChoiceWhere<Status>;
  _space?: ChoiceWhere<string>;
} & { [T in SystemTime]?: DatetimeTypes<Date>['where'] };

/**
 * Filters by a field, a field of a group or of referenced content (`'author.name'`), or a system
 * property, with the operators that §4.1 allows for its type. An item must match all of them.
 */
export type Where<M extends ModelMap, N extends keyof M & string> = SystemWhere & {
  [K in KeysOf<FieldsOf<M, N>> as K extends `_${string}` ? Exclude<K, keyof SystemWhere> : K]?: FieldWhere<
    FieldOf<FieldsOf<M, N>, K>
  >;
} & { [P in InnerPaths<FieldsOf<M, N>, M>]?: PathWhere<FieldsOf<M, N>, M, P> };

type Sortable<M extends ModelMap, N extends keyof M & string> = KeysOf<FieldsOf<M, N>> | keyof SystemWhere;

/** A field or system property, with a leading `-` for descending. */
export type Order<M extends ModelMap, N extends keyof M & string> = Sortable<M, N> | `-${Sortable<M, N>}`;

/** A property, or a dotted path into a reference, a repeat or a field set. */
export type SelectPath<T> = KeysOf<T> | `${KeysOf<T>}.${string}`;

/** Options of every read. */
export interface ShapeQuery<D extends ServiceDepth, S extends string> {
  /** Levels of references that are resolved; deeper ones are ids. Default 1. */
  depth?: D;
  /** Only these properties; even `_id` must be named. */
  select?: readonly S[];
  /** Language key. Default: the main language. */
  lang?: string;
  /** Use main-language data for items without data in `lang`. */
  fallback?: boolean;
  /** Output formats of flexible texts, by field or dotted path. Default: the format in the model map, or html. */
  format?: { readonly [path: string]: TextFormat };
}

export interface ListQuery<
  M extends ModelMap,
  N extends keyof M & string,
  D extends ServiceDepth = ServiceDepth,
  S extends string = string,
> extends ShapeQuery<D, S> {
  where?: Where<M, N>;
  /** Words that must all occur in the text fields. */
  contains?: string | readonly string[];
  /** Default `-_created_at`. */
  order?: Order<M, N> | readonly Order<M, N>[];
  /** 1 to 100. Default 100. */
  limit?: number;
  offset?: number;
  /** LUID of a sub-space; `_parent` for the parent. */
  space?: string;
}

export interface GetQuery<
  M extends ModelMap,
  N extends keyof M & string,
  D extends ServiceDepth = ServiceDepth,
  S extends string = string,
  I extends Include = Include,
> extends ShapeQuery<D, S> {
  /** Adds the item's neighbours or languages. */
  include?: readonly I[];
  /** The list that the neighbours are from: its order, models and filters. */
  neighbours?: Pick<ListQuery<M, N>, 'order' | 'where'> & { model?: N | readonly N[] };
}

/** The selected part of a type; paths lead into lists, references and field sets. */
export type Selected<T, S extends string> = [S] extends [never]
  ? T
  : T extends unknown
    ? Picked<T, S>
    : never;

type Picked<T, S extends string> = {
  [K in keyof T as K extends Head<S> ? K : never]: K extends S ? T[K] : Inside<T[K], Tail<S, K & string>>;
};
type Head<S extends string> = S extends `${infer K}.${string}` ? K : S;
type Tail<S extends string, K extends string> = S extends `${K}.${infer Rest}` ? Rest : never;
type Inside<V, S extends string> = V extends readonly (infer E)[]
  ? Inside<E, S>[]
  : V extends object
    ? Picked<V, S>
    : V;

/** §4.2: with the properties that `include` adds. */
export type Included<T, I extends Include> = T & {
  [K in I]-?: K extends '_langs' ? WireLangs : T | null;
};
