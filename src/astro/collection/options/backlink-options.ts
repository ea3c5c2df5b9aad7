import type { Where } from '../../../client/query/query-types.ts';
import { SYSTEM_NAMES } from '../../../contract/content.ts';
import { DEFAULT_ORDER } from '../../../contract/parameters.ts';
import type { BacklinkRule } from '../../../entries/backlinks.ts';
import { type Conditions, compileFilter } from '../../../entries/query/filter.ts';
import { filterReach } from '../../../entries/query/filter-reach.ts';
import { compileOrder } from '../../../entries/query/order.ts';
import { targetsOf } from '../../../models/field-types/reference.ts';
import { declaredFields, fieldsOf } from '../../../models/fields-of.ts';
import {
  plainPath,
  type ReferencePaths,
  referenceFields,
  referencesAt,
} from '../../../models/reference-paths.ts';
import { MAX_DEPTH } from '../../../models/schema.ts';
import type { Depth, Fields, ModelMap } from '../../../models/types.ts';
import { LuidConfigError } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
import {
  checkOptions,
  either,
  type OptionRule,
  showValue,
  string,
  strings,
  wholeNumber,
} from '../../../shared/options.ts';
import { suggest } from '../../../shared/suggest.ts';
import { WHERE } from '../../../space/option-checks.ts';
import type { EntryOrder } from './field-names.ts';

/** One list of items that refer to an entry. */
export interface BacklinkOptions<
  M extends ModelMap = ModelMap,
  From extends keyof M & string = string,
  By extends string = string,
> {
  /** The model of the items. */
  readonly from: From;
  /** Their reference field; `'related.article'` or `'related[].article'` in a repeat, `'sections.hero.link'` in a block. */
  readonly by: By;
  /** Only items that match. */
  readonly where?: Where<M, From>;
  /** Default `-_created_at`. */
  readonly order?: EntryOrder<M[From]> | readonly EntryOrder<M[From]>[];
  /** How many at most. Default: all. */
  readonly limit?: number;
  /** How many references deep the items embed content. Default 0: references are ids. */
  readonly depth?: Depth;
}

/** The option `backlinks`: property of `data` → list. */
export type Backlinks<M extends ModelMap, N extends string> = {
  readonly [name: string]: BacklinksTo<M, N>;
};

/** The names of lists in options `O` that are those of fields or system properties. */
export type TakenNames<F extends Fields, O> = O extends { readonly backlinks: infer Lists }
  ? keyof Lists & (keyof F | `_${string}` | '')
  : never;
export type NamesAreTaken<Names extends PropertyKey> = {
  readonly [Name in Names]: `choose another name: ${Name & string} is a field, or begins with _`;
};

/** Lists of each model that refers to model `N`; if none does, a text, which the compiler then shows. */
type BacklinksTo<M extends ModelMap, N extends string> = [ListsTo<M, N>] extends [never]
  ? `no model of the map has a reference to ${N}`
  : ListsTo<M, N>;
type ListsTo<M extends ModelMap, N extends string> = {
  [From in keyof M & string]: [ReferencePaths<M[From], N>] extends [never]
    ? never
    : BacklinkOptions<M, From, ReferencePaths<M[From], N>>;
}[keyof M & string];

export const BACKLINKS: OptionRule = {
  expected: "an object such as { articles: { from: 'article', by: 'author' } }",
  accepts: (value) => isRecord(value) && Object.values(value).every(isRecord),
};

const LIST_OPTIONS = {
  from: string,
  by: string,
  where: WHERE,
  order: either(string, strings),
  limit: wholeNumber(1),
  depth: wholeNumber(0, MAX_DEPTH),
} satisfies Record<keyof BacklinkOptions, OptionRule>;

/** Checks the option, and throws for what cannot work. `BACKLINKS` has accepted it. */
export function checkBacklinks(
  place: string,
  models: ModelMap,
  model: string,
  backlinks: { readonly [name: string]: BacklinkOptions },
  maxEmbedded: number,
): BacklinkRule[] {
  return Object.entries(backlinks).map(([name, options]) => {
    const own = `${place}: backlinks.${showName(name)}`;
    checkName(own, models, model, name);
    checkOptions(own, options, LIST_OPTIONS);
    const { from, where = {}, order = DEFAULT_ORDER, limit = Number.POSITIVE_INFINITY } = options;
    checkFrom(own, models, model, from);
    const fields = fieldsOf(models, from);
    const by = plainPath(fields, options.by ?? '');
    checkBy(own, models, model, from, by);
    return {
      name,
      from,
      by,
      targetsOf: (item) => referencesAt(fields, item, by),
      filter: compileFilter(models, from, where as Conditions, own),
      filterReach: filterReach(models, from, where as Conditions),
      whereFields: Object.keys(where).map((path) => path.split('.')[0] as string),
      order: compileOrder(models, from, order, `${own}: order`),
      limit,
      depth: options.depth ?? 0,
      maxEmbedded,
    };
  });
}

const showName = (name: string) => (/^\w+$/.test(name) ? name : `[${showValue(name)}]`);

function checkName(own: string, models: ModelMap, model: string, name: string): void {
  if (Object.hasOwn(fieldsOf(models, model), name)) {
    throw new LuidConfigError(`${own}: ${model} has a field of that name`, {
      model,
      field: name,
      hint: 'Choose another name: it becomes a property of `data`, beside the fields.',
    });
  }
  if (name !== '' && !name.startsWith('_')) return;
  throw new LuidConfigError(`${own}: the name must not be empty, or begin with _`, {
    model,
    hint: 'Choose another name: those that begin with _ are system properties.',
  });
}

function checkFrom(own: string, models: ModelMap, model: string, from: string | undefined): void {
  if (from !== undefined && declaredFields(models, from)) return;
  const known = Object.keys(models);
  const problem =
    from === undefined ? '.from is missing' : `: from names ${showValue(from)}, which is not declared`;
  throw new LuidConfigError(`${own}${problem}`, {
    model,
    hint: `${suggest(from, known)}Use a model that refers to ${model}: one of ${known.join(', ')}.`,
  });
}

function checkBy(own: string, models: ModelMap, model: string, from: string, by: string): void {
  const fields = referenceFields(fieldsOf(models, from)).filter(
    ([path]) => !SYSTEM_NAMES.has(path.split('.')[0] as string),
  );
  const canHold = ([, field]: (typeof fields)[number]) => targetsOf(field)?.includes(model) ?? true;
  const usable = fields.filter(canHold).map(([path]) => path);
  if (usable.includes(by)) return;
  const known = fields.find(([path]) => path === by)?.[1];
  const problem =
    by === ''
      ? '.by is missing'
      : known
        ? `: by names ${showValue(by)}, which refers to ${targetsOf(known)?.join(' or ')}, not to ${model}`
        : `: by names ${showValue(by)}, which is not a reference field of ${from}`;
  throw new LuidConfigError(`${own}${problem}`, {
    model: from,
    ...(by !== '' && { field: by }),
    hint:
      (known ? '' : suggest(by, usable)) +
      (usable.length > 0
        ? `Use one of ${usable.join(', ')}.`
        : `${from} has no field that can refer to ${model}.`),
  });
}
