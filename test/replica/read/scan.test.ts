import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { type Scan, scan } from '../../../src/replica/read/scan.ts';
import { LuidResponseError } from '../../../src/shared/errors.ts';
import { at, createFakeSource, type FakeSource, idsOf, range } from '../fake-source.ts';

const read = (source: FakeSource, what: Partial<Scan> = {}) =>
  scan(source, { models: ['article'], by: '_created_at', ...what });
const offsets = ({ pages }: FakeSource, from = 0) => pages.slice(from).map(({ offset }) => offset);
const without = (items: readonly WireContent[], ...ids: number[]) =>
  items.filter(({ _id }) => !ids.includes(_id));

describe('pages', () => {
  test('whose items were read by id prove nothing by their totals', async () => {
    const source = createFakeSource(range(150));
    const large = async (query: Parameters<typeof source.page>[0]) => ({
      ...(await source.page(query)),
      isById: query.offset > 0,
    });
    const { items, isSteady, isFromPages } = await read({ ...source, page: large });
    expect([items.length, isSteady, isFromPages]).toEqual([150, true, false]);
  });

  test.each([
    [0, [0]],
    [1, [0]],
    [100, [0]],
    [101, [0, 99]],
    [199, [0, 99]],
    [200, [0, 99, 198]],
    [250, [0, 99, 198]],
  ])('of %d items overlap by one', async (count, expected) => {
    const source = createFakeSource(range(count));
    const { items, isSteady, isFromPages } = await read(source);
    expect(idsOf(items)).toEqual(idsOf(range(count)));
    expect([isSteady, isFromPages]).toEqual([true, true]);
    expect(offsets(source)).toEqual(expected);
  });

  test('are requested with the given parameters', async () => {
    const filters = { '_created_at[gte]': new Date(0).toISOString() };
    const source = createFakeSource(range(3));
    await read(source, { filters, by: '_updated_at' });
    await read(source, { models: ['article'], bypassCdn: true });
    expect(source.pages).toEqual([
      { models: ['article'], by: '_updated_at', filters, offset: 0, limit: 100, bypassCdn: undefined },
      { models: ['article'], by: '_created_at', filters: undefined, offset: 0, limit: 100, bypassCdn: true },
    ]);
  });

  test('that are likely to exist are requested at once', async () => {
    const source = createFakeSource(range(250));
    const reading = read(source, { expected: 250 });
    expect(offsets(source)).toEqual([0, 99, 198]);
    expect((await reading).items).toHaveLength(250);
    expect(source.pages).toHaveLength(3);
  });

  test('that do not exist after all are ignored', async () => {
    const source = createFakeSource(range(150));
    const { items, isSteady } = await read(source, { expected: 1000 });
    expect(idsOf(items)).toEqual(idsOf(range(150)));
    expect(isSteady).toBe(true);
    expect(source.pages).toHaveLength(11);
  });

  test('are reported as they arrive, without counting the overlap', async () => {
    const progress: [number, number][] = [];
    await read(createFakeSource(range(250)), { onPage: (items, total) => progress.push([items, total]) });
    expect(progress).toEqual([
      [100, 250],
      [200, 250],
      [250, 250],
    ]);
  });

  test('that were added meanwhile are read bypassing the CDN', async () => {
    const source = createFakeSource(range(150));
    const progress: [number, number][] = [];
    source.before.set(2, () => (source.items = range(260)));
    const { items } = await read(source, {
      bypassCdn: false,
      onPage: (count, total) => progress.push([count, total]),
    });
    expect(idsOf(items)).toEqual(idsOf(range(260)));
    expect(source.pages[2]).toMatchObject({ offset: 198, bypassCdn: true });
    expect(progress.at(-1)).toEqual([260, 260]);
  });

  test('that were added are as many as the last page indicates', async () => {
    const source = createFakeSource(range(250));
    source.before.set(3, () => (source.items = range(310)));
    const { items } = await read(source, { bypassCdn: true });
    expect(idsOf(items)).toEqual(idsOf(range(310)));
    expect(offsets(source)).toEqual([0, 99, 198, 297]);
  });

  test('that no longer exist are dropped', async () => {
    const source = createFakeSource(range(250));
    source.before.set(2, () => (source.items = range(90)));
    const { items, isSteady } = await read(source, { bypassCdn: true });
    expect(idsOf(items)).toEqual(idsOf(range(90)));
    expect(isSteady).toBe(true);
  });
});

