import type { LiveLoader } from 'astro/loaders';
import type { Order, ServiceDepth, Where } from '../../client/query/query-types.ts';
import { LIMITS } from '../../contract/limits.ts';
import { checkOrder } from '../../entries/query/order.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isRichText } from '../../models/field-types/index.ts';
import type { Content, ModelMap } from '../../models/types.ts';
import { LuidConfigError, type LuidError } from '../../shared/errors.ts';
import {
  boolean,
  checkOptions,
  either,
  literal,
  type OptionRule,
  type OptionRules,
  string,
  strings,
  wholeNumber,
} from '../../shared/options.ts';
import { type Duration, duration } from '../../space/duration.ts';
import { formatOf, isObject, WHERE } from '../../space/option-checks.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { Settings } from '../../space/space-options.ts';
import type { FieldsLike, FieldsOfType } from '../collection/options/field-names.ts';
import type { DepthIn, LoadedData, OneOfLangs } from '../collection/options/loaded-data.ts';
import {
  type CheckedSpace,
  checkNames,
  LOADER_OPTIONS,
  type LoaderOptions,
} from '../collection/options/loader-options.ts';
import type { EntryNotFoundError } from './serve/entry-not-found-error.ts';

/** What the live loader needs of a space. */
export type LiveSpace<M extends ModelMap = ModelMap, L extends string = string> = Pick<
  SpaceCore<M, L>,
  'models' | 'schema' | 'connect'
> & { readonly settings?: Pick<Settings<L>, 'space' | 'languages' | 'onInvalid'> };

/** Flexible text that the service sends as HTML. */
type HtmlField = { readonly type: 'flexible_text'; readonly format?: 'html' | 'portable_html' };

/** The options of a live loader that requests each entry from the service. */
export interface LiveOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  L extends string = string,
> extends Pick<LoaderOptions<M, N, L>, 'fallback' | 'drafts'> {
  /** How many references deep entries embed content. The service resolves them, up to 3. Default 1. */
  readonly depth?: ServiceDepth;
  /** The id of entries: a text field with unique values. Default: the content id. */
  readonly id?: FieldsOfType<M[N], 'text'> | '_id';
  /** Language key. Default: the main language. */
  readonly lang?: L;
  /** The flexible text that `render(entry)` renders. */
  readonly body?: FieldsLike<M[N], HtmlField>;
}

/** The options of `space.liveLoader(model, …)`: those of `space.loader`, and how fresh content has to be. */
export interface ReplicaLiveOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  L extends string = string,
> extends LoaderOptions<M, N, L> {
  /** Serve entries from a copy of the content in this server, which is kept up to date in the background. The default. */
  readonly from?: 'replica' | undefined;
  /** How old content may be before it is checked for changes. Default `'10s'`, with `drafts` `'2s'`. */
  readonly refresh?: Duration;
}

/** The options of `space.liveLoader(model, { from: 'service', … })`. */
export interface ServiceLiveOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  L extends string = string,
> extends LiveOptions<M, N, L> {
  /** Request entries from the service when a page is requested. */
  readonly from: 'service';
}

export type SpaceLiveOptions<M extends ModelMap, N extends keyof M & string, L extends string> =
  | ReplicaLiveOptions<M, N, L>
  | ServiceLiveOptions<M, N, L>;

/** One entry: by the id that the loader gives it, or the first that matches. */
export type LiveEntryFilter<M extends ModelMap, N extends keyof M & string> =
  | { readonly id: string }
  | {
      /** Filters of the service (§4.1). An entry must match all of them. */
      readonly where: Where<M, N>;
      /** Decides which match is the first. Default `-_created_at`. */
      readonly order?: Order<M, N> | readonly Order<M, N>[];
    };

/** The same from the replica. The id of an entry begins with its language, so `lang` is for `where` only. */
type ReplicaEntryFilter<M extends ModelMap, N extends keyof M & string, Lang> =
  | { readonly id: string }
  | (Extract<LiveEntryFilter<M, N>, { readonly where: unknown }> & InLanguage<Lang>);

interface InLanguage<Lang> {
  /** One language of a collection with `langs`. */
  readonly lang?: Lang;
}

/** All entries, or those that match. */
export interface LiveCollectionFilter<M extends ModelMap, N extends keyof M & string> {
  /** Filters of the service (§4.1). An entry must match all of them. */
  readonly where?: Where<M, N>;
  /** Default `-_created_at`. */
  readonly order?: Order<M, N> | readonly Order<M, N>[];
  /** How many at most. Default: all, read page by page. */
  readonly limit?: number;
  /** How many to skip. */
  readonly offset?: number;
  /** Words that must all occur, in any text field. */
  readonly contains?: string | readonly string[];
}

