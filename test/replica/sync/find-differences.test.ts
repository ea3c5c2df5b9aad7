import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { ModelTable } from '../../../src/replica/store/model-table.ts';
import { findDifferences, pageBreaks } from '../../../src/replica/sync/find-differences.ts';
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
  const rounds = countRounds(source);
  const differences = await findDifferences([{ table, source }], theirs.length - ours.length);
  const requests = source.counts.length + source.pages.length;
  return { table, source, differences, requests, rounds: rounds() };
}

/** Counts how often requests had to wait for others: those that are sent together are one round. */
function countRounds(...sources: FakeSource[]): () => number {
  let rounds = 0;
  let current: Promise<void> | undefined;
  const inRound = () => {
    current ??= new Promise((resolve) => {
      rounds += 1;
      setImmediate(() => {
        current = undefined;
        resolve();
      });
    });
    return current;
  };
  for (const source of sources) {
    const { count, page } = source;
    source.count = (...query) => inRound().then(() => count(...query));
    source.page = (query) => inRound().then(() => page(query));
  }
  return () => rounds;
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

  test.each([1, 2, 421, 500, 501, 1000])(
    'missing item %d is found by 3 counts and 3 pages, in two rounds',
    async (id) => {
      const { differences, source, rounds } = await compare(range(1000), without(range(1000), id));
      expect(idsOf(differences.missing)).toEqual([id]);
      expect([differences.added, differences.unclear]).toEqual([[], []]);
      expect([source.counts.length, source.pages.length, rounds]).toEqual([3, 3, 2]);
    },
  );

  test.each([
    ['before all', at(2000, 0.5)],
    ['after all', at(2000, 2000)],
    ['between two', at(2000, 421.5)],
    ['beside another', at(2000, 421)],
  ])('an unknown item %s is found by 3 counts and 3 pages, in two rounds', async (_, item) => {
    const { differences, source, rounds } = await compare(range(1000), [...range(1000), item]);
    expect(differences).toEqual({ added: [item], missing: [], unclear: [] });
    expect([source.counts.length, source.pages.length, rounds]).toEqual([3, 3, 2]);
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

  test('many new and gone in its parts, and few in all, are not looked for', async () => {
    const added = range(150, 2000).map((item, n) => ({ ...item, ...at(item._id, 10 + n / 1000) }));
    const gone = range(149, 700).map(({ _id }) => _id);
    const { differences, source } = await compare(range(1000), [...without(range(1000), ...gone), ...added]);
    expect(differences).toEqual({ added: [], missing: [], unclear: ['article'] });
    expect(source.pages).toEqual([]);
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
    const filters = (from: number | undefined, to: number | undefined) => ({
      '_created_at[gte]': from && time(from),
      '_created_at[lt]': to && time(to),
    });
    const models = ['article'];
    expect(source.counts).toEqual([
      { models, filters: filters(undefined, 251) },
      { models, filters: filters(251, 501) },
      { models, filters: filters(501, 751) },
    ]);
    const page = { models, by: '_created_at', offset: 0, limit: 100, bypassCdn: true };
    expect(source.pages).toEqual([
      { ...page, filters: filters(undefined, 101) },
      { ...page, filters: filters(101, 201) },
      { ...page, filters: filters(201, 251) },
    ]);
    const end = await compare(range(1000), without(range(1000), 1000));
    expect(end.source.pages.map((query) => query.filters)).toEqual([
      filters(751, 851),
      filters(851, 951),
      filters(951, undefined),
    ]);
  });
});

describe('in a large model', () => {
  test.each([
    [2_500, 4, 5, 2],
    [10_000, 8, 4, 3],
    [25_000, 9, 4, 4],
  ])(
    'of %d items one is found by %d counts and %d pages, in %d rounds',
    async (size, counts, pages, rounds) => {
      for (const id of [1, size / 2 + 7, size]) {
        const found = await compare(range(size), without(range(size), id));
        expect(idsOf(found.differences.missing)).toEqual([id]);
        expect(found.source.counts).toHaveLength(counts);
        expect(found.source.pages.length).toBeLessThanOrEqual(pages);
        expect(found.rounds).toBe(rounds);
      }
    },
  );

  test('the first ranges are counted while the difference is', async () => {
    const source = createFakeSource(without(range(2_500), 700));
    const rounds = countRounds(source);
    const difference = source.count(['article']).then((total) => total - 2_500);
    const { missing } = await findDifferences([{ table: tableOf(range(2_500)), source }], difference);
    expect(idsOf(missing)).toEqual([700]);
    expect(rounds()).toBe(2);
  });

  test.each([
    ['none, nothing more is requested', 0, []],
    ['too much, nothing more is requested', -4, ['article']],
  ])('if that is %s', async (_, difference, unclear) => {
    const source = createFakeSource(range(2_500 + difference));
    const table = tableOf(range(2_500));
    const differences = await findDifferences([{ table, source }], Promise.resolve(difference));
    expect(differences).toEqual({ added: [], missing: [], unclear });
    expect([source.counts.length, source.pages.length]).toEqual([4, 0]);
  });

  test.each([
    ['none', [...without(range(2_500), 100), at(9000, 9000)], []],
    ['too much', without(range(2_500), 100, 700, 1300, 2000), ['article']],
  ])('if that is %s, ranges that differ are not looked into', async (_, theirs, unclear) => {
    const source = createFakeSource(theirs);
    const table = tableOf(range(2_500));
    const difference = Promise.resolve(theirs.length - 2_500);
    expect(await findDifferences([{ table, source }], difference)).toEqual({
      added: [],
      missing: [],
      unclear,
    });
    expect([source.counts.length, source.pages.length]).toEqual([4, 0]);
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
    // What fits into five pages is read at once, if what is looked for fits into them too.
    ['500 items of which one is missing', 500, without(range(500), 1), 0],
    ['500 items and one more', 500, [...range(500), at(900, 1)], 2],
    ['495 items and one more', 495, [...range(495), at(900, 1)], 0],
  ])('a range of %s is split as often as needed', async (_, count, theirs, counts) => {
    const { source, differences } = await compare(range(count), theirs);
    expect(differences.added.length + differences.missing.length).toBe(1);
    expect(source.counts).toHaveLength(counts);
  });

  test('600 items of one second are not split: only what was created before is counted', async () => {
    const ours = Array.from({ length: 600 }, (_, n) => at(1 + n, 1000 + n / 1000));
    const { differences, source } = await compare(ours, without(ours, 450));
    expect(idsOf(differences.missing)).toEqual([450]);
    expect(source.counts).toEqual([{ models: ['article'], filters: { '_created_at[lt]': time(1000) } }]);
  });

  test('a page ends at a whole second, and those of one second are together', () => {
    expect(pageBreaks([1000, 2000, 3000, 4000, 5000], 2)).toEqual([3000, 5000]);
    expect(pageBreaks([1100, 2200, 2300, 2400, 3500], 2)).toEqual([2000, 3000]);
    expect(pageBreaks([1100, 1200, 1300, 1400], 2)).toEqual([]);
    expect(pageBreaks([1100, 1200], 2)).toEqual([]);
    expect(pageBreaks([], 2)).toEqual([]);
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

  test('are counted, all but the last, to find those that differ', async () => {
    const { find, sources } = open(without(all, 5, 2100));
    const { missing, unclear } = await find();
    expect(idsOf(missing)).toEqual([5, 2100]);
    expect(unclear).toEqual([]);
    expect(sources.map(({ counts }) => counts.map(({ models }) => models))).toEqual([[['a']], [], [['c']]]);
  });

  test('are each read by their own source', async () => {
    const { find, sources } = open(without(all, 2100));
    await find();
    expect(sources.map(({ pages }) => pages.length)).toEqual([0, 0, 4]);
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

  test('are counted together if they are small, or with the rest of the largest', async () => {
    const names = ['large', 'x', 'y', 'z'];
    const large = items('large', 10_000, 1);
    const theirs = [...large, ...names.slice(1).flatMap((name, n) => items(name, 40, 20_001 + 100 * n))];
    const find = async (gone: number) => {
      const source = createFakeSource(without(theirs, gone), names);
      const tables = names.map((model) => ({ table: tableOf(theirs, model), source })).reverse();
      const { missing, unclear } = await findDifferences(tables, -1);
      return { missing: idsOf(missing), unclear, source };
    };
    const inLarge = await find(9_990);
    expect(inLarge.missing).toEqual([9_990]);
    const inSmall = await find(20_101);
    expect([inSmall.missing, inSmall.unclear]).toEqual([[], ['y']]);
    for (const { source } of [inLarge, inSmall])
      expect(source.counts.length + source.pages.length).toBeLessThanOrEqual(16);
  });

  describe('of which one is large', () => {
    const small = Array.from({ length: 9 }, (_, n) => `small${n}`);
    const names = [...small, 'large'];
    const ours = [...small.flatMap((name, n) => items(name, 10, 1 + 10 * n)), ...items('large', 1_500, 1001)];
    const find = async (theirs: readonly WireContent[]) => {
      const source = createFakeSource([...theirs], names);
      const tables = names.map((model) => ({ table: tableOf(ours, model), source }));
      const differences = await findDifferences(tables, theirs.length - ours.length);
      return { ...differences, counts: source.counts.length, pages: source.pages.length };
    };

    test('are read with the last part of it, which is not counted', async () => {
      const { missing, unclear, counts, pages } = await find(without(ours, 2_490));
      expect([idsOf(missing), unclear]).toEqual([[2_490], []]);
      expect([counts, pages]).toEqual([3, 4 + small.length]);
    });

    test('are unclear if they lack an item, or have one too many', async () => {
      const unclear = { added: [], missing: [], unclear: ['small3'] };
      expect(await find(without(ours, 35))).toMatchObject(unclear);
      expect(await find([...ours, ...items('small3', 1, 5000)])).toMatchObject(unclear);
    });
  });

  test('share a part up to a quarter above the average, but not with a range of another', async () => {
    const small = Array.from({ length: 8 }, (_, n) => `small${n}`);
    const ours = [...items('large', 800, 1), ...small.flatMap((name, n) => items(name, 100, 1001 + 100 * n))];
    const names = ['large', ...small];
    const source = createFakeSource(without(ours, 1_750), names);
    const tables = names.map((model) => ({ table: tableOf(ours, model), source }));
    const { unclear } = await findDifferences(tables, -1);
    expect(unclear).toEqual(['small7']);
    expect(source.counts.map(({ models }) => models)).toEqual([
      ['large'],
      ['large'],
      ['small0', 'small1', 'small2', 'small3', 'small4'],
      ['small5'],
      ['small6'],
    ]);
  });

  test('of the same size are counted in as few parts as lead to each of them', async () => {
    const same = Array.from({ length: 20 }, (_, n) => `model${n}`);
    const ours = same.flatMap((name, n) => items(name, 100, 1 + 100 * n));
    const source = createFakeSource(without(ours, 750), same);
    const tables = same.map((model) => ({ table: tableOf(ours, model), source }));
    const { unclear } = await findDifferences(tables, -1);
    expect(unclear).toEqual(['model7']);
    const group = (first: number) => same.slice(first, first + 5);
    const parts = [
      group(0),
      group(5),
      group(10),
      ...group(5)
        .slice(0, 4)
        .map((name) => [name]),
    ];
    expect(source.counts.map(({ models }) => models)).toEqual(parts);
  });

  test('are counted in parts to find those with many differences', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `model${n}`);
    const ours = names.flatMap((name, n) => items(name, 400, 1 + 1000 * n));
    const source = createFakeSource(
      ours.filter(({ _id }) => _id < 3001 || _id > 3010),
      names,
    );
    const rounds = countRounds(source);
    const tables = names.map((model) => ({ table: tableOf(ours, model), source }));
    expect(await findDifferences(tables, -10)).toEqual({ added: [], missing: [], unclear: ['model3'] });
    expect(rounds()).toBe(2);
  });

  test('without any model have no difference', async () => {
    expect(await findDifferences([], 1)).toEqual({ added: [], missing: [], unclear: [] });
  });
});
