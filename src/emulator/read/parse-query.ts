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
import type { Projection } from '../fields/field-behaviour.ts';
import { keywords } from '../fields/operator-conditions.ts';
import { badRequest, HttpError } from '../http/http-error.ts';
import type { View } from '../state/item.ts';
import type { SeedKey } from '../state/seed-types.ts';
import type { State } from '../state/state.ts';
import {
  compileCondition,
  compileContains,
  isField,
  type QueryContext,
  type RawCondition,
} from './compile-filter.ts';
import { compileOrder } from './compile-order.ts';
import { parseFormats } from './parse-formats.ts';
import { parseSelect, splitNames } from './parse-select.ts';
import type { ListQuery } from './sorted-lists.ts';

/** The query parameters; of a repeated one, the last value. */
export type Parameters = ReadonlyMap<string, string>;

/** Limits the time of a request. */
const MAX_CONDITIONS = 200;

/** A read, not yet validated. */
export interface QueryRequest {
  readonly state: State;
  readonly assumptions: Assumptions;
  readonly key: SeedKey;
  readonly parameters: Parameters;
}

/** The validated parameters of a list or a read by id. */
export interface Query {
  readonly view: View;
  readonly depth: number;
  readonly projection: Projection;
  readonly list: ListQuery;
}

/** Parses the parameters that lists and reads by id have in common. */
export function parseQuery(
  { parameters, key, state, assumptions }: QueryRequest,
  options: { byId: boolean },
): Query {
  const view = parseView(parameters, key, state);
  const depth = parseInteger(parameters.get('depth'), LIMITS.defaultDepth, 0, LIMITS.maxDepth);
  const models = parseModels(parameters.get('model'), state, assumptions);
  const space = parseSpace(parameters.get('space'), key, state);
  const context: QueryContext = { state, view, assumptions };
  const { raw, formats } = parseBracketed(parameters, models, context);
  const contains = parameters.get('contains') ?? '';
  if (raw.length + keywords(contains).length > MAX_CONDITIONS) throw badRequest();
  const conditions = raw.flatMap((condition) => compileCondition(condition, models, context) ?? []);
  if (contains !== '') conditions.push(compileContains(contains, context));
  const order = parameters.get('order')?.trim() || DEFAULT_ORDER;
  const terms = compileOrder(order, models, context);
  // In a read by id, `model` restricts the neighbours, not the item.
  const formatModels = options.byId ? Object.keys(state.models) : models;
  const { reads, spaces, lang, fallback } = view;
  const listId = [reads, spaces ? [...spaces] : null, lang, fallback, models, space ?? null, order];
  return {
    view,
    depth,
    projection: {
      select: parseSelect(parameters.get('select')),
      formats: parseFormats(formats, formatModels, state, assumptions.unknownField),
    },
    list: {
      view,
      models,
      space,
      order: terms,
      conditions,
      unfilteredId: JSON.stringify(listId),
      id: JSON.stringify(conditions.length === 0 ? listId : [...listId, contains, raw]),
    },
  };
}

export function parsePage(parameters: Parameters): { offset: number; limit: number } {
  return {
    offset: parseInteger(parameters.get('offset'), 0, 0, Number.MAX_SAFE_INTEGER),
    limit: parseInteger(parameters.get('limit'), LIMITS.pageSize, 1, LIMITS.pageSize),
  };
}

/** §4.2: `include`. */
export function parseInclude(include: string | undefined): ReadonlySet<Include> {
  const included = splitNames(include);
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

/** The models to read: the known ones of `model`, or all. */
function parseModels(model: string | undefined, state: State, { unknownModel }: Assumptions): string[] {
  const requested = new Set(splitNames(model));
  if (requested.size === 0) return Object.keys(state.models);
  const known = Object.keys(state.models).filter((luid) => requested.has(luid));
  if (known.length < requested.size && unknownModel === 'error') throw badRequest();
  return known;
}

/** §4.1: `space`, which must exist and which the key must be allowed to read. */
export function parseSpace(space: string | undefined, key: SeedKey, state: State): string | undefined {
  if (space === undefined) return undefined;
  if (space !== PARENT_SPACE && !state.spaces?.has(space)) throw badRequest();
  if (key.spaces && !key.spaces.includes(space)) throw new HttpError(403);
  return space;
}

/** Parses `path[operator]` and `path[format]`. Anything else in brackets is ignored, unless the path is a field. */
function parseBracketed(parameters: Parameters, models: readonly string[], context: QueryContext) {
  const raw: RawCondition[] = [];
  const formats = new Map<string, string>();
  let unknownOperators = 0;
  for (const [name, operand] of parameters) {
    const match = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name);
    const [, path = '', operator = ''] = match ?? [];
    if (!match) continue;
    if (operator === 'format') formats.set(path, operand);
    else if ((OPERATORS as readonly string[]).includes(operator)) {
      raw.push({ path, operator: operator as Operator, operand });
    } else if (++unknownOperators > MAX_CONDITIONS || isField(path, models, context)) throw badRequest();
  }
  if (formats.size > MAX_CONDITIONS) throw badRequest();
  raw.sort((a, b) => (`${a.path}[${a.operator}` < `${b.path}[${b.operator}` ? -1 : 1));
  return { raw, formats };
}

function parseInteger(text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) throw badRequest();
  return number;
}
