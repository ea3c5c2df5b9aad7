import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../../src/contract/content.ts';
import { ModelGroup } from '../../../../src/replica/sync/model-group.ts';
import { findDifferences } from '../../../../src/replica/sync/reconcile/find-differences.ts';
import { at, createFakeSource, type FakeSource, idsOf, range } from '../../fake-source.ts';
import { WITHOUT_FACTS } from '../../wire-items.ts';

/** Compares tables of these items with a service that has those. Each list of models is a group. */
async function compare(
  ours: readonly WireContent[],
  theirs: readonly WireContent[],
  models: readonly (readonly string[])[] = [['article']],
) {
  const groups = models.map((names) => {
    const source = createFakeSource([...theirs], [...names]);
    const group = new ModelGroup(source, new Map(), async () => undefined, WITHOUT_FACTS);
    for (const [model, table] of group.tables) table.replace(ours.filter(({ _model }) => _model === model));
    return group;
  });
  const sources = groups.map(({ source }) => source as FakeSource);
  const [source] = sources as [FakeSource];
  const map = Object.fromEntries(models.flat().map((model) => [model, {}]));
  const tables = { groups, headsSource: source, models: map };
  const differences = await findDifferences(tables, theirs.length - ours.length);
  return { groups, source, sources, differences };
}

const without = (items: readonly WireContent[], ...ids: number[]) =>
  items.filter(({ _id }) => !ids.includes(_id));
const time = (second: number) => new Date(1000 * second).toISOString();

describe('in 1,000 items', () => {
  test('nothing is requested if the counts agree', async () => {
    const { differences, source } = await compare(range(1000), range(1000));
    expect(differences).toEqual({ added: [], missing: [], unclear: [] });
    expect([source.counts, source.pages]).toEqual([[], []]);
  });

  test.each([1, 2, 421, 500, 501, 1000])('missing item %d is found by at most 6 requests', async (id) => {
    const { differences, source } = await compare(range(1000), without(range(1000), id));
    expect(idsOf(differences.missing)).toEqual([id]);
    expect([differences.added, differences.unclear]).toEqual([[], []]);
    expect(source.counts.length + source.pages.length).toBeLessThanOrEqual(6);
  });

  test.each([
    ['before all', at(2000, 0.5)],
    ['after all', at(2000, 2000)],
    ['between two', at(2000, 421.5)],
    ['beside another', at(2000, 421)],
  ])('an unknown item %s is found', async (_, item) => {
    const { differences } = await compare(range(1000), [...range(1000), item]);
    expect(differences).toEqual({ added: [item], missing: [], unclear: [] });
  });

  test('three missing items are found, wherever they are, and the table is not changed', async () => {
    const { differences, groups } = await compare(range(1000), without(range(1000), 3, 500, 990));
    expect(idsOf(differences.missing)).toEqual([3, 500, 990]);
    expect(await groups[0]?.tableOf('article').all()).toEqual(range(1000));
  });

  test('three new items are found, wherever they are', async () => {
    const added = [at(2000, 3), at(2001, 500), at(2002, 990)];
    const { differences } = await compare(range(1000), [...range(1000), ...added]);
    expect(differences.added).toEqual(added);
  });

  test.each([4, -4])('a difference of %d is not searched for', async (difference) => {
    const { differences, source } = await compare(range(1000), range(1000 + difference));
    expect(differences).toEqual({ added: [], missing: [], unclear: ['article'] });
    expect(source.counts).toEqual([{ models: ['article'], filters: {} }]);
  });

  test('many new and gone in its parts, and few in all, are found', async () => {
    const added = range(150, 2000).map((item, n) => ({ ...item, ...at(item._id, 10 + n / 1000) }));
    const gone = range(149, 700).map(({ _id }) => _id);
    const { differences } = await compare(range(1000), [...without(range(1000), ...gone), ...added]);
    expect(differences.added).toHaveLength(150);
    expect(idsOf(differences.missing)).toEqual(gone);
  });

  test('another version of a known item is not a difference', async () => {
    // What 422 refers to is hidden at the moment at which the page is read.
    const ours = range(1000).map((item) => (item._id === 422 ? { ...item, author: 7 } : item));
    const theirs = without(ours, 421).map((item) => (item._id === 422 ? { ...item, author: null } : item));
    const { differences } = await compare(ours, theirs);
    expect(idsOf(differences.missing)).toEqual([421]);
    expect(differences.added).toEqual([]);
  });

  test('ranges are open at both ends, adjoin, and end at whole seconds', async () => {
    const { source } = await compare(range(1000), without(range(1000), 1));
    const filters = (from: number | undefined, to: number | undefined) => ({
      '_created_at[gte]': from && time(from),
      '_created_at[lt]': to && time(to),
    });
    const models = ['article'];
    expect(source.counts).toEqual([
      { models, filters: filters(undefined, 251) },
      { models, filters: filters(251, 501) },
      { models, filters: filters(501, 751) },
      { models, filters: filters(undefined, 84) },
      { models, filters: filters(84, 167) },
    ]);
    expect(source.pages).toEqual([
      { models, by: '_created_at', offset: 0, limit: 100, bypassCdn: true, filters: filters(undefined, 84) },
    ]);
    const end = await compare(range(1000), without(range(1000), 1000));
    expect(end.source.pages.map((query) => query.filters)).toEqual([filters(917, undefined)]);
  });
});

