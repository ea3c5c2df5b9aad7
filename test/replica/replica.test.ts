import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { field } from '../../src/index.ts';
import { DamagedSegment, SegmentItems } from '../../src/replica/content/segment-items.ts';
import { Replica, type ReplicaParts, UnreadItem } from '../../src/replica/replica.ts';
import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import type { FactsBySegment } from '../../src/replica/store/segments/facts-format.ts';
import { encode } from '../../src/replica/store/segments/segments.ts';
import { emptyManifest } from '../../src/replica/store/snapshot.ts';
import { factsOf } from './item-facts.ts';
import { at, content } from './wire-items.ts';

const models = {
  author: { name: field.text() },
  article: { by: field.reference('author'), cover: field.media() },
};
const author = (id: number) => content(id, { _model: 'author', _created_at: at(id), name: `${id}` });
const article = (id: number, by: number | null) =>
  content(id, { _created_at: at(id), by, cover: { url: '/a.jpg', alt: 'A' } });

interface Options extends Pick<ReplicaParts, 'repair' | 'keepsItems'> {
  readonly manifest?: Partial<Manifest>;
  readonly isDamaged?: (model: string) => boolean;
  /** Whether facts about all items are stored. */
  readonly hasFacts?: boolean;
  /** By model and segment. */
  readonly items?: Readonly<Record<string, readonly (readonly WireContent[])[]>>;
}

const ITEMS = {
  author: [[author(1), author(2)]],
  article: [[article(3, 1)], [article(4, 9), article(5, null)]],
};

/** A segment of authors, and two of articles; and the models whose segments were read. */
function open({
  manifest = {},
  isDamaged = () => false,
  hasFacts = false,
  items: all = ITEMS,
  ...parts
}: Options = {}) {
  const reads: string[] = [];
  const facts = new Map<string, FactsBySegment extends ReadonlyMap<string, infer F> ? F : never>();
  const segmentOf = (model: string, items: readonly WireContent[]) => {
    const { segment, body } = encode(items);
    const links = items.map(({ _id, by }) => [_id, typeof by === 'number' ? [by] : []]);
    facts.set(segment.hash, factsOf(items, Object.fromEntries(links)));
    return new SegmentItems(model, segment, async () => {
      reads.push(model);
      return isDamaged(model) ? undefined : body;
    });
  };
  const segments = Object.entries(all).map(
    ([model, lists]) => [model, lists.map((items) => segmentOf(model, items))] as const,
  );
  const replica = new Replica({
    models,
    manifest: { ...emptyManifest(), ...manifest },
    fingerprint: '',
    segments: new Map(segments),
    storedFacts: async () => (hasFacts ? facts : new Map()),
    ...parts,
  });
  return { replica, reads };
}

test('what changed since a fingerprint is that of the history', () => {
  const history = {
    start: 'a',
    steps: [
      { to: 'b', added: [1], changed: [], removed: [] },
      { to: 'c', added: [], changed: [-7], removed: [2] },
    ],
  };
  const { replica } = open({ manifest: { history } });
  expect(replica.changesSince('a')).toEqual(new Set([1, 2, -7]));
  expect(replica.changesSince('b')).toEqual(new Set([2, -7]));
  expect(replica.changesSince('x')).toBeUndefined();
});

describe.each([
  ['with facts', true, []],
  ['without facts', false, ['author', 'article', 'article']],
])('a replica that is prepared, %s,', (_, hasFacts, reads) => {
  test('knows all items, and reads only what it has no facts about, once', async () => {
    const opened = open({ hasFacts });
    await opened.replica.prepare();
    await opened.replica.prepare();
    const { replica } = opened;
    expect([1, 5, 9].map((id) => [replica.has(id), replica.modelOf(id)])).toEqual([
      [true, 'author'],
      [true, 'article'],
      [false, undefined],
    ]);
    expect(replica.size).toBe(5);
    expect(opened.reads).toEqual(reads);
  });

  test('knows what refers to what, also to what does not exist', async () => {
    const replica = await open({ hasFacts }).replica.prepare();
    expect([...replica.linksOf(4)]).toEqual([9]);
    expect([...replica.linksOf(1), ...replica.linksOf(77)]).toEqual([]);
    expect(replica.referrersOf(new Set([1, 9]))).toEqual(new Set([3, 4]));
    expect(replica.referrersOf(new Set([2, 77]))).toEqual(new Set());
    expect(replica.referrersOf(new Set())).toEqual(new Set());
  });
});

