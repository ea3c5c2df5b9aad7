import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import type { StoredModel } from '../../../src/replica/store/manifest/manifest.ts';
import { ModelTable } from '../../../src/replica/store/segments/model-table.ts';
import { isNewer, isSame, ModelGroup } from '../../../src/replica/sync/model-group.ts';
import { readModels } from '../../../src/replica/sync/read-models.ts';
import { at, createFakeSource, type FakeSource, idsOf, range } from '../fake-source.ts';
import { WITHOUT_FACTS } from '../wire-items.ts';
import { packTable } from '../written.ts';

const MODELS = ['article', 'page'];
const time = (second: number) => new Date(1000 * second).toISOString();
const ids = (items: { keys(): Iterable<number> }) => [...items.keys()].sort((a, b) => a - b);

interface Opened {
  readonly group: ModelGroup;
  readonly source: FakeSource;
}

/** A group that knows these items, and a service that has them too. A model without items is unread. */
async function open(known: readonly WireContent[], models: string[] = MODELS): Promise<Opened> {
  const bodies = new Map<string, string>();
  const states = new Map<string, StoredModel>();
  for (const [model, items] of Map.groupBy(known, ({ _model }) => _model)) {
    const copy = new ModelTable(model, [], async () => undefined, WITHOUT_FACTS);
    copy.replace(items);
    const { segments, written } = await packTable(copy);
    for (const [hash, body] of written) bodies.set(hash, body);
    states.set(model, { segments, readAt: 0 });
  }
  const source = createFakeSource([...known], models);
  return { source, group: new ModelGroup(source, states, async (hash) => bodies.get(hash), WITHOUT_FACTS) };
}

describe('a group', () => {
  test('knows the stored items of each model, and which models are unread', async () => {
    const { group, source } = await open(range(3));
    expect(group.source).toBe(source);
    expect(group.count).toBe(3);
    expect([...group.tables.keys()]).toEqual(MODELS);
    expect([...group.unread]).toEqual(['page']);
    expect([...group.fullyRead]).toEqual([]);
    expect(idsOf(await group.tableOf('article').all())).toEqual([1, 2, 3]);
    expect(group.tableOf('page').count).toBe(0);
  });
});

describe('an item that is put', () => {
  test('is new if it is unknown', async () => {
    const { group } = await open(range(3));
    expect(await group.put(at(4))).toBe('new');
    expect(group.count).toBe(4);
    expect(ids(group.added)).toEqual([4]);
    expect(group.changed.size).toBe(0);
  });

  test('is unchanged if it is equal, even with its properties in another order', async () => {
    const { group } = await open(range(3));
    expect(await group.put(at(2))).toBe('unchanged');
    const reversed = Object.fromEntries(Object.entries(at(2)).reverse()) as WireContent;
    expect(await group.put(reversed)).toBe('unchanged');
    expect(group.added.size + group.changed.size).toBe(0);
    expect((await packTable(group.tableOf('article'))).written.size).toBe(0);
  });

  test.each([
    ['changed', { _updated_at: time(9e8), title: 'new' }],
    ['changed', { _last_published_at: time(9e8), title: 'new' }],
    // Publishing may leave the time as it was: it changes the status and no data.
    ['changed', { _status: 'published' }],
    ['silently changed', { title: 'new' }],
    ['silently changed', { title: 'new', _status: 'published' }],
  ] as const)('is %s with %o', async (expected, fields) => {
    const { group } = await open(range(3));
    const item = { ...at(2), ...fields } as WireContent;
    expect(await group.put(item)).toBe(expected);
    expect(group.changed).toEqual(new Map([[2, item]]));
    expect(group.added.size).toBe(0);
    expect(group.count).toBe(3);
    expect((await group.tableOf('article').all())[1]).toEqual(item);
  });

  test('is no longer removed if it returned in the same sync', async () => {
    const { group } = await open(range(3));
    await group.remove(at(2));
    expect(ids(group.removed)).toEqual([2]);
    expect(await group.put(at(2))).toBe('new');
    expect(ids(group.removed)).toEqual([]);
    expect(ids(group.added)).toEqual([2]);
  });
});

describe('an item that is removed', () => {
  test('is not in the table, and counts as neither added nor changed', async () => {
    const { group } = await open(range(3));
    await group.put({ ...at(2), title: 'new' });
    await group.put(at(4));
    await group.remove(at(2));
    await group.remove(at(4));
    expect(idsOf(await group.tableOf('article').all())).toEqual([1, 3]);
    expect([ids(group.added), ids(group.changed), ids(group.removed)]).toEqual([[], [], [2, 4]]);
    expect(group.removed.get(2)?.title).toBe('new');
  });

  test('is not recorded if it was unknown', async () => {
    const { group } = await open(range(3));
    await group.remove(at(9));
    expect(ids(group.removed)).toEqual([]);
    expect(group.count).toBe(3);
  });
});

