import type { Neighbour } from '../../../entries/collection.ts';
import type { Content, Depth, Fields, Flat, ModelMap } from '../../../models/types.ts';
import type { FieldNames } from './field-names.ts';

/** The data of the entries of a collection with options `O`. */
export type LoadedData<M extends ModelMap, N extends keyof M & string, O> = Flat<
  Without<Content<M, N, DepthIn<O, 1>>, keyof Added<M, O> | LeftOut<M[N], Option<O, 'fields'>>> & Added<M, O>
>;
/** As `Omit`, in the same order. */
type Without<T, Names> = { [K in keyof T as Exclude<K, Names>]: T[K] };

/** What options add to the data of the model, or replace in it. */
type Added<M extends ModelMap, O> = ReferenceData<Option<O, 'references'>> &
  LangData<Option<O, 'lang'> | OneOfLangs<O>> &
  NeighbourData<Option<O, 'neighbours'>> &
  BacklinkData<M, Option<O, 'backlinks'>>;

export type NoOptions = Record<never, never>;

/** `never` if the option is not set. */
type Option<O, Name extends string> = Name extends keyof O ? Exclude<O[Name], undefined> : never;

export type DepthIn<O, Default extends Depth> =
  | (Option<O, 'depth'> & Depth)
  | (O extends { readonly depth: Depth } ? never : Default);

/** One of `langs`; `never` without that option. */
export type OneOfLangs<O> = ElementOf<Option<O, 'langs'>>;
type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;

type ReferenceData<References> = [References] extends [never]
  ? unknown
  : { -readonly [K in keyof References]: { collection: References[K]; id: string } | null };
type LangData<Lang> = [Lang] extends [never]
  ? unknown
  : { _lang: Lang; _fallback: boolean; _langs: { current: string; available: string[] } };
type NeighbourData<Neighbours> = [Neighbours] extends [never]
  ? unknown
  : { _prev: Neighbour | null; _next: Neighbour | null };

type BacklinkData<M extends ModelMap, Backlinks> = [Backlinks] extends [never]
  ? unknown
  : {
      -readonly [Name in keyof Backlinks]: Backlinks[Name] extends {
        readonly from: infer From extends keyof M & string;
      }
        ? Content<M, From, DepthIn<Backlinks[Name], 0>>[]
        : never;
    };

/** The fields that `data` does not have. */
type LeftOut<F extends Fields, Kept> = [Kept] extends [never]
  ? never
  : Exclude<FieldNames<F>, ElementOf<Kept>>;
