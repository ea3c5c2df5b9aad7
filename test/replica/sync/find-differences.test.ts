import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { ModelTable } from '../../../src/replica/store/model-table.ts';
import { findDifferences } from '../../../src/replica/sync/find-differences.ts';
import { at, createFakeSource, type FakeSource, idsOf, range } from '../fake-source.ts';
import { WITHOUT_FACTS } from '../wire-items.ts';

function tableOf(items: readonly WireContent[], model = 'article') {
  const table = new ModelTable(model, [], async () => undefined, WITHOUT_FACTS);
  table.replace(items.filter(({ _model }) => _model === model));
  return table;
}

/** Compares a table of these items with a service that has those. */
async function compare(ours: readonly WireContent[], theirs: readonly WireContent[]) {
  const table = tableOf(ours);
  const source = createFakeSource([...theirs]);
  const differences = await findDifferences([{ table, source }], theirs.length - ours.length);
  return { table, source, differences, requests: source.counts.length + source.pages.length };
}

const without = (items: readonly WireContent[], ...ids: number[]) =>
  items.filter(({ _id }) => !ids.includes(_id));
const time = (second: number) => new Date(1000 * second).toISOString();

describe('in a model of 1,000 items', () => {
  test('nothing is requested if the counts agree', async () => {
    const { differences, requests } = await compare(range(1000), range(1000));
    expect(differences).toEqual({ added: [], missing: [], unclear: [] });
    expect(requests).toBe(0);
  });

  test.each([1, 2, 421, 500, 501, 1000])('missing item %d is found by 4 counts and a page', async (id) => {
    const { differences, source } = await compare(range(1000), without(range(1000), id));
    expect(idsOf(differences.missing)).toEqual([id]);
    expect([differences.added, differences.unclear]).toEqual([[], []]);
    expect([source.counts.length, source.pages.length]).toEqual([4, 1]);
  });

  test.each([
    ['before all', at(2000, 0.5)],
    ['after all', at(2000, 2000)],
    ['between two', at(2000, 421.5)],
    ['beside another', at(2000, 421)],
  ])('an unknown item %s is found by 4 counts and a page', async (_, item) => {
    const { differences, source } = await compare(range(1000), [...range(1000), item]);
    expect(differences).toEqual({ added: [item], missing: [], unclear: [] });
    expect([source.counts.length, source.pages.length]).toEqual([4, 1]);
  });

  test('three missing items are found, wherever they are, and the table is not changed', async () => {
    const { differences, table, requests } = await compare(range(1000), without(range(1000), 3, 500, 990));
    expect(idsOf(differences.missing)).toEqual([3, 500, 990]);
    expect(await table.all()).toEqual(range(1000));
    expect(requests).toBeLessThanOrEqual(14);
  });

  test('three new items are found, wherever they are', async () => {
    const added = [at(2000, 3), at(2001, 500), at(2002, 990)];
    const { differences } = await compare(range(1000), [...range(1000), ...added]);
    expect(differences.added).toEqual(added);
  });

  test.each([4, -4])('a difference of %d is not searched for', async (difference) => {
    const table = tableOf(range(1000));
    const source = createFakeSource(range(1000 + difference));
    const differences = await findDifferences([{ table, source }], difference);
    expect(differences).toEqual({ added: [], missing: [], unclear: ['article'] });
    expect(source.counts).toEqual([]);
    expect(table.count).toBe(1000);
  });

  test('another version of a known item is not a difference', async () => {
    // What 422 refers to is hidden at the moment at which the page is read.
    const ours = range(1000).map((item) => (item._id === 422 ? { ...item, author: 7 } : item));
    const theirs = without(ours, 421).map((item) => (item._id === 422 ? { ...item, author: null } : item));
    const gone = await compare(ours, theirs);
    expect(idsOf(gone.differences.missing)).toEqual([421]);
    expect(gone.differences.added).toEqual([]);

    const added = at(2000, 422);
    const grown = await compare(without(ours, 421), [...theirs, added]);
    expect(grown.differences).toEqual({ added: [added], missing: [], unclear: [] });
  });

  test('ranges are open at both ends, adjoin, and end at whole seconds', async () => {
    const { source } = await compare(range(1000), without(range(1000), 1));
    expect(source.counts).toEqual(
      [501, 251, 126, 63].map((second) => ({
        models: ['article'],
        filters: { '_created_at[gte]': undefined, '_created_at[lt]': time(second) },
      })),
    );
    expect(source.pages).toEqual([
      {
        models: ['article'],
        by: '_created_at',
        filters: { '_created_at[gte]': undefined, '_created_at[lt]': time(63) },
        offset: 0,
        limit: 100,
        bypassCdn: true,
      },
    ]);
    const end = await compare(range(1000), without(range(1000), 1000));
    expect(end.source.pages[0]?.filters).toEqual({
      '_created_at[gte]': time(938),
      '_created_at[lt]': undefined,
    });
  });
});

