import type { WireLangs, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Asked } from '../fields/field-behaviour.ts';
import { badRequest, notFound } from '../http/refusal.ts';
import { dataIn, type Item, shownLang, type View } from '../state/item.ts';
import type { SeedKey } from '../state/seed.ts';
import type { State } from '../state/state.ts';
import type { Lists } from './lists.ts';
import { type Parameters, parseInclude, parsePage, parseQuery, type Query } from './query.ts';
import { type Showing, showContent } from './show.ts';
import { itemsAt, neighbourOf } from './ties.ts';

/** What answering a read needs. */
export interface Reading {
  readonly state: State;
  readonly lists: Lists;
  readonly assumptions: Assumptions;
  readonly assetsUrl: string;
  readonly key: SeedKey;
  readonly parameters: Parameters;
  /** A number that no other request has, for `tieOrder: 'shuffled'`. */
  readonly shuffle: number;
}

/** §4.1: GET /contents. */
export function readList(reading: Reading): WireList<unknown> {
  const { parameters, key, state, assumptions, lists } = reading;
  if (parameters.has('include')) throw badRequest();
  const query = parseQuery(parameters, key, state, assumptions, { byId: false });
  const { offset, limit } = parsePage(parameters);
  const list = lists.find(query.list, assumptions);
  const items = itemsAt(list, offset, offset + limit, shuffleOf(reading));
  return {
    total: list.items.length,
    offset,
    limit,
    data: items.map((item) => showContent(item, query.depth, query.asked, showingOf(reading, query))),
  };
}

/** §4.2: GET /contents/{content_id}. */
export function readOne(id: string, reading: Reading): Record<string, unknown> {
  const { parameters, key, state, assumptions } = reading;
  if (!/^[1-9]\d*$/.test(id)) throw badRequest();
  const query = parseQuery(parameters, key, state, assumptions, { byId: true });
  const include = parseInclude(parameters.get('include'));
  const item = state.find(Number(id), query.view);
  const shown = item && showContent(item, query.depth, query.asked, showingOf(reading, query));
  if (!item || !shown) throw notFound();
  for (const side of ['_prev', '_next'] as const) {
    const asked = include.has(side) && partOf(query.asked, side);
    if (asked) shown[side] = showNeighbour(item, side, asked, query, reading);
  }
  const langs = include.has('_langs') && partOf(query.asked, '_langs');
  if (langs) shown._langs = pickLangs(langsOf(item, query.view, state), langs);
  return shown;
}

/** What `select` leaves of an included property; `undefined`: nothing. */
function partOf(asked: Asked, name: string): Asked | undefined {
  const part = asked.select ? asked.select.get(name) : 'all';
  if (part === undefined) return undefined;
  return { select: part === 'all' ? undefined : part, formats: asked.formats };
}

function showNeighbour(
  item: Item,
  side: '_prev' | '_next',
  asked: Asked,
  query: Query,
  reading: Reading,
): unknown {
  const list = reading.lists.find(query.list, reading.assumptions);
  const reliable = side === '_prev' ? LIMITS.reliablePrev : LIMITS.reliableNext;
  const wrong = reading.assumptions.wrongNeighbours && list.items.length > reliable;
  const step = (side === '_prev' ? -1 : 1) * (wrong ? 2 : 1);
  const neighbour = neighbourOf(list, item, step, shuffleOf(reading));
  return neighbour ? (showContent(neighbour, query.depth, asked, showingOf(reading, query)) ?? null) : null;
}

/** §2.2: languages whose publication status does not match the key are left out. */
function langsOf(item: Item, view: View, state: State): WireLangs {
  const { main, sub } = state.languages;
  return {
    current: shownLang(item, view) ?? main,
    available: [main, ...sub].filter((lang) => dataIn(item, view.reads, lang) !== undefined),
  };
}

function pickLangs(langs: WireLangs, { select }: Asked): Partial<WireLangs> {
  if (!select) return langs;
  return Object.fromEntries(Object.entries(langs).filter(([name]) => select.has(name)));
}

function showingOf({ state, assumptions, assetsUrl }: Reading, { view }: Query): Showing {
  return { state, view, assumptions, assetsUrl };
}

function shuffleOf({ assumptions, shuffle }: Reading): number | undefined {
  return assumptions.tieOrder === 'shuffled' ? shuffle : undefined;
}
