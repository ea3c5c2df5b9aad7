import type * as astro from 'astro/zod';
import type { Where } from '../../client/query/query-types.ts';
import { SYSTEM_NAMES } from '../../contract/content.ts';
import type { BacklinkRule } from '../../entries/backlinks.ts';
import type { CollectionRule, Neighbour } from '../../entries/collection.ts';
import type { EntryIdRule } from '../../entries/entry-id.ts';
import { type Conditions, compileFilter } from '../../entries/filter.ts';
import { filterReach } from '../../entries/filter-reach.ts';
import type { NameSet } from '../../entries/kept-properties.ts';
import { compileOrder, orderFields } from '../../entries/order.ts';
import { LuidConfigError } from '../../errors.ts';
import { isRecord } from '../../is-record.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference, isRichText } from '../../models/field-types/index.ts';
import { MAX_DEPTH, type ModelSchema } from '../../models/schema.ts';
import type { Content, Depth, Fields, FieldTypesWith, ModelMap } from '../../models/types.ts';
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
import { checkField, checkLanguages, findModel, formatOf, WHERE } from '../../space/option-checks.ts';
import type { Settings } from '../../space/space-options.ts';
import {
  BACKLINKS,
  type BacklinkData,
  type BacklinksOption,
  type CheckedBacklinks,
  planBacklinks,
} from './backlink-options.ts';
import type { EntryOrder, FieldNames, FieldsOfType } from './field-names.ts';

type IdType = FieldTypesWith<'usableAsId'>;

/** The flexible texts that can be rendered. */
type BodyFields<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly type: 'flexible_text' }
    ? F[K] extends { readonly format: 'text' }
      ? never
      : K
    : never;
}[FieldNames<F>] &
  string;

/** Reference field → collection. Other names are errors. */
type CheckedReferences<F extends Fields, References> = {
  readonly [K in keyof References]: K extends FieldsOfType<F, 'reference'> ? string : never;
};

/**
 * The options of `space.loader(model, …)`. `References`, `Lang`, `Neighbours`, `Kept` and `Backlinks` are inferred from
 * the options `references`, `lang`, `neighbours`, `fields` and `backlinks`, because they change the type of the entries.
 */
export interface LoaderOptions<
  Models extends ModelMap = ModelMap,
  Model extends keyof Models & string = string,
  D extends Depth = Depth,
  References = unknown,
  Lang extends string | undefined = string,
  Neighbours = unknown,
  Kept = readonly string[],
  Backlinks = unknown,
> {
  /** How many references deep entries embed content, from 0 to 10; deeper references are ids. Default 1. */
  readonly depth?: D;
  /** The id of entries: a field with short values, or a function. Default: the content id. */
  readonly id?:
    | FieldsOfType<Models[Model], IdType>
    | '_id'
    | ((item: Content<Models, Model, 0, string>) => string | number);
  /** The flexible text that `render(entry)` renders. */
  readonly body?: BodyFields<Models[Model]>;
  /** One language, which entries have in `data._lang`. Default: the main one. */
  readonly lang?: Lang | undefined;
  /** Several languages: ids begin with `ja/` and `en/`, and `data._lang` is the language. */
  readonly langs?: readonly NonNullable<Lang>[] | undefined;
  /** Use main-language data for what a sub-language lacks, marked by `data._fallback`. */
  readonly fallback?: boolean;
  /** Only entries that match, evaluated on the replica with the service's meaning of each operator. */
  readonly where?: Where<Models, Model>;
  /** References that become Astro's `{ collection, id }`, with the id that the other loader gives. */
  readonly references?: (References & CheckedReferences<Models[Model], References>) | undefined;
  /** Adds `data._prev` and `data._next` in this order. It does not order `getCollection()`. */
  readonly neighbours?:
    | (Neighbours & { readonly order: EntryOrder<Models[Model]> | readonly EntryOrder<Models[Model]>[] })
    | undefined;
  /**
   * Keep only these fields in `data`, beside system properties and what other options add. `id`, `body`, `where`,
   * `neighbours` and `references` may use the others. Default: all.
   */
  readonly fields?: Kept | undefined;
  /**
   * Lists of items that refer to an entry: `{ articles: { from: 'article', by: 'author' } }` adds `data.articles`. With
   * the languages and drafts of the collection.
   */
  readonly backlinks?: (Backlinks & CheckedBacklinks<Models, Model, Backlinks>) | undefined;
  /** Load drafts too, with the key for drafts. */
  readonly drafts?: boolean;
}

