import type { Order, ServiceDepth, Where } from '../../client/query/query-types.ts';
import { LIMITS } from '../../contract/limits.ts';
import { checkOrder } from '../../entries/order.ts';
import { LuidConfigError } from '../../errors.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isRichText } from '../../models/field-types/index.ts';
import type { ModelMap, System } from '../../models/types.ts';
import {
  boolean,
  checkOptions,
  either,
  literal,
  type OptionRule,
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

/** The fields of a model that extend a type, except those named like a system property. */
type KeysOf<M extends ModelMap, N extends keyof M, Field> = {
  [K in keyof M[N] & string]: M[N][K] extends Field ? K : never;
}[Exclude<keyof M[N] & string, keyof System>];

/** Flexible text that the service sends as HTML. */
type HtmlField = { readonly type: 'flexible_text'; readonly format?: 'html' | 'portable_html' };

/** `space.liveLoader(model, options)` */
export interface LiveOptions<
  D extends ServiceDepth = ServiceDepth,
  M extends ModelMap = ModelMap,
  N extends keyof M & string = never,
  L extends string = string,
> {
  /** How many references deep entries embed content. The service resolves them, up to 3. Default 1. */
  readonly depth?: D;
  /** The id of entries: a text field with unique values. Default: the content id. */
  readonly id?: KeysOf<M, N, { readonly type: 'text' }> | '_id';
  /** Read drafts too, with the key for drafts. */
  readonly drafts?: boolean;
  /** Language key. Default: the main language. */
  readonly lang?: L;
  /** Use main-language data for what has none in `lang`. */
  readonly fallback?: boolean;
  /** The flexible text that `render(entry)` renders. */
  readonly body?: KeysOf<M, N, HtmlField>;
}

/** One entry: by the id that the loader gives it, or the first that matches. */
export type LiveEntryFilter<M extends ModelMap, N extends keyof M & string> =
  | { readonly id: string }
  | {
      /** Filters of the service (§4.1). An entry must match all of them. */
      readonly where: Where<M, N>;
      /** Decides which match is the first. Default `-_created_at`. */
      readonly order?: Order<M, N> | readonly Order<M, N>[];
    };

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

const OPTIONS = {
  depth: wholeNumber(0, LIMITS.maxDepth),
  id: string,
  drafts: boolean,
  lang: string,
  fallback: boolean,
  body: string,
} satisfies Record<keyof LiveOptions, OptionRule>;

/** What the checks need of a space. */
interface CheckedSpace {
  readonly models: ModelMap;
  readonly settings?: Pick<Settings, 'languages'>;
}

/** Throws when the loader is defined, not at the first request, for options that cannot work. */
export function checkLiveOptions(space: CheckedSpace, model: string, options: object): void {
  const place = placeOf(model);
  const fields = findModel(place, space.models, model);
  if (isObject(options) && 'backlinks' in options) throw backlinksError(place, model);
  checkOptions(place, options, OPTIONS);
  const { id, body, lang } = options as LiveOptions<ServiceDepth, ModelMap, string>;
  if (id !== undefined && id !== '_id')
    checkField({ place, model, fields, option: 'id', also: '_id' }, id, isText);
  if (body !== undefined) checkField({ place, model, fields, option: 'body' }, body, isHtml);
  checkLanguages(place, space.settings?.languages, lang);
}

/** The service's filters match content that the key does not show, and do not reach into blocks. */
function backlinksError(place: string, model: string): LuidConfigError {
  return new LuidConfigError(`${place}: backlinks need from: 'replica'`, {
    model,
    hint: "Add from: 'replica': the service cannot list exactly what refers to an entry.",
  });
}

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

/** `langs`: those that `lang` may choose from. */
function langRule(langs: readonly string[] | undefined): Record<string, OptionRule> {
  return langs ? { lang: either(...langs.map((one) => literal(one))) } : {};
}

/** Throws for a filter of `getLiveEntry` that cannot work. `where` is checked when it is compiled. */
export function checkEntryFilter(
  models: ModelMap,
  model: string,
  filter: object,
  langs?: readonly string[],
): void {
  // The id of an entry begins with its language.
  const rules = 'id' in filter ? ENTRY_FILTER : { ...ENTRY_FILTER, ...langRule(langs) };
  checkOptions(`${placeOf(model)}, getLiveEntry`, filter, rules);
  const { id, where, order } = filter as { id?: string; where?: object; order?: string | readonly string[] };
  if (order !== undefined) checkOrder(models, model, order, `${placeOf(model)}: order`);
  if (id !== undefined && where !== undefined) {
    throw new LuidConfigError(`${placeOf(model)}, getLiveEntry: the filter has both id and where`, {
      hint: 'Pass one of them.',
    });
  }
  if (id !== undefined || where !== undefined) return;
  throw new LuidConfigError(`${placeOf(model)}, getLiveEntry: the filter has neither id nor where`, {
    hint: "Pass an id, or { where: { title: { eq: 'x' } } }.",
  });
}

/** Throws for a filter of `getLiveCollection` that cannot work. `langs`: those that `lang` may choose from. */
export function checkCollectionFilter(
  models: ModelMap,
  model: string,
  filter: object,
  langs?: readonly string[],
): void {
  const rules = { ...COLLECTION_FILTER, ...langRule(langs) };
  checkOptions(`${placeOf(model)}, getLiveCollection`, filter, rules);
  const { order } = filter as { order?: string | readonly string[] };
  if (order !== undefined) checkOrder(models, model, order, `${placeOf(model)}: order`);
}