describe('how far a range is split', () => {
  /** 400 items a second apart, and so many in one second. */
  const withSecondOf = (count: number) => [
    ...range(400),
    ...Array.from({ length: count }, (_, n) => at(5000 + n, 5000 + n / 1000)),
  ];

  test('items of one second are read together, however many', async () => {
    const ours = withSecondOf(150);
    const { differences, source } = await compare(ours, without(ours, 5020));
    expect(idsOf(differences.missing)).toEqual([5020]);
    expect(source.pages.length).toBeGreaterThan(1);
  });

  test.each([
    // Of 400 items, ranges of 200 and 100 are counted; the last is read if what is looked for fits into the page too.
    ['100 items of which one is missing', 400, without(range(400), 1), 2],
    ['100 items and one more', 400, [...range(400), at(900, 1)], 3],
    ['99 items and one more', 396, [...range(396), at(900, 1)], 2],
  ])('a range of %s is split as often as needed', async (_, count, theirs, counts) => {
    const { source, differences } = await compare(range(count), theirs);
    expect(differences.added.length + differences.missing.length).toBe(1);
    expect(source.counts).toHaveLength(counts);
  });
});

describe('a small model', () => {
  test('of 300 items is better read in full', async () => {
    const { differences, requests } = await compare(range(300), range(299));
    expect(differences).toEqual({ added: [], missing: [], unclear: ['article'] });
    expect(requests).toBe(0);
  });

  test('has up to 300 items', async () => {
    const { differences } = await compare(range(301), range(300));
    expect(idsOf(differences.missing)).toEqual([301]);
  });
});

describe('several models', () => {
  const MODELS = ['a', 'b', 'c'];
  const items = (model: string, count: number, from: number) =>
    range(count, from).map((item) => ({ ...item, _model: model }));
  const all = [...items('a', 400, 1), ...items('b', 10, 1001), ...items('c', 400, 2001)];

  function open(theirs: readonly WireContent[]) {
    const sources = MODELS.map((model) => createFakeSource([...theirs], [model]));
    const tables = MODELS.map((model, n) => ({
      table: tableOf(all, model),
      source: sources[n] as FakeSource,
    }));
    return { sources, find: () => findDifferences(tables, theirs.length - all.length) };
  }

  test('are counted by halves to find those that differ', async () => {
    const { find, sources } = open(without(all, 5, 2100));
    const { missing, unclear } = await find();
    expect(idsOf(missing)).toEqual([5, 2100]);
    expect(unclear).toEqual([]);
    expect(sources[0]?.counts[0]).toEqual({ models: ['a'], filters: {} });
    expect(sources[1]?.counts).toEqual([{ models: ['b'], filters: {} }]);
  });

  test('are each read by their own source', async () => {
    const { find, sources } = open(without(all, 2100));
    await find();
    expect(sources.map(({ pages }) => pages.length)).toEqual([0, 0, 1]);
  });

  test('are unclear only if they differ', async () => {
    const { find } = open(without(all, 1003));
    expect(await find()).toEqual({ added: [], missing: [], unclear: ['b'] });
  });

  test('with equally many new and missing items are found if these are in different halves', async () => {
    const theirs = [...without(all, 5), ...items('c', 1, 3000), ...items('c', 1, 3001)];
    const { missing, added } = await open(theirs).find();
    expect([idsOf(missing), idsOf(added)]).toEqual([[5], [3000, 3001]]);
  });

  test('without any model have no difference', async () => {
    expect(await findDifferences([], 1)).toEqual({ added: [], missing: [], unclear: [] });
  });
});