/** `lang` and `langs` exclude each other. */
export type OneLanguageOption = { readonly lang?: undefined } | { readonly langs?: undefined };

// Without its option, a type parameter has no keys, is `never`, or is `unknown`. With `undefined` as the option, it is
// `undefined`, or its constraint: any object, or any backlinks.
type HasReferences<References> = [keyof References] extends [never] ? false : true;
type HasLang<Lang> = [Lang] extends [undefined] ? false : true;
type HasNeighbours<Neighbours> = unknown extends Neighbours
  ? false
  : [Neighbours] extends [undefined]
    ? false
    : true;
type HasKept<Kept> = [Kept] extends [undefined] ? false : true;
type HasBacklinks<Backlinks> = [keyof Backlinks] extends [never]
  ? false
  : string extends keyof Backlinks
    ? false
    : true;

type ReferenceData<References> = {
  [K in keyof References]: { collection: References[K]; id: string } | null;
};
type LangData<Lang> =
  HasLang<Lang> extends true
    ? { _lang: NonNullable<Lang>; _fallback: boolean; _langs: { current: string; available: string[] } }
    : unknown;
type NeighbourData<Neighbours> =
  HasNeighbours<Neighbours> extends true ? { _prev: Neighbour | null; _next: Neighbour | null } : unknown;

/** The fields that `data` does not have. */
type LeftOut<F extends Fields, Kept> = Kept extends readonly (infer K)[] ? Exclude<FieldNames<F>, K> : never;

/** The schema of a loader: the zod object of the model, unless an option changes the data of its entries. */
export type LoadedSchema<
  Models extends ModelMap,
  Model extends keyof Models & string,
  D extends Depth,
  References,
  Lang,
  Neighbours,
  Kept,
  Backlinks,
> = [
  HasReferences<References>,
  HasLang<Lang>,
  HasNeighbours<Neighbours>,
  HasKept<Kept>,
  HasBacklinks<Backlinks>,
] extends [false, false, false, false, false]
  ? ModelSchema<Models, Model, D>
  : astro.ZodType<
      Omit<
        Content<Models, Model, D>,
        | keyof References
        | keyof LangData<Lang>
        | keyof NeighbourData<Neighbours>
        | LeftOut<Models[Model], Kept>
      > &
        ReferenceData<References> &
        LangData<Lang> &
        NeighbourData<Neighbours> &
        (HasBacklinks<Backlinks> extends true ? BacklinkData<Models, Backlinks> : unknown)
    >;

/** Checked options, in the form that loading uses. */
export interface LoaderPlan {
  readonly model: string;
  readonly depth: Depth;
  readonly rule: CollectionRule;
  readonly body: { readonly luid: string; readonly isMarkdown: boolean } | undefined;
  /** The properties that `where` begins with. */
  readonly whereFields: readonly string[];
  readonly order: ReturnType<typeof compileOrder> | undefined;
  /** The same as in the options. */
  readonly orderBy: string | readonly string[] | undefined;
  /** The fields that decide it. */
  readonly orderFields: readonly string[];
  readonly references: Readonly<Record<string, string>>;
  /** The properties of an item that `data` keeps; `undefined`: all. */
  readonly kept: ReadonlySet<string> | undefined;
  /**
   * Those, and the body, without `references`: what a page can see of an item beside what is computed. `undefined`: all
   * properties.
   */
  readonly shown: NameSet | undefined;
  readonly backlinks: readonly BacklinkRule[];
  readonly drafts: boolean;
  /** Equal for options that mean the same. */
  readonly fingerprint: string;
  /**
   * Equal for options that make equal data and HTML of equal items. The other options decide which entries there are, and
   * what is computed or listed in them, which digests cover.
   */
  readonly dataFingerprint: string;
}

const REFERENCES: OptionRule = {
  expected: "an object such as { author: 'authors' }",
  accepts: (value) =>
    isRecord(value) && Object.values(value as object).every((one) => typeof one === 'string'),
};

