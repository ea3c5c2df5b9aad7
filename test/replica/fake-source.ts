import type { QueryParameters } from '../../src/client/http/canonical-url.ts';
import type { WireContent, WireList } from '../../src/contract/content.ts';
import type { TimeProperty } from '../../src/contract/item-times.ts';
import { timeOf } from '../../src/contract/item-times.ts';
import type { Models, PageQuery, Source } from '../../src/replica/read/source.ts';
import { wire } from '../models/content.ts';

/** An item that was created in a second since 1970. Ids follow the order of creation unless a test says otherwise. */
export const at = (id: number, second = id, fields: Record<string, unknown> = {}) =>
  wire('article', { _created_at: new Date(1000 * second).toISOString(), ...fields }, id);

export const range = (count: number, from = 1) => Array.from({ length: count }, (_, n) => at(n + from));
export const idsOf = (items: readonly WireContent[]) => items.map(({ _id }) => _id);

/** One request for a page, as the source received it. */
type PageRequest = Pick<PageQuery, 'models' | 'by' | 'filters' | 'offset' | 'limit' | 'bypassCdn'>;

export interface FakeSource extends Source {
  /** What the service has now. A test may replace it at any moment. */
  items: WireContent[];
  /** Happens before the page request of this number, from 1. */
  readonly before: Map<number, () => void>;
  /** Changes the response to a page request. */
  respond: (list: WireList, request: PageRequest, number: number) => WireList;
  /** Decides the order of items of the same time: of equal ranks, the lower id is first. */
  rank: (item: WireContent, number: number) => number;
  readonly pages: PageRequest[];
  readonly counts: { models: Models; filters: QueryParameters }[];
  readonly idLists: (readonly number[])[];
}

/** A service of one list in memory, which can change between any two requests. */
export function createFakeSource(items: WireContent[], models = ['article']): FakeSource {
  const matching = (names: Models, filters: QueryParameters = {}) => {
    const conditions = Object.entries(filters).flatMap(([name, value]) =>
      value === undefined ? [] : conditionOf(name, value),
    );
    return fake.items.filter(
      (item) => names.includes(item._model) && conditions.every((condition) => condition(item)),
    );
  };
  const fake: FakeSource = {
    models,
    items,
    before: new Map(),
    respond: (list) => list,
    rank: () => 0,
    pages: [],
    counts: [],
    idLists: [],
    async page({ models: names, by, filters, offset, limit, bypassCdn }) {
      const request = { models: names, by, filters, offset, limit, bypassCdn };
      const number = fake.pages.push(request);
      fake.before.get(number)?.();
      const all = matching(names, filters)
        .map((item) => ({ item, time: timeOf(item, by), rank: fake.rank(item, number) }))
        .sort((a, b) => a.time - b.time || a.rank - b.rank || a.item._id - b.item._id)
        .map(({ item }) => item);
      const data = all.slice(offset, offset + limit);
      return fake.respond({ total: all.length, offset, limit, data }, request, number);
    },
    async count(names, { filters = {} } = {}) {
      fake.counts.push({ models: names, filters });
      return matching(names, filters).length;
    },
    async byId(ids) {
      fake.idLists.push(ids);
      return fake.items.filter(({ _id }) => ids.includes(_id));
    },
    newest: () => Promise.reject(new Error('not part of this test')),
    modelsOf: () => Promise.reject(new Error('not part of this test')),
    now: () => Promise.reject(new Error('not part of this test')),
  };
  return fake;
}

/** Whether an item fulfils `{time}[gte]` or `{time}[lt]`. */
function conditionOf(name: string, value: unknown): (item: WireContent) => boolean {
  const [, property, operator] = /^(\w+)\[(gte|lt)\]$/.exec(name) ?? [];
  if (!property) throw new Error(`${name} is not a filter of this source`);
  const limit = Date.parse(String(value));
  const time = (item: WireContent) => timeOf(item, property as TimeProperty);
  return operator === 'gte' ? (item) => time(item) >= limit : (item) => time(item) < limit;
}