/** What `space.liveLoader(model, options)` returns. From the replica, entries have the data of `space.loader`. */
export type SpaceLiveLoader<M extends ModelMap, N extends keyof M & string, O> = O extends {
  readonly from: 'service';
}
  ? ServiceLiveLoader<M, N, O>
  : LiveLoader<
      LoadedData<M, N, O>,
      ReplicaEntryFilter<M, N, OneOfLangs<O>>,
      LiveCollectionFilter<M, N> & InLanguage<OneOfLangs<O>>,
      LuidError | EntryNotFoundError
    >;

/** Entries as the service sends them. */
export type ServiceLiveLoader<M extends ModelMap, N extends keyof M & string, O> = O extends unknown
  ? LiveLoader<ServiceData<M, N, O>, LiveEntryFilter<M, N>, LiveCollectionFilter<M, N>, LuidError>
  : never;
export type ServiceData<M extends ModelMap, N extends keyof M & string, O> = Content<M, N, DepthIn<O, 1>>;

/** Any of them. */
export type AnyLiveLoader = LiveLoader<
  Record<string, unknown>,
  Record<string, unknown>,
  Record<string, unknown>,
  LuidError
>;

const SERVICE_OPTIONS = {
  depth: wholeNumber(0, LIMITS.maxDepth),
  id: string,
  drafts: boolean,
  lang: string,
  fallback: boolean,
  body: string,
} satisfies Record<keyof LiveOptions, OptionRule>;

/** The rules for what the replica serves. */
export const REPLICA_OPTIONS = {
  ...LOADER_OPTIONS,
  from: either(literal('replica'), literal('service')),
  refresh: duration,
} satisfies Record<keyof ReplicaLiveOptions, OptionRule>;

/** Throws when the loader is defined, not at the first request, for options that cannot work. */
export function checkLiveOptions(space: CheckedSpace, model: string, options: object): void {
  const place = placeOf(model);
  const replicaOnly = isObject(options) && Object.keys(options).find(isReplicaOnly);
  if (replicaOnly) {
    throw new LuidConfigError(`${place}: ${replicaOnly} is not available from the service`, {
      model,
      hint: "Use from: 'replica', which is the default of space.liveLoader(), or remove the option.",
    });
  }
  checkOptions(place, options, SERVICE_OPTIONS);
  checkNames(place, space, model, options, { id: isText, elseId: '_id', body: isHtml });
}

const isReplicaOnly = (name: string) =>
  Object.hasOwn(REPLICA_OPTIONS, name) && !Object.hasOwn(SERVICE_OPTIONS, name);

const placeOf = (model: string) => `liveLoader(${JSON.stringify(model)})`;

const isText = (field: FieldBase) => fieldTypeOf(field).text === 'line';

function isHtml(field: FieldBase): boolean {
  const format = formatOf(field) ?? 'html';
  return isRichText(field) && (format === 'html' || format === 'portable_html');
}

const ENTRY_FILTER = { id: string, where: WHERE, order: either(string, strings) };
const COLLECTION_FILTER = {
  where: WHERE,
  order: either(string, strings),
  limit: wholeNumber(1),
  offset: wholeNumber(0),
  contains: either(string, strings),
};

/** Throws for a filter of `getLiveEntry` that cannot work. `where` is checked when it is compiled. */
export function checkEntryFilter(
  models: ModelMap,
  model: string,
  filter: object,
  langs?: readonly string[],
): void {
  const place = `${placeOf(model)}, getLiveEntry`;
  // The id of an entry begins with its language.
  checkFilter(models, model, filter, place, ENTRY_FILTER, 'id' in filter ? undefined : langs);
  const { id, where } = filter as { id?: string; where?: object };
  if ((id === undefined) !== (where === undefined)) return;
  if (id !== undefined) {
    throw new LuidConfigError(`${place}: the filter has both id and where`, { hint: 'Pass one of them.' });
  }
  throw new LuidConfigError(`${place}: the filter has neither id nor where`, {
    hint: "Pass an id, or { where: { title: { eq: 'x' } } }.",
  });
}

/** Throws for a filter of `getLiveCollection` that cannot work. */
export function checkCollectionFilter(
  models: ModelMap,
  model: string,
  filter: object,
  langs?: readonly string[],
): void {
  checkFilter(models, model, filter, `${placeOf(model)}, getLiveCollection`, COLLECTION_FILTER, langs);
}

/** `langs`: those that `lang` may choose from. */
function checkFilter(
  models: ModelMap,
  model: string,
  filter: object,
  place: string,
  rules: OptionRules,
  langs: readonly string[] | undefined,
): void {
  const lang = langs && { lang: either(...langs.map((one) => literal(one))) };
  checkOptions(place, filter, { ...rules, ...lang });
  const { order } = filter as { order?: string | readonly string[] };
  if (order !== undefined) checkOrder(models, model, order, `${placeOf(model)}: order`);
}