describe('reading models in full', () => {
  test('replaces their tables and records every difference', async () => {
    const { group, source } = await open(range(5), ['article']);
    source.items = [at(1), { ...at(2), title: 'new' }, at(4), at(5), at(6)];
    const { found, isSteady, isFromPages } = await readModels(group, ['article'], { bypassCdn: true });
    expect(idsOf(found)).toEqual([6]);
    expect([isSteady, isFromPages]).toEqual([true, true]);
    expect([ids(group.added), ids(group.changed), ids(group.removed)]).toEqual([[6], [2], [3]]);
    expect(await group.tableOf('article').all()).toEqual(source.items);
    expect([...group.fullyRead]).toEqual(['article']);
    // What the pages lack is looked up by id before it is removed.
    expect(source.idLists).toEqual([[3]]);
  });

  test('does not change other models', async () => {
    const page = { ...at(7), _model: 'page' };
    const { group, source } = await open([...range(3), page]);
    source.items = [at(1), page, { ...page, _id: 8 }];
    await readModels(group, ['article'], { bypassCdn: true });
    expect(idsOf(await group.tableOf('article').all())).toEqual([1]);
    expect(idsOf(await group.tableOf('page').all())).toEqual([7]);
    expect([...group.fullyRead]).toEqual(['article']);
    expect(source.pages.map(({ models, by }) => [models, by])).toEqual([[['article'], '_created_at']]);
  });

  test('makes unread models known, even empty ones', async () => {
    const { group, source } = await open([]);
    source.items = range(3);
    const { found } = await readModels(group, MODELS, { bypassCdn: false });
    expect(found).toHaveLength(3);
    expect([group.tableOf('article').count, group.tableOf('page').count]).toEqual([3, 0]);
    expect([...group.unread]).toEqual([]);
    expect([...group.fullyRead]).toEqual(MODELS);
    expect(source.idLists).toEqual([]);
  });

  test('requests as many pages at once as are known, or else expected', async () => {
    const { group, source } = await open(range(250), ['article']);
    await readModels(group, ['article'], { bypassCdn: true, expected: 10_000 });
    expect(source.pages.map(({ offset }) => offset)).toEqual([0, 99, 198]);
    const { group: other, source: otherSource } = await open([], ['article']);
    otherSource.items = range(250);
    const totals: number[] = [];
    // With the first page alone, the total would be read before the second page was requested.
    otherSource.before.set(3, () => totals.push(otherSource.pages.length));
    await readModels(other, ['article'], { bypassCdn: true, expected: 500 });
    expect(otherSource.pages.map(({ offset }) => offset)).toEqual([0, 99, 198, 297, 396, 495]);
    expect(totals).toEqual([3]);
  });

  test('passes on the read options, and whether the totals were steady', async () => {
    const { group, source } = await open(range(150), ['article']);
    const progress: number[] = [];
    source.before.set(2, () => source.items.push(at(151)));
    const { isSteady } = await readModels(group, ['article'], {
      bypassCdn: true,
      onPage: (items) => progress.push(items),
    });
    expect(isSteady).toBe(false);
    expect(progress.length).toBeGreaterThan(0);
    expect(source.pages.every(({ bypassCdn }) => bypassCdn)).toBe(true);
  });

  test('compares its totals with the previous one', async () => {
    const { group, source } = await open(range(150), ['article']);
    source.items = range(149);
    source.before.set(2, () => (source.items = range(150)));
    await readModels(group, ['article'], { bypassCdn: true, totalBefore: 150 });
    expect(source.pages).toHaveLength(4);
  });
});

describe('items that are missing in a read that bypasses the CDN', () => {
  /** Reads pages without the first items of these, which return when the pages have been read. */
  async function readWhileHidden(known: WireContent[], hidden: number, gone: readonly number[] = []) {
    const opened = await open(known, ['article']);
    const { group, source } = opened;
    const byId = source.byId.bind(source);
    source.items = known.slice(hidden);
    source.byId = (wanted) => {
      source.items = known.filter(({ _id }) => !gone.includes(_id));
      return byId(wanted);
    };
    const result = await readModels(group, ['article'], { bypassCdn: true });
    return { ...opened, ...result, items: await group.tableOf('article').all() };
  }

  test('were briefly hidden if they exist: they stay, and the read is not steady', async () => {
    const { items, group, source, found, isSteady, isFromPages } = await readWhileHidden(range(5), 1);
    expect(items).toEqual(range(5));
    expect(source.idLists).toEqual([[1]]);
    expect([found, group.added.size, group.changed.size, group.removed.size]).toEqual([[], 0, 0, 0]);
    // References to it may be empty in what was read.
    expect([isSteady, isFromPages]).toEqual([false, false]);
  });

  test('are removed if they do not exist, even if others were hidden', async () => {
    const { items, group, source, isSteady } = await readWhileHidden(range(5), 2, [2]);
    expect(idsOf(items)).toEqual([1, 3, 4, 5]);
    expect(source.idLists).toEqual([[1, 2]]);
    expect(ids(group.removed)).toEqual([2]);
    expect(isSteady).toBe(false);
  });

  test.each([
    [300, [100, 100, 100], 0, false],
    [301, [], 301, true],
  ])('are looked up if there are up to 300: %d', async (hidden, lists, removed, isSteady) => {
    // A tenth of the items at most: more would be read again.
    const result = await readWhileHidden(range(3100), hidden);
    expect(result.source.idLists.map(({ length }) => length)).toEqual(lists);
    expect([result.group.removed.size, result.isSteady]).toEqual([removed, isSteady]);
    expect(result.source.pages.filter(({ offset }) => offset === 0)).toHaveLength(1);
  });
});

