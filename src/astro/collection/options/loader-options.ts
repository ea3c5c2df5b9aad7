import type { Where } from '../../../client/query/query-types.ts';
import { SYSTEM_NAMES } from '../../../contract/content.ts';
import type { BacklinkRule } from '../../../entries/backlinks.ts';
import type { CollectionRule } from '../../../entries/collection.ts';
import type { EntryIdRule } from '../../../entries/entry-id.ts';
import type { NameSet } from '../../../entries/kept-properties.ts';
import { type Conditions, compileFilter } from '../../../entries/query/filter.ts';
import { filterReach } from '../../../entries/query/filter-reach.ts';
import { compileOrder, type Order } from '../../../entries/query/order.ts';
import type { FieldBase } from '../../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference, isRichText } from '../../../models/field-types/index.ts';
import { MAX_DEPTH } from '../../../models/schema.ts';
import type { Content, Depth, Fields, FieldTypesWith, ModelMap } from '../../../models/types.ts';
import { LuidConfigError } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
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
} from '../../../shared/options.ts';
import { checkField, checkLanguages, findModel, formatOf, WHERE } from '../../../space/option-checks.ts';
import type { Settings } from '../../../space/space-options.ts';
import {
  BACKLINKS,
  type BacklinkOptions,
  type Backlinks,
  checkBacklinks,
  type NamesAreTaken,
  type TakenNames,
} from './backlink-options.ts';
import type { Checked, OptionsFrom } from './checked-options.ts';
import type { EntryOrder, FieldNames, FieldsLike, FieldsOfType } from './field-names.ts';
import type { WrongNames } from './wrong-names.ts';

/** The flexible texts that can be rendered. */
type BodyFields<F extends Fields> = Exclude<
  FieldsOfType<F, 'flexible_text'>,
  FieldsLike<F, { readonly format: 'text' }>
>;

/**
 * The options of `space.loader(model, …)`, for the models and languages of a space. Several of them change the type of
 * the entries: see `LoadedData`.
 */
export interface LoaderOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  L extends string = string,
> {
  /** How many references deep entries embed content, from 0 to 10; deeper references are ids. Default 1. */
  readonly depth?: Depth;
  /** The id of entries: a field with short values, or a function. Default: the content id. */
  readonly id?:
    | FieldsOfType<M[N], FieldTypesWith<'usableAsId'>>
    | '_id'
    | ((item: Content<M, N, 0, string>) => string | number);
  /** The flexible text that `render(entry)` renders. */
  readonly body?: BodyFields<M[N]>;
  /** One language, which entries have in `data._lang`. Default: the main one. */
  readonly lang?: L | undefined;
  /** Several languages: ids begin with `ja/` and `en/`, and `data._lang` is the language. */
  readonly langs?: readonly L[] | undefined;
  /** Use main-language data for what a sub-language lacks, marked by `data._fallback`. */
  readonly fallback?: boolean;
  /** Only entries that match, evaluated on the replica with the service's meaning of each operator. */
  readonly where?: Where<M, N>;
  /** References that become Astro's `{ collection, id }`, with the id that the other loader gives. */
  readonly references?: { readonly [K in FieldsOfType<M[N], 'reference'>]?: string } | undefined;
  /** Adds `data._prev` and `data._next` in this order. It does not order `getCollection()`. */
  readonly neighbours?: { readonly order: EntryOrder<M[N]> | readonly EntryOrder<M[N]>[] } | undefined;
  /**
   * Keep only these fields in `data`, beside system properties and what other options add. `id`, `body`, `where`,
   * `neighbours` and `references` may use the others. Default: all.
   */
  readonly fields?: readonly FieldNames<M[N]>[] | undefined;
  /**
   * Lists of items that refer to an entry: `{ articles: { from: 'article', by: 'author' } }` adds `data.articles`. With
   * the languages and drafts of the collection.
   */
  readonly backlinks?: Backlinks<M, N> | undefined;
  /**
   * How many items an entry may embed, counted each time: more are an error, because Astro would walk all of them. Default
   * 2,000.
   */
  readonly maxEmbedded?: number;
  /** Load drafts too, with the key for drafts. */
  readonly drafts?: boolean;
}

/** The type of the parameter for options, which are inferred as `O`: see {@link Checked}. */
export type CheckedOptions<F extends Fields, O, Options> = [O] extends [
  { readonly lang: string; readonly langs: readonly string[] },
]
  ? OptionsFrom<O, Options> & { readonly langs?: undefined }
  : [TakenNames<F, O>] extends [never]
    ? Checked<O, Options> extends O
      ? Checked<O, Options>
      : Checked<O, Options> & NoInfer<WrongNames<O, OptionsFrom<O, Options>>>
    : Omit<OptionsFrom<O, Options>, 'backlinks'> & { readonly backlinks: NamesAreTaken<TakenNames<F, O>> };