describe('an item', () => {
  test('is never passed off as missing: one that was not read is an error', async () => {
    const { replica, reads } = open({ hasFacts: true });
    expect(() => replica.get(1)).toThrow(UnreadItem);
    await replica.read([4, 9]);
    expect(reads).toEqual(['article']);
    expect([replica.get(4), replica.get(5)]).toEqual([article(4, 9), article(5, null)]);
    expect(() => replica.get(3)).toThrow('Content 3 was not read');
    expect(() => [...replica.values()]).toThrow(UnreadItem);
    expect([replica.get(9), replica.has(3)]).toEqual([undefined, true]);
    await replica.read([3, 4]);
    expect(reads).toEqual(['article', 'article']);
  });

  test('is one object if items are kept, and parsed each time otherwise', async () => {
    const some = open({ keepsItems: true, hasFacts: true }).replica;
    await some.read([3]);
    for (const kept of [some, await open({ keepsItems: true }).replica.readAll()])
      expect(kept.get(3)).toBe(kept.get(3));
    const parsed = await open().replica.readAll();
    expect(parsed.get(3)).toEqual(some.get(3));
    expect(parsed.get(3)).not.toBe(parsed.get(3));
  });

  test('leads to what was removed, unless it is shown as this language alone has it', async () => {
    const { replica } = open({ manifest: { removed: [1, 9] } });
    const shown = await replica.items();
    expect([replica.get(4)?.by, shown.get(4)?.by]).toEqual([9, null]);
    expect([...shown.keys()]).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('a damaged segment', () => {
  const isDamaged = (model: string) => model === 'article';

  test('is an error where some items are read, and repaired where all are', async () => {
    let repairs = 0;
    const repair = async () => {
      repairs += 1;
      return open().replica;
    };
    const { replica } = open({ isDamaged, repair, hasFacts: true });
    await expect(replica.read([1, 3])).rejects.toThrow(DamagedSegment);
    await replica.read([1]);
    expect(repairs).toBe(0);
    await replica.readAll();
    expect(repairs).toBe(1);
    expect([...replica.values()].map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('leaves no item as it was read before the repair', async () => {
    const repaired = open({ keepsItems: true, items: { ...ITEMS, article: [[article(3, 2)]] } });
    const { replica } = open({
      keepsItems: true,
      isDamaged: (model) => model === 'author',
      repair: async () => repaired.replica,
      hasFacts: true,
    });
    await replica.read([3, 5]);
    expect([replica.get(3)?.by, replica.has(5)]).toEqual([1, true]);
    await replica.readAll();
    expect(replica.get(3)).toEqual(article(3, 2));
    expect([...replica.values()].map(({ _id }) => _id)).toEqual([1, 2, 3]);
    expect([replica.has(5), replica.get(5)]).toEqual([false, undefined]);
  });

  test('is an error if it cannot be repaired', async () => {
    await expect(open({ isDamaged }).replica.readAll()).rejects.toThrow(DamagedSegment);
    const repair = async () => Promise.reject(new Error('offline'));
    await expect(open({ isDamaged, repair }).replica.readAll()).rejects.toThrow('offline');
  });

  test('is not what another error is', async () => {
    const fails = () => {
      throw new RangeError('The storage failed');
    };
    const repair = () => expect.fail('repaired');
    await expect(open({ isDamaged: fails, repair }).replica.readAll()).rejects.toThrow('The storage failed');
  });
});