describe('a list from the CDN', () => {
  const updated = (second: number, fields: object = {}) => ({
    _updated_at: time(second),
    _last_published_at: time(second),
    ...fields,
  });
  const known = range(20).map((item) => ({ ...item, ...updated(1000 + item._id) }) as WireContent);
  const older = (id: number) => ({ ...known[id - 1]!, ...updated(1, { title: 'old' }) }) as WireContent;

  /** What the CDN shows, where the service itself shows something else. */
  async function readFromCdn(list: readonly WireContent[], now: readonly WireContent[] = known) {
    const opened = await open(known, ['article']);
    const { group, source } = opened;
    source.items = [...now];
    source.respond = (page, { bypassCdn }) =>
      bypassCdn ? page : { ...page, total: list.length, data: [...list] };
    const result = await readModels(group, ['article'], { bypassCdn: false });
    return { ...opened, ...result, items: await group.tableOf('article').all() };
  }

  test('with known items is accepted as it is', async () => {
    const { items, source, group } = await readFromCdn(known);
    expect(items).toEqual(known);
    expect(source.idLists).toEqual([]);
    expect(source.pages).toHaveLength(1);
    expect(group.changed.size).toBe(0);
  });

  test('with newer versions and newer items is accepted as it is', async () => {
    const newer = { ...known[4]!, ...updated(5000, { title: 'new' }) } as WireContent;
    const added = { ...at(21, 5000), ...updated(5000) } as WireContent;
    const list = [...known.map((item) => (item._id === 5 ? newer : item)), added];
    const { items, source, found } = await readFromCdn(list, list);
    expect(items).toEqual(list);
    expect(idsOf(found)).toEqual([21]);
    expect(source.idLists).toEqual([]);
  });

  test.each([
    ['that is older', older(3)],
    ['of the same time', { ...known[2]!, title: 'other' } as WireContent],
  ])('with a version %s has that item read again bypassing the CDN', async (_, version) => {
    const { items, source, group } = await readFromCdn(known.map((one) => (one._id === 3 ? version : one)));
    expect(items).toEqual(known);
    expect(source.idLists).toEqual([[3]]);
    expect(group.changed.size).toBe(0);
  });

  test('without a known item removes it only if it is also missing bypassing the CDN', async () => {
    const without = known.filter(({ _id }) => _id !== 3 && _id !== 4);
    const now = known.filter(({ _id }) => _id !== 3);
    const { items, source, group } = await readFromCdn(without, now);
    expect(items).toEqual(now);
    expect(source.idLists).toEqual([[3, 4]]);
    expect(ids(group.removed)).toEqual([3]);
  });

  // It may have been removed since: its page may be a copy from before that, however late it was edited.
  test.each([30, 1019, 1020])(
    'with an unknown item that was created before the newest edit has it read bypassing the CDN (%d)',
    async (seconds) => {
      const gone = { ...at(30, seconds), ...updated(5000) } as WireContent;
      const { items, source } = await readFromCdn([...known, gone]);
      expect(items).toEqual(known);
      expect(source.idLists).toEqual([[30]]);
    },
  );

  test('with an unknown item that was created after the newest edit is accepted as it is', async () => {
    const added = { ...at(30, 1021), ...updated(1021) } as WireContent;
    const { items, source } = await readFromCdn([...known, added]);
    expect(items).toEqual([...known, added]);
    expect(source.idLists).toEqual([]);
  });

  describe('of 700 items', () => {
    const many = range(700).map((item) => ({ ...item, ...updated(1000 + item._id) }) as WireContent);

    test.each([
      [300, 'read by id', 0, [100, 100, 100]],
      [301, 'read again as a whole', 8, []],
    ])('of which %d are doubtful has them %s', async (count, _, freshPages, lists) => {
      const { group, source } = await open(many, ['article']);
      const stale = (item: WireContent) =>
        item._id <= count ? ({ ...item, ...updated(1) } as WireContent) : item;
      source.respond = (page, { bypassCdn }) => (bypassCdn ? page : { ...page, data: page.data.map(stale) });
      await readModels(group, ['article'], { bypassCdn: false });
      expect(await group.tableOf('article').all()).toEqual(many);
      expect(source.idLists.map(({ length }) => length)).toEqual(lists);
      expect(source.pages.filter(({ bypassCdn }) => bypassCdn)).toHaveLength(freshPages);
    });
  });
});