/** Checked options, in the form that loading uses. */
export interface CollectionSettings {
  readonly model: string;
  readonly rule: CollectionRule;
  readonly body: { readonly luid: string; readonly isMarkdown: boolean } | undefined;
  /** The properties that `where` begins with. */
  readonly whereFields: readonly string[];
  /** That of neighbours. */
  readonly order: Order | undefined;
  readonly references: Readonly<Record<string, string>>;
  /** The properties of an item that `data` keeps; `undefined`: all. */
  readonly kept: ReadonlySet<string> | undefined;
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

/** Enough for long pages; an entry of that size takes Astro a fraction of a second. */
const MAX_EMBEDDED = 2000;

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
  maxEmbedded: wholeNumber(1),
  drafts: boolean,
} satisfies Record<keyof LoaderOptions, OptionRule>;

/** What the checks need of a space. */
export interface CheckedSpace {
  readonly models: ModelMap;
  readonly settings?: Pick<Settings, 'languages'>;
}

/** Which fields `id` and `body` may name, and what else `id` may be, in words. */
interface UsableFields {
  readonly id: (field: FieldBase) => boolean;
  readonly elseId: string;
  readonly body: (field: FieldBase) => boolean;
}

/**
 * Throws if the model is not declared, or if `id`, `body`, `lang` or `langs` name what they cannot use. Returns the fields
 * of the model.
 */
export function checkNames(
  place: string,
  { models, settings }: CheckedSpace,
  model: string,
  { id, body, lang, langs }: Pick<LoaderOptions, 'id' | 'body' | 'lang' | 'langs'>,
  usable: UsableFields,
): Fields {
  const fields = findModel(place, models, model);
  if (typeof id === 'string' && id !== '_id')
    checkField({ place, model, fields, option: 'id', also: usable.elseId }, id, usable.id);
  if (body !== undefined) checkField({ place, model, fields, option: 'body' }, body, usable.body);
  checkLanguages(place, settings?.languages, lang, langs);
  return fields;
}

/** Checks the options when the loader is defined, and throws for those that cannot work. */
export function checkLoaderOptions(
  models: ModelMap,
  settings: Settings,
  model: string,
  options: LoaderOptions,
  place = `loader(${JSON.stringify(model)})`,
): CollectionSettings {
  checkOptions(place, options, LOADER_OPTIONS);
  const fields = checkNames(place, { models, settings }, model, options, BUILD_FIELDS);
  const {
    depth = 1,
    id,
    body,
    lang,
    langs,
    fallback = false,
    where = {},
    neighbours,
    maxEmbedded = MAX_EMBEDDED,
    drafts = false,
  } = options;
  const kept = options.fields && new Set([...SYSTEM_NAMES, ...options.fields]);
  const references = (options.references ?? {}) as Record<string, string>;
  for (const luid of Object.keys(references)) {
    checkField({ place, model, fields, option: 'references' }, luid, isReference);
  }
  for (const luid of options.fields ?? [])
    checkField({ place, model, fields, option: 'fields' }, luid, isAny);
  const order = neighbours && orderOf(place, neighbours);
  const backlinks = (options.backlinks ?? {}) as Readonly<Record<string, BacklinkOptions>>;
  const backlinkRules = checkBacklinks(place, models, model, backlinks, maxEmbedded);
  return {
    model,
    rule: {
      model,
      fields,
      id: id as EntryIdRule,
      filter: compileFilter(models, model, where as Conditions, place),
      filterReach: filterReach(models, model, where as Conditions),
      lang,
      langs,
      fallback,
      depth,
      shown: shownProperties(kept, body, references),
      maxEmbedded,
    },
    body: body === undefined ? undefined : { luid: body, isMarkdown: formatOf(fields[body]) === 'markdown' },
    whereFields: Object.keys(where).map((path) => path.split('.')[0] as string),
    order: order === undefined ? undefined : compileOrder(models, model, order, `${place}: neighbours.order`),
    references,
    kept,
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
      maxEmbedded,
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
      maxEmbedded,
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

const BUILD_FIELDS: UsableFields = {
  id: (field) => fieldTypeOf(field).usableAsId === true,
  elseId: '_id or a function',
  body: (field) => isRichText(field) && formatOf(field) !== 'text',
};