describe('a list that shifts between two pages', () => {
  test.each([
    ['loses an item', (items: WireContent[]) => without(items, 5)],
    ['loses the item at the seam', (items: WireContent[]) => without(items, 100)],
    ['gets an item', (items: WireContent[]) => [...items, at(900, 50)]],
    ['loses everything from there on', (items: WireContent[]) => items.slice(0, 99)],
  ])('because it %s is read again where pages do not overlap', async (_, change) => {
    const source = createFakeSource(range(250));
    source.before.set(2, () => (source.items = change(source.items)));
    const { items } = await read(source, { bypassCdn: true });
    expect(idsOf(items).sort((a, b) => a - b)).toEqual(idsOf(source.items).sort((a, b) => a - b));
  });

  test('costs two requests bypassing the CDN', async () => {
    const source = createFakeSource(range(250));
    source.before.set(2, () => (source.items = without(source.items, 5)));
    await read(source);
    expect(offsets(source)).toEqual([0, 99, 198, 0, 99]);
    expect(source.pages.map(({ bypassCdn }) => bypassCdn)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
      true,
    ]);
  });

  test('has the pages on both sides of a gap read again', async () => {
    const source = createFakeSource(range(250));
    source.respond = (list, _, number) => (number === 2 ? { ...list, data: range(100, 101) } : list);
    const { items } = await read(source);
    expect(idsOf(items)).toEqual(idsOf(range(250)));
    expect(offsets(source)).toEqual([0, 99, 198, 0, 99]);
  });

  test('each time fails with an error that names the model', async () => {
    const source = createFakeSource(range(250));
    // The second page always starts one item too late.
    source.respond = (list) => (list.offset === 99 ? { ...list, data: list.data.slice(1) } : list);
    const error = await read(source, { models: ['article', 'page'] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LuidResponseError);
    expect(error).toMatchObject({
      message: expect.stringContaining('article, page: content changed faster than it could be read'),
      hint: 'Try again when there are fewer edits.',
      model: 'article',
    });
    expect(source.pages).toHaveLength(3 + 2 * (20 + 3 * 3));
  });

  test('and grows with each request fails', async () => {
    const source = createFakeSource(range(100));
    source.respond = (list, { offset }) => ({ ...list, total: offset + 150 });
    await expect(read(source)).rejects.toThrow('content changed faster');
    expect(source.pages).toHaveLength(2 + 20);
  });
});

