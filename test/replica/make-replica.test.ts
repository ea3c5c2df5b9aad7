import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { field } from '../../src/index.ts';
import { linksOf } from '../../src/replica/item-links.ts';
import { makeReplica, type Replica, type ReplicaParts } from '../../src/replica/make-replica.ts';
import type { Manifest } from '../../src/replica/store/manifest.ts';
import { DamagedSegment, ModelTable } from '../../src/replica/store/model-table.ts';
import { encode } from '../../src/replica/store/segments.ts';
import { emptyManifest } from '../../src/replica/store/snapshot.ts';
import { at, content } from './wire-items.ts';

const models = {
  author: { name: field.text() },
  article: { by: field.reference('author'), cover: field.media() },
};
const author = (id: number) => content(id, { _model: 'author', _created_at: at(id), name: `${id}` });
const article = (id: number, by: number | null, alt = 'old') =>
  content(id, { _created_at: at(id), by, cover: { url: '/a.jpg', alt } });

interface TestReplica {
  readonly replica: Replica;
  /** Models whose segments were read. */
  readonly reads: string[];
}

/** The replica of a table of authors and one of articles with two segments. */
function open({
  manifest = {},
  isDamaged = () => false,
  repair = async () => new Map(),
}: {
  manifest?: Partial<Manifest>;
  isDamaged?: (model: string) => boolean;
  repair?: ReplicaParts['repair'];
} = {}): TestReplica {
  const reads: string[] = [];
  const tableOf = (model: string, ...segments: WireContent[][]) => {
    const parts = segments.map((items) => encode(items));
    const bodies = new Map(parts.map(({ segment, body }) => [segment.hash, body]));
    const read = async (hash: string) => {
      reads.push(model);
      return isDamaged(model) ? '[]' : bodies.get(hash);
    };
    return new ModelTable(
      model,
      parts.map(({ segment }) => segment),
      read,
      { stored: async () => new Map(), linksOf: (item) => linksOf(models, item) },
    );
  };
  const tables = [
    tableOf('author', [author(1), author(2)]),
    tableOf('article', [article(3, 1)], [article(4, 9), article(5, null)]),
  ];
  const counts = { items: 5, added: 0, changed: 0, removed: 0 };
  const replica = makeReplica({
    models,
    manifest: { ...emptyManifest(), ...manifest },
    tables,
    summary: { ...counts, requests: 0, cached: 0, retries: 0, waited: 0 },
    isFromCache: true,
    repair,
  });
  return { replica, reads };
}

test('what changed since a fingerprint is that of the history', () => {
  const history = {
    start: 'a',
    steps: [
      { to: 'b', ids: [1] },
      { to: 'c', ids: [2, -7] },
    ],
  };
  const { replica } = open({ manifest: { history } });
  expect(replica.changesSince('a')).toEqual(new Set([1, 2, -7]));
  expect(replica.changesSince('b')).toEqual(new Set([2, -7]));
  expect(replica.changesSince('x')).toBeUndefined();
});

describe('the index of a replica', () => {
  test('has the items of all tables', async () => {
    const index = await open().replica.index();
    expect([1, 2, 3, 4, 5, 9].map((id) => index.get(id)?.model)).toEqual([
      'author',
      'author',
      'article',
      'article',
      'article',
      undefined,
    ]);
    expect(index.referrersOf(new Set([1, 9]))).toEqual(new Set([3, 4]));
  });

  test('is made once', async () => {
    const { replica, reads } = open();
    const [one, other] = await Promise.all([replica.index(), replica.index()]);
    expect(other).toBe(one);
    expect(reads).toEqual(['author', 'article', 'article']);
  });

  test('is an error if a segment that it needs is damaged: nothing is repaired', async () => {
    let repairs = 0;
    const repair = async () => {
      repairs += 1;
      return new Map();
    };
    const { replica } = open({ isDamaged: (model) => model === 'article', repair });
    await expect(replica.index()).rejects.toThrow(DamagedSegment);
    await expect(replica.itemsById([1])).rejects.toThrow(DamagedSegment);
    expect(repairs).toBe(0);
    await replica.unresolvedItems();
    expect(repairs).toBe(1);
  });
});

test('what is not damage is not repaired either', async () => {
  let repairs = 0;
  const { replica } = open({
    isDamaged: () => {
      throw new RangeError('The storage failed');
    },
    repair: async () => {
      repairs += 1;
      return new Map();
    },
  });
  await expect(replica.unresolvedItems()).rejects.toThrow('The storage failed');
  expect(repairs).toBe(0);
});

describe('items by id', () => {
  test('are those of any model that exist, in the order of the ids', async () => {
    const { replica } = open();
    const items = await replica.itemsById([4, 9, 1, 77]);
    expect([...items]).toEqual([
      [4, article(4, 9)],
      [1, author(1)],
    ]);
    expect(await replica.itemsById([])).toEqual(new Map());
  });

  test('are equal to all unresolved items: references lead to what was removed', async () => {
    const { replica } = open({ manifest: { gone: [1, 9] } });
    const all = await replica.unresolvedItems();
    expect(await replica.itemsById([1, 2, 3, 4, 5])).toEqual(all);
    expect(all.get(4)?.by).toBe(9);
    expect((await replica.items()).get(4)?.by).toBeNull();
  });

  test('have the alternative texts that were seen last', async () => {
    const { replica } = open({ manifest: { alts: { '/a.jpg': 'new', '/b.jpg': 'other' } } });
    expect(await replica.itemsById([3])).toEqual(new Map([[3, article(3, 1, 'new')]]));
  });

  test('are an error if their segment was damaged meanwhile', async () => {
    let damaged = false;
    const items = [author(1)];
    const { segment, body } = encode(items);
    const facts = { linksOf: (item: WireContent) => linksOf(models, item) };
    const read = async () => (damaged ? undefined : body);
    const first = new ModelTable('author', [segment], read, { stored: async () => new Map(), ...facts });
    const [known] = await first.facts();
    const stored = async () => new Map(known ? [[segment.hash, known]] : []);
    const { replica } = open();
    const again = makeReplica({
      models,
      manifest: emptyManifest(),
      tables: [new ModelTable('author', [segment], read, { stored, ...facts })],
      summary: replica.summary,
      isFromCache: true,
      repair: async () => new Map(),
    });
    damaged = true;
    expect((await again.index()).get(1)?.model).toBe('author');
    await expect(again.itemsById([1])).rejects.toThrow(DamagedSegment);
  });
});
