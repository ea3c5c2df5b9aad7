import type { WireLangs, WireList } from '../../contract/content.ts';
import { RELIABLE_NEIGHBOURS } from '../../contract/limits.ts';
import type { Projection } from '../fields/field-behaviour.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { dataInLanguage, type Item, languageInView, type View } from '../state/item.ts';
import type { State } from '../state/state.ts';
import { findNeighbour, sliceItems } from './list-slices.ts';
import { parseInclude, parsePage, parseQuery, type Query, type QueryRequest } from './parse-query.ts';
import { type SerializeContext, serializeContent } from './serialize-content.ts';
import type { ListCache } from './sorted-lists.ts';

/** What handling a read needs. */
export interface ReadRequest extends QueryRequest {
  readonly lists: ListCache;
  readonly assetsUrl: string;
  /** A different number for each request, for `tieOrder: 'shuffled'`. */
  readonly shuffleSeed: number;
}

/** §4.1: GET /contents. */
export function readList(request: ReadRequest): WireList<unknown> {
  const { parameters, assumptions, lists } = request;
  if (parameters.has('include')) throw badRequest();
  const query = parseQuery(request, { byId: false });
  const { offset, limit } = parsePage(parameters);
  const list = lists.find(query.list, assumptions);
  const items = sliceItems(list, offset, offset + limit, getShuffleSeed(request));
  const context: SerializeContext = { ...request, view: query.view };
  const data = items.map((item) => serializeContent(item, query.depth, query.projection, context));
  return { total: list.items.length, offset, limit, data };
}

/** §4.2: GET /contents/{content_id}. */
export function readById(id: string, request: ReadRequest): Record<string, unknown> {
  const { parameters, state } = request;
  if (!/^[1-9]\d*$/.test(id)) throw badRequest();
  const query = parseQuery(request, { byId: true });
  const include = parseInclude(parameters.get('include'));
  const item = state.findVisible(Number(id), query.view);
  const context: SerializeContext = { ...request, view: query.view };
  const object = item && serializeContent(item, query.depth, query.projection, context);
  if (!item || !object) throw notFound();
  for (const side of ['_prev', '_next'] as const) {
    const projection = include.has(side) && selectPart(query.projection, side);
    if (!projection) continue;
    const neighbour = findSide(item, side, query, request);
    object[side] = (neighbour && serializeContent(neighbour, query.depth, projection, context)) ?? null;
  }
  const langs = include.has('_langs') && selectPart(query.projection, '_langs');
  if (langs) object._langs = pickLangs(createLangs(item, query.view, state), langs);
  return object;
}

/** What is selected of an included property; `undefined`: nothing. */
function selectPart(projection: Projection, name: string): Projection | undefined {
  const part = projection.select ? projection.select.get(name) : 'all';
  if (part === undefined) return undefined;
  return { select: part === 'all' ? undefined : part, formats: projection.formats };
}

function findSide(item: Item, side: '_prev' | '_next', query: Query, request: ReadRequest): Item | undefined {
  const list = request.lists.find(query.list, request.assumptions);
  const isWrong = request.assumptions.wrongNeighbours && list.items.length > RELIABLE_NEIGHBOURS[side];
  const step = (side === '_prev' ? -1 : 1) * (isWrong ? 2 : 1);
  return findNeighbour(list, item, step, getShuffleSeed(request));
}

/** §2.2: `_langs`. Languages whose publication status does not match the key are omitted. */
function createLangs(item: Item, view: View, state: State): WireLangs {
  const { main, sub } = state.languages;
  return {
    current: languageInView(item, view) ?? main,
    available: [main, ...sub].filter((lang) => dataInLanguage(item, view.reads, lang) !== undefined),
  };
}

function pickLangs(langs: WireLangs, { select }: Projection): Partial<WireLangs> {
  if (!select) return langs;
  return Object.fromEntries(Object.entries(langs).filter(([name]) => select.has(name)));
}

function getShuffleSeed({ assumptions, shuffleSeed }: ReadRequest): number | undefined {
  return assumptions.tieOrder === 'shuffled' ? shuffleSeed : undefined;
}