describe('totals that differ between pages', () => {
  /** Item 240 refers to nothing while it is hidden, and neither do the others refer to it. */
  const shown = range(250).map((item) => ({ ...item, related: 240 }));
  const hidden = without(shown, 240).map((item) => ({ ...item, related: null }));

  test('mean that an item disappeared and returned: pages that were read meanwhile are read again', async () => {
    const source = createFakeSource(shown);
    source.before.set(2, () => (source.items = hidden));
    source.before.set(3, () => (source.items = shown));
    const { items, isSteady } = await read(source, { bypassCdn: true });
    expect(items.filter(({ related }) => related === null)).toEqual([]);
    expect(isSteady).toBe(true);
    expect(offsets(source, 3)).toEqual([99, 198]);
    expect(source.pages.slice(3).map(({ bypassCdn }) => bypassCdn)).toEqual([true, true]);
  });

  test('and only grow mean new content: nothing is read again, and the read is not steady', async () => {
    const source = createFakeSource(range(250));
    source.before.set(2, () => source.items.push(at(251)));
    const { items, isSteady } = await read(source, { bypassCdn: true });
    expect(items).toHaveLength(251);
    expect(isSteady).toBe(false);
    expect(source.pages).toHaveLength(3);
  });

  test('and were higher before this read mean that something was hidden', async () => {
    const source = createFakeSource(hidden);
    source.before.set(2, () => (source.items = shown));
    const { items } = await read(source, { bypassCdn: true, totalBefore: 250 });
    expect(items.filter(({ related }) => related === null)).toEqual([]);
    expect(offsets(source, 3)).toEqual([0, 198]);
  });

  test('and were equally high before this read do not', async () => {
    const source = createFakeSource(range(249));
    source.before.set(2, () => source.items.push(at(250)));
    await read(source, { bypassCdn: true, totalBefore: 249 });
    expect(source.pages).toHaveLength(3);
  });

  test('are compared again after pages were read again', async () => {
    const source = createFakeSource(shown);
    source.before.set(2, () => (source.items = hidden));
    source.before.set(3, () => (source.items = shown));
    source.before.set(5, () => (source.items = [...shown, at(251)]));
    const { items, isSteady } = await read(source, { bypassCdn: true });
    expect(items).toHaveLength(251);
    expect(isSteady).toBe(false);
    expect(source.pages).toHaveLength(5);
  });

  test('come from stale copies of the CDN: those pages and the last one are read bypassing it', async () => {
    const source = createFakeSource(range(251));
    const old = createFakeSource(range(250).map((item) => ({ ...item, title: 'old' })));
    source.respond = (list, request) => {
      if (request.bypassCdn || request.offset !== 198) return list;
      return { ...list, total: 250, data: old.items.slice(198) };
    };
    const { items, isSteady } = await read(source);
    expect(idsOf(items)).toEqual(idsOf(range(251)));
    expect(items.filter(({ title }) => title === 'old')).toEqual([]);
    expect(isSteady).toBe(true);
    expect(offsets(source, 3)).toEqual([0, 99, 198]);
  });

  test('each time are accepted after three attempts, as not steady', async () => {
    const source = createFakeSource(range(250));
    source.respond = (list) => (list.offset === 99 ? { ...list, total: 251 } : list);
    const { items, isSteady } = await read(source);
    expect(items).toHaveLength(250);
    expect(isSteady).toBe(false);
    expect(source.pages).toHaveLength(3 + 3 * 2);
  });
});