describe('the removal of many items', () => {
  const pages = (count: number) => range(count, 5001).map((item) => ({ ...item, _model: 'page' }));
  /** Reads when the first response lacks these items. Only the first one does, unless they are really gone. */
  async function readWithout(known: WireContent[], isLost: (item: WireContent) => boolean, isGone = false) {
    const { group, source } = await open(known);
    const [all, rest] = [source.items, source.items.filter((item) => !isLost(item))];
    source.items = rest;
    let firstOfSecondRead = false;
    source.respond = (list, { offset }, number) => {
      if (offset !== 0 || number === 1 || isGone || firstOfSecondRead) return list;
      firstOfSecondRead = true;
      source.items = all;
      return { ...list, total: all.length, data: all.slice(0, 100) };
    };
    await readModels(group, MODELS, { bypassCdn: true });
    const reads = source.pages.filter(({ offset }) => offset === 0).length;
    return { reads, removed: group.removed.size, source };
  }

  test('is ignored if a second read does not confirm it', async () => {
    const { removed, reads } = await readWithout(range(80), ({ _id }) => _id <= 60);
    expect(removed).toBe(0);
    expect(reads).toBe(2);
  });

  test('is accepted if a second read confirms it', async () => {
    const { removed, reads, source } = await readWithout(range(80), ({ _id }) => _id <= 60, true);
    expect(removed).toBe(60);
    expect(reads).toBe(2);
    expect(source.pages.every(({ bypassCdn }) => bypassCdn)).toBe(true);
  });

  test('is read again bypassing the CDN', async () => {
    const { group, source } = await open(range(80), ['article']);
    source.items = range(20);
    source.byId = async () => [];
    await readModels(group, ['article'], { bypassCdn: false });
    expect(source.pages.map(({ bypassCdn }) => bypassCdn)).toEqual([false, true]);
    expect(group.removed.size).toBe(60);
  });

  test.each([
    ['50 of 100', range(100), 50, 1],
    ['51 of 100', range(100), 51, 2],
    ['a tenth of 900', range(900), 90, 1],
    ['more than a tenth of 900', range(900), 91, 2],
    ['60 of 100, of a model', [...range(100), ...pages(900)], 60, 2],
  ])('means more than 50 and a tenth of a model: %s', async (_, known, lost, reads) => {
    expect((await readWithout(known, ({ _id }) => _id <= lost, true)).reads).toBe(reads);
  });

  test('is not the sum of small ones in two models', async () => {
    const isLost = ({ _id }: WireContent) => _id <= 40 || (_id > 5000 && _id <= 5040);
    expect((await readWithout([...range(100), ...pages(100)], isLost, true)).reads).toBe(1);
  });

  test('returns whether the second read was steady', async () => {
    const { group, source } = await open(range(150), ['article']);
    source.items = [];
    source.before.set(3, () => (source.items = range(150)));
    source.before.set(4, () => (source.items = range(151)));
    const { isSteady } = await readModels(group, ['article'], { bypassCdn: true });
    expect(group.count).toBe(151);
    expect(isSteady).toBe(false);
  });
});

describe('two versions of an item', () => {
  const version = (updated: number, published: number | null, fields: object = {}) =>
    at(1, 1, {
      _updated_at: time(updated),
      _last_published_at: published === null ? null : time(published),
      ...fields,
    });

  test('are the same if all properties are equal, in any order', () => {
    expect(isSame(version(1, 1), version(1, 1))).toBe(true);
    expect(isSame(version(1, 1, { a: [1], b: 2 }), version(1, 1, { b: 2, a: [1] }))).toBe(true);
    expect(isSame(version(1, 1, { a: [1] }), version(1, 1, { a: [2] }))).toBe(false);
  });

  test.each<[ReturnType<typeof version>, ReturnType<typeof version>, boolean]>([
    [version(2, 2), version(1, 1), true],
    [version(2, 1), version(1, 1), true],
    [version(1, 2), version(1, 1), true],
    [version(1, 1), version(1, null), true],
    [version(1, 1), version(1, 1), false],
    [version(2, 1), version(1, 2), false],
    [version(1, 2), version(2, 1), false],
    [version(1, null), version(1, 1), false],
  ])('%#: newer means that no time is earlier and one is later', (item, known, expected) => {
    expect(isNewer(item, known)).toBe(expected);
  });
});
