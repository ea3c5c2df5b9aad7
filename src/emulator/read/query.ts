import { LIMITS } from '../../contract/limits.ts';
import { PARENT_SPACE } from '../../contract/luid.ts';
import {
  DEFAULT_ORDER,
  INCLUDES,
  type Include,
  OPERATORS,
  type Operator,
} from '../../contract/parameters.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Asked } from '../fields/field-behaviour.ts';
import { keywords } from '../fields/operator-conditions.ts';
import { badRequest, Refusal } from '../http/refusal.ts';
import type { View } from '../state/item.ts';
import type { SeedKey } from '../state/seed.ts';
import type { State } from '../state/state.ts';
import {
  type Condition,
  compileCondition,
  compileContains,
  type Ground,
  isField,
  type RawCondition,
} from './filter.ts';
import { parseFormats } from './format-paths.ts';
import type { ListQuery } from './lists.ts';
import { compileOrder } from './order.ts';
import { names, parseSelect } from './select.ts';

/** The parameters as they came: of one given twice, the last. */
export type Parameters = ReadonlyMap<string, string>;

/** More conditions than this are refused, so that no request takes long. */
const MOST_CONDITIONS = 200;

/** What a list or a read by id asks for, checked. */
export interface Query {
  readonly view: View;
  readonly depth: number;
  readonly asked: Asked;
  readonly list: ListQuery;
}

/** Everything that lists and reads by id have in common. */
export function parseQuery(
  parameters: Parameters,
  key: SeedKey,
  state: State,
  assumptions: Assumptions,
  options: { byId: boolean },
): Query {
  const view = parseView(parameters, key, state);
  const depth = wholeNumber(parameters.get('depth'), LIMITS.defaultDepth, 0, LIMITS.maxDepth);
  const models = parseModels(parameters.get('model'), state, assumptions);
  const space = parseSpace(parameters.get('space'), key, state);
  const ground: Ground = { state, view, assumptions };
  const { raw, formats } = sortBracketed(parameters, models, ground);
  const contains = parameters.get('contains') ?? '';
  if (raw.length + keywords(contains).length > MOST_CONDITIONS) throw badRequest();
  const conditions = raw
    .map((condition) => compileCondition(condition, models, ground))
    .filter((condition): condition is Condition => condition !== undefined);
  if (contains !== '') conditions.push(compileContains(contains, ground));
  const order = parameters.get('order')?.trim() || DEFAULT_ORDER;
  const terms = compileOrder(order, models, view, state, assumptions);
  // A read by id may show an item of another model than those that its neighbours are of.
  const formatModels = options.byId ? Object.keys(state.models) : models;
  const set = [view.reads, [...(view.spaces ?? [])], view.lang, view.fallback, models, space ?? null, order];
  return {
    view,
    depth,
    asked: {
      select: parseSelect(parameters.get('select')),
      formats: parseFormats(formats, formatModels, state, assumptions.unknownField),
    },
    list: {
      view,
      models,
      space,
      order: terms,
      conditions,
      unfilteredId: JSON.stringify(set),
      id: JSON.stringify(conditions.length === 0 ? set : [...set, contains, raw]),
    },
  };
}

export function parsePage(parameters: Parameters): { offset: number; limit: number } {
  return {
    offset: wholeNumber(parameters.get('offset'), 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(parameters.get('limit'), LIMITS.pageSize, 1, LIMITS.pageSize),
  };
}

/** §4.2: `include`. */
export function parseInclude(include: string | undefined): ReadonlySet<Include> {
  const included = names(include);
  if (included.some((name) => !(INCLUDES as readonly string[]).includes(name))) throw badRequest();
  return new Set(included as Include[]);
}

function parseView(parameters: Parameters, key: SeedKey, state: State): View {
  const { main, sub } = state.languages;
  const lang = parameters.get('lang') ?? main;
  if (lang !== main && !sub.includes(lang)) throw badRequest();
  const fallback = parameters.get('lang_fallback') ?? 'false';
  if (fallback !== 'true' && fallback !== 'false') throw badRequest();
  const spaces = key.spaces && new Set(key.spaces);
  return { reads: key.reads, spaces, lang, main, fallback: fallback === 'true' };
}

/** The known ones of the models asked for. */
function parseModels(model: string | undefined, state: State, { unknownModel }: Assumptions): string[] {
  const asked = new Set(names(model));
  if (asked.size === 0) return Object.keys(state.models);
  const known = Object.keys(state.models).filter((luid) => asked.has(luid));
  if (known.length < asked.size && unknownModel === 'error') throw badRequest();
  return known;
}

/** §4.1: `space`, which must be there and be one of the key's. */
export function parseSpace(space: string | undefined, key: SeedKey, state: State): string | undefined {
  if (space === undefined) return undefined;
  if (space !== PARENT_SPACE && !state.spaces?.has(space)) throw badRequest();
  if (key.spaces && !key.spaces.includes(space)) throw new Refusal(403);
  return space;
}

/** `path[operator]` and `path[format]`. Anything else in brackets is ignored, unless it is said of a field. */
function sortBracketed(parameters: Parameters, models: readonly string[], ground: Ground) {
  const raw: RawCondition[] = [];
  const formats = new Map<string, string>();
  let strange = 0;
  for (const [name, operand] of parameters) {
    const match = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name);
    const [, path = '', operator = ''] = match ?? [];
    if (!match) continue;
    if (operator === 'format') formats.set(path, operand);
    else if ((OPERATORS as readonly string[]).includes(operator)) {
      raw.push({ path, operator: operator as Operator, operand });
    } else if (++strange > MOST_CONDITIONS || isField(path, models, ground)) throw badRequest();
  }
  if (formats.size > MOST_CONDITIONS) throw badRequest();
  raw.sort((a, b) => (`${a.path}[${a.operator}` < `${b.path}[${b.operator}` ? -1 : 1));
  return { raw, formats };
}

function wholeNumber(text: string | undefined, fallback: number, least: number, most: number): number {
  if (text === undefined) return fallback;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) throw badRequest();
  return number;
}
