import type * as astro from 'astro/zod';
import type { Where } from '../../client/query/query-types.ts';
import type { SystemTime } from '../../contract/content.ts';
import type { CollectionRule, Neighbour } from '../../entries/collection.ts';
import type { EntryIdRule } from '../../entries/entry-id.ts';
import { type Conditions, compileFilter } from '../../entries/filter.ts';
import { compileOrder } from '../../entries/order.ts';
import { LuidConfigError } from '../../errors.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference, isRichText } from '../../models/field-types/index.ts';
import { MAX_DEPTH, type ModelSchema } from '../../models/schema.ts';
import type { Content, Depth, Fields, FieldTypesWith, ModelMap, System } from '../../models/types.ts';
import {
  boolean,
  callback,
  checkOptions,
  either,
  type OptionRule,
  object,
  string,
  strings,
  wholeNumber,
} from '../../options.ts';
import {
  checkField,
  checkLanguages,
  findModel,
  formatOf,
  isObject,
  WHERE,
} from '../../space/option-checks.ts';
import type { Settings } from '../../space/space-options.ts';

/** The fields of one of the types. A name that a system property has leads to that property. */
type KeysOfType<F extends Fields, T extends string> = {
  [K in keyof F]: F[K] extends { readonly type: T } ? K : never;
}[Exclude<keyof F & string, keyof System>] &
  string;

type IdType = FieldTypesWith<'usableAsId'>;

/** Flexible text that can be rendered. */
type BodyKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly type: 'flexible_text' }
    ? F[K] extends { readonly format: 'text' }
      ? never
      : K
    : never;
}[Exclude<keyof F & string, keyof System>] &
  string;

/** Reference field → the collection that it points into; other names are errors. */
type CheckedReferences<F extends Fields, R> = {
  readonly [K in keyof R]: K extends KeysOfType<F, 'reference'> ? string : never;
};

/** What entries can be ordered by here: the mirror of `compileOrder`. */
type Sortable<F extends Fields> =
  | KeysOfType<F, FieldTypesWith<'sortable'>>
  | '_id'
  | '_model'
  | '_title'
  | '_status'
  | '_space'
  | SystemTime;
type EntryOrder<F extends Fields> = Sortable<F> | `-${Sortable<F>}`;

/** What `space.loader(model, …)` takes. */
export interface LoaderOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  D extends Depth = Depth,
  R = unknown,
  L extends string = string,
  B = unknown,
> {
  /** How many references in are content, from 0 to 10; further in they are ids. Default 1. */
  readonly depth?: D;
  /** What names entries: a field with short values, or a function. Default: the content id. */
  readonly id?: KeysOfType<M[N], IdType> | '_id' | ((item: Content<M, N, 0, string>) => string | number);
  /** The flexible text that `render(entry)` renders. */
  readonly body?: BodyKeys<M[N]>;
  /** One language, which entries have in `data._lang`. Default: the main one. */
  readonly lang?: L;
  /** Several languages: the ids of entries begin with `ja/` and `en/`, and `data._lang` is the language. */
  readonly langs?: readonly L[];
  /** Fill what a sub-language lacks with main-language data, marked by `data._fallback`. */
  readonly fallback?: boolean;
  /** Only entries that match, evaluated on the replica with the service's meaning of each operator. */
  readonly where?: Where<M, N>;
  /** References that become Astro's `{ collection, id }`, with the id that the other loader gives. */
  readonly references?: R & CheckedReferences<M[N], R>;
  /** Adds `data._prev` and `data._next`, in this order. It does not order `getCollection()`. */
  readonly neighbours?: B & { readonly order: EntryOrder<M[N]> | readonly EntryOrder<M[N]>[] };
  /** Load drafts too, with the key for drafts. */
  readonly drafts?: boolean;
}

/** `lang` and `langs` exclude each other. */
export type OneLanguageOption = { readonly lang?: undefined } | { readonly langs?: undefined };

/** The data of an entry: the item's, and what the options add to it. */
type LoadedData<M extends ModelMap, N extends keyof M & string, D extends Depth, R, L, B> = Omit<
  Content<M, N, D>,
  keyof R | (unknown extends B ? never : '_prev' | '_next') | ([L] extends [never] ? never : '_langs')
