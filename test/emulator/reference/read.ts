import { BadRequest } from './bad-request.ts';
import { allTexts, containsAll } from './contains.ts';
import { contentObject } from './content.ts';
import { meets } from './filter.ts';
import { inOrder } from './order.ts';
import { type Parameters, parseParameters } from './parameters.ts';
import { availableLanguages, type Reader, type Shown, show, showById, spaceOf } from './reader.ts';
import type { Seed, SeedContent, Values } from './reference-seed.ts';
import { selectContent } from './select.ts';

export interface Answer {
  status: number;
  body: unknown;
}

export interface Question {
  key: string | undefined;
  /** Below the base address: `/contents` or `/contents/101`. */
  path: string;
  query: string;
}

const CODES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

/** The reading side of the service, as slow and as plain as it can be: what the service's specification says, in its order. */
export function read(seed: Seed, question: Question, mediaUrl: Reader['mediaUrl']): Answer {
  try {
    return { status: 200, body: answer(seed, question, mediaUrl) };
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { status: error.status, body: { status: String(error.status), code: CODES[error.status] } };
  }
}

function answer(seed: Seed, { key: value, path, query }: Question, mediaUrl: Reader['mediaUrl']): Values {
  const key = seed.keys.find((candidate) => candidate.key === value);
  if (!key) throw new BadRequest(401);
  const [, resource, id, ...further] = path.split('/');
  if (resource !== 'contents' || further.length > 0) throw new BadRequest(404);
  const parameters = parseParameters(seed, key, new URLSearchParams(query), id === undefined ? 'list' : 'id');
  const { lang, fallback } = parameters;
  const reader: Reader = { seed, key, lang, fallback, mediaUrl };
  return id === undefined ? list(reader, parameters) : byId(reader, parameters, id);
}

/** §4.1. */
function list(reader: Reader, parameters: Parameters): Values {
  const { limit, offset } = parameters;
  const matching = matchingItems(reader, parameters);
  const page = matching.slice(offset, offset + limit);
  return {
    total: matching.length,
    offset,
    limit,
    data: page.map((shown) => body(reader, parameters, shown)),
  };
}

/** §4.2. */
function byId(reader: Reader, parameters: Parameters, id: string): Values {
  if (!/^[1-9]\d*$/.test(id)) throw new BadRequest(400);
  const shown = showById(reader, Number(id));
  if (!shown) throw new BadRequest(404);
  return body(reader, parameters, shown, included(reader, parameters, shown));
}

function body(reader: Reader, { depth, select }: Parameters, shown: Shown, extra: Values = {}): Values {
  const whole = { ...contentObject(reader, shown, depth), ...extra };
  return select ? selectContent(reader.seed.models, whole, select) : whole;
}

function included(reader: Reader, parameters: Parameters, shown: Shown): Values {
  const neighbours = matchingItems(reader, parameters);
  const position = neighbours.findIndex((other) => other.content === shown.content);
  const neighbour = (step: number) => {
    const other = position < 0 ? undefined : neighbours[position + step];
    return other ? contentObject(reader, other, parameters.depth) : null;
  };
  const all: Record<string, () => unknown> = {
    _prev: () => neighbour(-1),
    _next: () => neighbour(+1),
    _langs: () => ({ current: shown.lang, available: availableLanguages(reader, shown.content) }),
  };
  return Object.fromEntries(parameters.include.map((name) => [name, all[name]?.()]));
}

/** Everything that meets the conditions, in order. */
function matchingItems(reader: Reader, parameters: Parameters): Shown[] {
  const asked = (content: SeedContent) =>
    parameters.models.includes(content.model) && (parameters.space ?? spaceOf(content)) === spaceOf(content);
  const items = reader.seed.contents
    .filter(asked)
    .map((content) => show(reader, content))
    .filter((shown) => shown !== undefined)
    .filter((shown) => parameters.filters.every((filter) => meets(reader, shown, filter)))
    .filter((shown) => containsAll(allTexts(reader, shown), parameters.contains));
  return inOrder(reader, items, parameters.order);
}