/** The rules of the options, for the live loader too. */
export const LOADER_OPTIONS = {
  depth: wholeNumber(0, MAX_DEPTH),
  id: either(string, callback),
  body: string,
  lang: string,
  langs: strings,
  fallback: boolean,
  where: WHERE,
  references: REFERENCES,
  neighbours: object({ order: either(string, strings) }, "an object such as { order: '-_published_at' }"),
  fields: strings,
  backlinks: BACKLINKS,
  drafts: boolean,
} satisfies Record<keyof LoaderOptions, OptionRule>;

/** Checks the options when the loader is defined, and throws for those that cannot work. */
export function planLoader(
  models: ModelMap,
  settings: Settings,
  model: string,
  options: LoaderOptions,
  place = `loader(${JSON.stringify(model)})`,
): LoaderPlan {
  const fields = findModel(place, models, model);
  checkOptions(place, options, LOADER_OPTIONS);
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
  const kept = options.fields && new Set([...SYSTEM_NAMES, ...options.fields]);
  const references = (options.references ?? {}) as Record<string, string>;
  if (typeof id === 'string' && id !== '_id')
    checkField({ place, model, fields, option: 'id', also: '_id or a function' }, id, isId);
  if (body !== undefined) checkField({ place, model, fields, option: 'body' }, body, isRenderable);
  for (const luid of Object.keys(references)) {
    checkField({ place, model, fields, option: 'references' }, luid, isReference);
  }
  for (const luid of options.fields ?? [])
    checkField({ place, model, fields, option: 'fields' }, luid, isAny);
  checkLanguages(place, settings.languages, lang, langs);
  const order = neighbours && orderOf(place, neighbours);
  const backlinks = (options.backlinks ?? {}) as BacklinksOption<ModelMap>;
  const backlinkRules = planBacklinks(place, models, model, backlinks);
  return {
    model,
    depth,
    rule: {
      model,
      fields,
      id: id as EntryIdRule,
      filter: compileFilter(models, model, where as Conditions, place),
      filterReach: filterReach(models, model, where as Conditions),
      lang,
      langs,
      fallback,
    },
    body: body === undefined ? undefined : { luid: body, isMarkdown: formatOf(fields[body]) === 'markdown' },
    whereFields: Object.keys(where).map((path) => path.split('.')[0] as string),
    orderBy: order,
    order: order === undefined ? undefined : compileOrder(models, model, order, `${place}: neighbours.order`),
    orderFields: order === undefined ? [] : orderFields(order),
    references,
    kept,
    shown: shownProperties(kept, body, references),
    backlinks: backlinkRules,
    drafts,
    fingerprint: JSON.stringify([
      model,
      depth,
      String(id),
      body,
      lang,
      langs,
      fallback,
      where,
      order,
      references,
      drafts,
      kept && [...kept].sort(),
      // Stores of collections without backlinks stay valid.
      ...(backlinkRules.length > 0 ? [backlinks] : []),
    ]),
    dataFingerprint: JSON.stringify([
      model,
      depth,
      body,
      lang,
      langs,
      fallback,
      drafts,
      Object.keys(references).sort(),
      kept && [...kept].sort(),
      backlinkRules.map((list) => [list.name, list.depth]),
    ]),
  };
}

function shownProperties(
  kept: ReadonlySet<string> | undefined,
  body: string | undefined,
  references: Readonly<Record<string, string>>,
): NameSet | undefined {
  if (!kept && Object.keys(references).length === 0) return undefined;
  return {
    has: (name) => !Object.hasOwn(references, name) && (!kept || kept.has(name) || name === body),
  };
}

function orderOf(place: string, neighbours: object): string | readonly string[] {
  const { order } = neighbours as { order?: string | readonly string[] };
  if (order !== undefined) return order;
  throw new LuidConfigError(`${place}: neighbours.order is missing`, {
    hint: "Write neighbours: { order: '-_published_at' }.",
  });
}

const isAny = () => true;
const isId = (field: FieldBase) => fieldTypeOf(field).usableAsId === true;
const isRenderable = (field: FieldBase) => isRichText(field) && formatOf(field) !== 'text';