> & { [K in keyof R]: { collection: R[K]; id: string } | null } & (unknown extends B
    ? unknown
    : { _prev: Neighbour | null; _next: Neighbour | null }) &
  ([L] extends [never]
    ? unknown
    : { _lang: L; _fallback: boolean; _langs: { current: string; available: string[] } });

/** Options that change no types leave the zod object of the model as it is. */
export type LoadedSchema<M extends ModelMap, N extends keyof M & string, D extends Depth, R, L, B> = [
  keyof R,
  L,
  unknown,
] extends [never, never, B]
  ? ModelSchema<M, N, D>
  : astro.ZodType<LoadedData<M, N, D, R, L, B>>;

/** Options that have been checked, in the form in which loading uses them. */
export interface LoaderPlan {
  readonly model: string;
  readonly depth: Depth;
  readonly rule: CollectionRule;
  readonly body: { readonly luid: string; readonly isMarkdown: boolean } | undefined;
  readonly lang: string | undefined;
  readonly langs: readonly string[] | undefined;
  readonly fallback: boolean;
  readonly order: ReturnType<typeof compileOrder> | undefined;
  readonly references: Readonly<Record<string, string>>;
  readonly drafts: boolean;
  /** Equal for options that mean the same. */
  readonly stamp: string;
}

const REFERENCES: OptionRule = {
  expected: "an object such as { author: 'authors' }",
  accepts: (value) =>
    isObject(value) && Object.values(value as object).every((one) => typeof one === 'string'),
};

const OPTIONS = {
  depth: wholeNumber(0, MAX_DEPTH),
  id: either(string, callback),
  body: string,
  lang: string,
  langs: strings,
  fallback: boolean,
  where: WHERE,
  references: REFERENCES,
  neighbours: object({ order: either(string, strings) }, "an object such as { order: '-_published_at' }"),
  drafts: boolean,
} satisfies Record<keyof LoaderOptions, OptionRule>;

/** Refuses options that cannot work, at definition time. */
export function planLoader(
  models: ModelMap,
  settings: Settings,
  model: string,
  options: LoaderOptions,
): LoaderPlan {
  const place = `loader(${JSON.stringify(model)})`;
  const fields = findModel(place, models, model);
  checkOptions(place, options, OPTIONS);
  const {
    depth = 1,
    id,
    body,
    lang,
    langs,
    fallback = false,
    where = {},
    neighbours,
    drafts = false,
  } = options;
  const references = (options.references ?? {}) as Record<string, string>;
  if (typeof id === 'string' && id !== '_id')
    checkField({ place, model, fields, option: 'id', also: '_id or a function' }, id, isId);
  if (body !== undefined) checkField({ place, model, fields, option: 'body' }, body, isRenderable);
  for (const luid of Object.keys(references)) {
    checkField({ place, model, fields, option: 'references' }, luid, isReference);
  }
  checkLanguages(place, settings.languages, lang, langs);
  const order = neighbours && orderOf(place, neighbours);
  return {
    model,
    depth,
    rule: {
      model,
      id: id as EntryIdRule,
      filter: compileFilter(models, model, where as Conditions, place),
      langs,
    },
    body: body === undefined ? undefined : { luid: body, isMarkdown: formatOf(fields[body]) === 'markdown' },
    lang,
    langs,
    fallback,
    order: order === undefined ? undefined : compileOrder(models, model, order, `${place}: neighbours.order`),
    references,
    drafts,
    stamp: JSON.stringify([depth, String(id), body, lang, langs, fallback, where, order, references, drafts]),
  };
}

function orderOf(place: string, neighbours: object): string | readonly string[] {
  const { order } = neighbours as { order?: string | readonly string[] };
  if (order !== undefined) return order;
  throw new LuidConfigError(`${place}: neighbours has no order`, {
    hint: "Write neighbours: { order: '-_published_at' }.",
  });
}

const isId = (field: FieldBase) => fieldTypeOf(field).usableAsId === true;
const isRenderable = (field: FieldBase) => isRichText(field) && formatOf(field) !== 'text';
