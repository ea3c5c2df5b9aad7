import type { Where } from '../../client/query/query-types.ts';
import { SYSTEM_NAMES } from '../../contract/content.ts';
import { DEFAULT_ORDER } from '../../contract/parameters.ts';
import type { BacklinkRule } from '../../entries/backlinks.ts';
import { type Conditions, compileFilter } from '../../entries/filter.ts';
import { filterReach } from '../../entries/filter-reach.ts';
import { compileOrderKeys, orderFields } from '../../entries/order.ts';
import { LuidConfigError } from '../../errors.ts';
import { isRecord } from '../../is-record.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { declaredFields, fieldsOf } from '../../models/fields-of.ts';
import {
  plainPath,
  type ReferencePaths,
  referenceFields,
  referencesAt,
} from '../../models/reference-paths.ts';
import { MAX_DEPTH } from '../../models/schema.ts';
import type { Content, Depth, ModelMap } from '../../models/types.ts';
import {
  checkOptions,
  either,
  type OptionRule,
  showValue,
  string,
  strings,
  wholeNumber,
} from '../../options.ts';
import { WHERE } from '../../space/option-checks.ts';
import { suggest } from '../../suggest.ts';
import type { EntryOrder } from './field-names.ts';

/** One list of items that refer to an entry. */
interface BacklinkOptions<M extends ModelMap, N extends string, From extends keyof M & string> {
  /** The model of the items. */
  readonly from: From;
  /** Their reference field; `'related.article'` or `'related[].article'` in a repeat, `'sections.hero.link'` in a block. */
  readonly by: ReferencePaths<M[From], N>;
  /** Only items that match. */
  readonly where?: Where<M, From>;
  /** Default `-_created_at`. */
  readonly order?: EntryOrder<M[From]> | readonly EntryOrder<M[From]>[];
  /** How many at most. Default: all. */
  readonly limit?: number;
  /** How many references deep the items embed content. Default 0: references are ids. */
  readonly depth?: Depth;
}

/** The option `backlinks`: field of `data` → list. */
export type BacklinksOption<M extends ModelMap> = {
  readonly [name: string]: {
    readonly from: keyof M & string;
    readonly by: string;
    readonly where?: object;
    readonly order?: string | readonly string[];
    readonly limit?: number;
    readonly depth?: Depth;
  };
};

/** The option as it was inferred; what is wrong in it becomes `never`. */
export type CheckedBacklinks<M extends ModelMap, N extends keyof M & string, Backlinks> = {
  readonly [Name in keyof Backlinks]: Name extends keyof M[N] | `_${string}` | ''
    ? never
    : Backlinks[Name] extends { readonly from: infer From extends keyof M & string }
      ? CheckedParts<BacklinkOptions<M, N, From>, Backlinks[Name]>
      : BacklinkOptions<M, N, keyof M & string>;
};

/** An inferred type contains whatever was written: what is not an option is found name by name. */
type CheckedParts<Options, Written> = {
  readonly [K in keyof Written]: K extends 'where'
    ? CheckedWhere<PropertyOf<Options, 'where'>, Written[K]>
    : PropertyOf<Options, K>;
};
type CheckedWhere<Conditions, Written> = {
  readonly [Path in keyof Written]: CheckedCondition<PropertyOf<Conditions, Path>, Written[Path]>;
};
type CheckedCondition<Condition, Written> = Written extends object
  ? { readonly [Operator in keyof Written]: PropertyOf<Condition, Operator> }
  : never;
/** `never` if the type has no such property. Of a union, that of each part that has it. */
type PropertyOf<T, K> = T extends unknown ? (K extends keyof T ? NonNullable<T[K]> : never) : never;

/** The lists in the data of an entry. */
export type BacklinkData<M extends ModelMap, Backlinks> = {
  -readonly [Name in keyof Backlinks]: Backlinks[Name] extends {
    readonly from: infer From extends keyof M & string;
  }
    ? Content<M, From, DepthOf<Backlinks[Name]>>[]
    : never;
};
type DepthOf<Options> = Options extends { readonly depth: infer D extends Depth } ? D : 0;

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
} satisfies Record<keyof BacklinksOption<ModelMap>[string], OptionRule>;

/** Checks the option, and throws for what cannot work. `BACKLINKS` has accepted it. */
export function planBacklinks(
  place: string,
  models: ModelMap,
  model: string,
  backlinks: BacklinksOption<ModelMap>,
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
      orderFields: orderFields(order),
      order: compileOrderKeys(models, from, order, `${own}: order`),
      limit,
      depth: options.depth ?? 0,
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