test.each([
  [2_500, 9],
  [10_000, 12],
  [100_000, 16],
])('of %d items one is found by at most %d requests', async (size, most) => {
  const items = range(size);
  for (const id of [1, size / 2 + 7, size]) {
    const { differences, source } = await compare(items, without(items, id));
    expect(idsOf(differences.missing)).toEqual([id]);
    expect(source.counts.length + source.pages.length).toBeLessThanOrEqual(most);
  }
});

test.each([
  [199, 0, 2],
  [250, 2, 1],
])('of %d items one is found by %d counts and %d pages', async (size, counts, pages) => {
  const { source } = await compare(range(size), without(range(size), 7));
  expect([source.counts.length, source.pages.length]).toEqual([counts, pages]);
});

describe('items of one second', () => {
  test('are read together, however many', async () => {
    const ours = [
      ...range(400),
      ...range(150, 5000).map((item, n) => ({ ...item, ...at(item._id, 5000 + n / 1000) })),
    ];
    const { differences } = await compare(ours, without(ours, 5020));
    expect(idsOf(differences.missing)).toEqual([5020]);
  });

  test('are not counted', async () => {
    const ours = Array.from({ length: 600 }, (_, n) => at(1 + n, 1000 + n / 1000));
    const { differences, source } = await compare(ours, without(ours, 450));
    expect(idsOf(differences.missing)).toEqual([450]);
    expect(source.counts).toEqual([]);
  });
});

describe('several models', () => {
  const items = (model: string, count: number, from: number) =>
    range(count, from).map((item) => ({ ...item, _model: model }));
  const all = [...items('a', 400, 1), ...items('b', 10, 1001), ...items('c', 400, 2001)];
  const groups = [['a', 'b'], ['c']];

  test('are counted together, and read by the source of their formats', async () => {
    const { differences, sources } = await compare(all, without(all, 5, 2100), groups);
    expect(idsOf(differences.missing)).toEqual([5, 2100]);
    expect(sources.map(({ counts }) => counts.length > 0)).toEqual([true, false]);
    for (const { pages } of sources) expect(pages.length).toBeGreaterThan(0);
    expect(sources.flatMap(({ pages }) => pages.map(({ models }) => models))).toEqual(
      expect.arrayContaining([['a', 'b'], ['c']]),
    );
  });

  test('are unclear only if they differ', async () => {
    const { differences } = await compare(all, without(all, 1003, 1004, 1005, 1006), groups);
    expect(differences).toEqual({ added: [], missing: [], unclear: ['b'] });
  });

  test('with equally many new and missing items are found if these are in different parts', async () => {
    const theirs = [...without(all, 5), ...items('c', 1, 3000), ...items('c', 1, 3001)];
    const { differences } = await compare(all, theirs, groups);
    expect([idsOf(differences.missing), idsOf(differences.added)]).toEqual([[5], [3000, 3001]]);
  });
});
