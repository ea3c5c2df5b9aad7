import { BadRequest } from './bad-request.ts';
import { findFields } from './field-path.ts';
import { checkFilter, type Filter } from './filter.ts';
import { type Criterion, checkOrder, parseOrder } from './order.ts';
import type { Key, Seed } from './reference-seed.ts';
import { parseSelect } from './select.ts';

/** The parameters of §4.1 and §4.2, checked and with their defaults. */
export interface Parameters {
  select: string[][] | undefined;
  depth: number;
  order: Criterion[];
  limit: number;
  offset: number;
  /** The models asked for that exist. */
  models: string[];
  lang: string;
  fallback: boolean;
  space: string | undefined;
  contains: string;
  filters: Filter[];
  include: string[];
}

const OPERATORS = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'has'];
const FORMATS = ['html', 'text', 'markdown', 'portable_html'];

export function parseParameters(
  seed: Seed,
  key: Key,
  query: URLSearchParams,
  endpoint: 'list' | 'id',
): Parameters {
  const last = (name: string) => query.getAll(name).at(-1);
  const space = parseSpace(seed, key, last('space'));
  const models = (last('model')?.split(',') ?? Object.keys(seed.models)).filter((model) =>
    Object.hasOwn(seed.models, model),
  );
  const order = parseOrder(last('order') ?? '-_created_at');
  // Where no model is left there are still the system properties.
  const judges = models.length > 0 ? models : [''];
  for (const criterion of order) checkOrder(seed, judges, criterion);
  // §4.2: on a read by id `model` only defines an ordering.
  checkFormats(seed, endpoint === 'id' ? Object.keys(seed.models) : judges, query);
  return {
    select: last('select') === undefined ? undefined : parseSelect(last('select')!),
    depth: wholeNumber(last('depth'), 0, 3) ?? 1,
    order,
    limit: wholeNumber(last('limit'), 1, 100) ?? 100,
    offset: wholeNumber(last('offset'), 0, Number.MAX_SAFE_INTEGER) ?? 0,
    models,
    lang: oneOf(last('lang'), [seed.languages.main, ...seed.languages.sub]) ?? seed.languages.main,
    fallback: oneOf(last('lang_fallback'), ['false', 'true']) === 'true',
    space,
    contains: last('contains') ?? '',
    filters: parseFilters(seed, judges, query),
    include: parseInclude(last('include'), endpoint),
  };
}

function wholeNumber(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > most) throw new BadRequest();
  return Number(text);
}

function oneOf(text: string | undefined, allowed: string[]): string | undefined {
  if (text !== undefined && !allowed.includes(text)) throw new BadRequest();
  return text;
}

/** A space that does not exist is a mistake; one that the key may not read is forbidden. */
function parseSpace(seed: Seed, key: Key, text: string | undefined): string | undefined {
  const space = oneOf(text, seed.spaces ?? ['_parent']);
  if (space !== undefined && key.spaces && !key.spaces.includes(space)) throw new BadRequest(403);
  return space;
}

/** §4.2: valid only on a read by id. */
function parseInclude(text: string | undefined, endpoint: 'list' | 'id'): string[] {
  if (text === undefined) return [];
  if (endpoint === 'list') throw new BadRequest();
  const names = text.split(',');
  for (const name of names) oneOf(name, ['_prev', '_next', '_langs']);
  return names;
}

/** `path[operator]=operand`. A parameter that names neither a field nor an operator is none of ours. */
function parseFilters(seed: Seed, models: string[], query: URLSearchParams): Filter[] {
  const bracketed = bracketedParameters(query).filter(({ operator }) => operator !== 'format');
  const unknown = bracketed.filter(({ operator }) => !OPERATORS.includes(operator));
  if (unknown.some(({ path }) => typesAt(seed, models, path).length > 0)) throw new BadRequest();
  const filters = bracketed.filter(({ operator }) => OPERATORS.includes(operator));
  for (const filter of filters) checkFilter(seed, models, filter);
  return filters;
}

/** `path[format]=format`, for flexible text. */
function checkFormats(seed: Seed, models: string[], query: URLSearchParams): void {
  for (const { path, operator, operand } of bracketedParameters(query)) {
    if (operator !== 'format') continue;
    if (!FORMATS.includes(operand) || !typesAt(seed, models, path).includes('flexible_text')) {
      throw new BadRequest();
    }
  }
}

function bracketedParameters(query: URLSearchParams): Filter[] {
  return [...new Set(query.keys())].flatMap((name) => {
    const [, path, operator] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? [];
    const operand = query.getAll(name).at(-1);
    return path === undefined || operator === undefined || operand === undefined
      ? []
      : [{ path, operator, operand }];
  });
}

function typesAt(seed: Seed, models: string[], path: string): string[] {
  return models.flatMap((model) => findFields(seed, model, path)).map((fieldPath) => fieldPath.type);
}