describe('items of the same second at the boundary of two pages', () => {
  const SECOND = 1000;
  /** So many items in the second 1000, with as many before and after that its middle is at a seam. */
  const withTies = (count: number) => [
    ...range(99 - (count >> 1)),
    ...Array.from({ length: count }, (_, n) => at(5000 + n, SECOND + (n % 10) / 10)),
    ...Array.from({ length: 60 }, (_, n) => at(8000 + n, 2000 + n)),
  ];
  /** Another order of equal times in each page. */
  const unstable = (item: WireContent, number: number) => (item._id * (7 + 6 * number)) % 101;
  const sorted = (items: readonly WireContent[]) => idsOf(items).sort((a, b) => a - b);
  const tied = (count: number) =>
    withTies(count).map((item) =>
      item._id >= 5000 && item._id < 8000
        ? { ...item, _created_at: new Date(SECOND * 1000).toISOString() }
        : item,
    );

  test('are read by a filter on that second if the order changes from page to page', async () => {
    const source = createFakeSource(tied(40));
    source.rank = unstable;
    const filters = { '_updated_at[gte]': new Date(0).toISOString() };
    const { items, isSteady, isFromPages } = await read(source, { filters });
    expect(sorted(items)).toEqual(sorted(source.items));
    expect(isSteady).toBe(true);
    // The totals of those pages count nothing else.
    expect(isFromPages).toBe(false);
    expect(source.pages.slice(2)).toEqual([
      {
        models: ['article'],
        by: '_created_at',
        filters: {
          ...filters,
          '_created_at[gte]': '1970-01-01T00:16:40.000Z',
          '_created_at[lt]': '1970-01-01T00:16:41.000Z',
        },
        offset: 0,
        limit: 100,
        bypassCdn: true,
      },
    ]);
  });

  test('may differ in milliseconds', async () => {
    const source = createFakeSource(withTies(40));
    source.before.set(2, () => (source.items = without(source.items, 5010)));
    const { items } = await read(source);
    expect(sorted(items)).toEqual(sorted(source.items));
    expect(source.pages[2]?.filters).toMatchObject({ '_created_at[gte]': '1970-01-01T00:16:40.000Z' });
  });

  test('are replaced by the result of that filter', async () => {
    const source = createFakeSource(tied(40));
    source.rank = unstable;
    source.before.set(3, () => {
      source.items = [...without(source.items, 5001, 5002), at(5900, SECOND, { title: 'new' })];
    });
    const { items } = await read(source, { bypassCdn: true });
    expect(sorted(items)).toEqual(sorted(source.items));
  });

  test('may be more than a page: they are read until all are known', async () => {
    const source = createFakeSource(tied(160));
    source.rank = unstable;
    const { items } = await read(source);
    expect(sorted(items)).toEqual(sorted(source.items));
    const seconds = source.pages.filter(({ filters }) => filters);
    expect(seconds.length).toBeGreaterThan(4);
    expect(new Set(seconds.map(({ offset, limit, bypassCdn }) => `${offset} ${limit} ${bypassCdn}`))).toEqual(
      new Set(['0 100 true', '100 100 true']),
    );
  });

  test('may lose one while they are read', async () => {
    const source = createFakeSource(tied(160));
    // Unstable for the first pages only.
    source.rank = (item, number) => (number <= 3 ? unstable(item, number) : 0);
    const first = 1 + (await countUntilFilter(tied(160), source.rank));
    source.before.set(first + 1, () => (source.items = without(source.items, 5003)));
    const { items } = await read(source, { bypassCdn: true });
    expect(sorted(items)).toEqual(sorted(source.items));
    expect(source.pages.slice(first - 1).map(({ offset }) => offset)).toEqual([0, 100, 0, 100, 0, 100]);
  });

  test('that never add up are an error', async () => {
    const source = createFakeSource(tied(160));
    source.rank = unstable;
    source.respond = (list, { filters }) => (filters ? { ...list, total: 170 } : list);
    await expect(read(source, { models: ['article', 'note'] })).rejects.toThrow(
      'article, note: content changed faster than it could be read',
    );
    expect(source.pages.filter(({ filters }) => filters)).toHaveLength(100);
  });

  /** How many pages are read before the second is. */
  async function countUntilFilter(items: WireContent[], rank: FakeSource['rank']): Promise<number> {
    const source = createFakeSource(items);
    source.rank = rank;
    await read(source, { bypassCdn: true });
    return source.pages.findIndex(({ filters }) => filters);
  }
});

describe('a list with a duplicate item and a missing one', () => {
  const twice = (list: { data: WireContent[] }) => [
    ...list.data.slice(0, 6),
    list.data[5]!,
    ...list.data.slice(7),
  ];

  test('is read again as a whole, bypassing the CDN', async () => {
    const source = createFakeSource(range(250));
    source.respond = (list, _, number) => (number === 2 ? { ...list, data: twice(list) } : list);
    const { items } = await read(source);
    expect(idsOf(items)).toEqual(idsOf(range(250)));
    expect(offsets(source, 3)).toEqual([0, 99, 198]);
    expect(source.pages.slice(3).every(({ bypassCdn }) => bypassCdn)).toBe(true);
  });

  test('each time is an error', async () => {
    const source = createFakeSource(range(250));
    source.respond = (list) => ({ ...list, data: twice(list) });
    const error = await read(source).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LuidResponseError);
    expect(error).toMatchObject({
      message: expect.stringContaining('article: the list contains an item twice and lacks another'),
      hint: 'The service returned this list each time it was requested. Try again later.',
      model: 'article',
    });
    expect(source.pages).toHaveLength(3 + 3 * 3);
  });
});
