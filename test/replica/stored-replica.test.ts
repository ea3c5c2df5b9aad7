import { createStorage } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { openSnapshotReader } from '../../src/replica/content/snapshot-reader.ts';
import { storedModelKey } from '../../src/replica/store/manifest/stored-models.ts';
import { encodeFacts } from '../../src/replica/store/segments/facts-format.ts';
import { encode, hashOf } from '../../src/replica/store/segments/segments.ts';
import { mapFingerprint } from '../../src/replica/store/segments/stored-facts.ts';
import { emptyManifest, openSnapshot } from '../../src/replica/store/snapshot.ts';
import { article, author, memoryReplica, models, type Segments } from './content/memory-items.ts';
import { factsOf } from './item-facts.ts';
import { readStored } from './read-stored.ts';
import { commitAll } from './written.ts';

const ids = (items: Iterable<{ _id: number }>) => [...items].map(({ _id }) => _id);

describe('a replica in memory', async () => {
  const replica = await memoryReplica({
    author: [[author(1)], [author(2)]],
    article: [[article(3, 1), article(4, 2)], [article(5, 1)]],
  });

  test('finds its items by id, in any segment', () => {
    expect(replica.size).toBe(5);
    expect([2, 4, 5].map((id) => replica.get(id))).toEqual([author(2), article(4, 2), article(5, 1)]);
    expect([1, 3, 5].map((id) => replica.has(id))).toEqual([true, true, true]);
    expect(ids(replica.values())).toEqual([1, 2, 3, 4, 5]);
  });

  test('knows the model of an item, and the segments of a model', () => {
    expect([2, 3].map((id) => replica.modelOf(id))).toEqual(['author', 'article']);
    const segmentIds = (model: string) => replica.segmentsOf(model).map((segment) => [...segment.ids()]);
    expect(segmentIds('article')).toEqual([[3, 4], [5]]);
    expect(segmentIds('page')).toEqual([]);
  });

  test('knows what an item refers to, and what refers to it', () => {
    expect([3, 4, 1].map((id) => [...replica.linksOf(id)])).toEqual([[1], [2], []]);
    expect(replica.referrersOf(new Set([1]))).toEqual(new Set([3, 5]));
    expect(replica.referrersOf(new Set([1, 2]))).toEqual(new Set([3, 4, 5]));
    expect(replica.referrersOf(new Set([3]))).toEqual(new Set());
  });

  test('has nothing of an item that does not exist', () => {
    expect([replica.get(9), replica.has(9), replica.modelOf(9), [...replica.linksOf(9)]]).toEqual([
      undefined,
      false,
      undefined,
      [],
    ]);
  });

  test('knows what was removed', async () => {
    expect((await memoryReplica({}, { removed: [7] })).removed).toEqual(new Set([7]));
  });
});

interface StoreOptions {
  /** The text that is stored as the facts about the items. */
  readonly facts?: string;
}

/** Stores segments as a sync does, and reads them. */
async function store(segments: Segments, { facts }: StoreOptions = {}) {
  const storage = createStorage();
  const of = { baseUrl: 'http://service.test/v1', apiKey: 'key', space: undefined, lang: undefined };
  const modelKeys = Object.keys(models).map((model) => storedModelKey(models, model));
  const written = new Map<string, string>();
  const states = Object.entries(segments).map(([model, parts]) => {
    const encoded = parts.map((items) => encode(items));
    for (const { segment, body } of encoded) written.set(segment.hash, body);
    const state = { segments: encoded.map(({ segment }) => segment), readAt: 1 };
    return [storedModelKey(models, model), state];
  });
  if (facts !== undefined) written.set(hashOf(facts), facts);
  const manifest = {
    ...emptyManifest(),
    generation: 1,
    models: Object.fromEntries(states),
    facts: facts === undefined ? null : { hash: hashOf(facts), models: mapFingerprint(models) },
  };
  await commitAll(await openSnapshot(storage, { ...of, modelKeys }), manifest, written, 1);
  const snapshot = await openSnapshotReader(storage, models, of);
  const reads: string[] = [];
  const reader = {
    ...snapshot,
    segment: (hash: string) => {
      reads.push(hash);
      return snapshot.segment(hash);
    },
  };
  const remove = async (hash: string) => {
    for (const key of await storage.getKeys()) if (key.endsWith(hash)) await storage.removeItem(key);
  };
  return { reader, manifest, reads, remove };
}

const hashesOf = (segments: Iterable<{ hash: string }>) => [...segments].map(({ hash }) => hash);

describe('reading a stored replica', () => {
  test('reads the segments of all models', async () => {
    const { reader, manifest } = await store({
      author: [[author(1)], [author(2)]],
      article: [[article(3, 1)]],
    });
    const replica = await readStored(models, reader, manifest, undefined);
    expect([...(replica?.values() ?? [])]).toEqual([author(1), author(2), article(3, 1)]);
    expect([1, 3].map((id) => replica?.modelOf(id))).toEqual(['author', 'article']);
    expect(replica?.manifest).toBe(manifest);
  });

  test('reads only the segments that the version before does not have', async () => {
    const [same, old, changed] = [[author(1)], [article(3, 1)], [article(3, null)]];
    const first = await store({ author: [same], article: [old] });
    const before = await readStored(models, first.reader, first.manifest, undefined);
    const second = await store({ author: [same], article: [changed] });
    const after = await readStored(models, second.reader, second.manifest, before);
    expect(second.reads).toEqual(hashesOf(after?.segmentsOf('article') ?? []));
    expect(after?.segmentsOf('author')[0]).toBe(before?.segmentsOf('author')[0]);
    expect(after?.get(3)).toEqual(article(3, null));
  });

  test('has no items of a model that the manifest does not contain', async () => {
    const { reader, manifest } = await store({ author: [[author(1)]] });
    const replica = await readStored(models, reader, manifest, undefined);
    expect([replica?.size, replica?.segmentsOf('article')]).toEqual([1, []]);
  });

  test('is not possible if a segment is missing', async () => {
    const { reader, manifest, remove } = await store({ author: [[author(1)], [author(2)]] });
    await remove(encode([author(2)]).segment.hash);
    expect(await readStored(models, reader, manifest, undefined)).toBeUndefined();
  });
});

describe('the stored facts about items', () => {
  /** So many segments of one author each, and facts that claim that each refers to item 77. */
  const authors = (count: number) => Array.from({ length: count }, (_, index) => [author(index + 1)]);
  const factsAbout = (segments: Segments) =>
    Object.values(segments).flatMap((parts) =>
      parts.map((items) => factsOf(items, Object.fromEntries(items.map(({ _id }) => [_id, [77]])))),
    );
  const storeWithFacts = (segments: Segments) =>
    store(segments, { facts: encodeFacts(factsAbout(segments)) });

  async function linksIn({ reader, manifest }: Awaited<ReturnType<typeof store>>, ...of: number[]) {
    const replica = await readStored(models, reader, manifest, undefined);
    return of.map((id) => [...(replica?.linksOf(id) ?? [])]);
  }

  test('are used instead of parsing many segments', async () => {
    expect(await linksIn(await storeWithFacts({ author: authors(21) }), 1, 21)).toEqual([[77], [77]]);
  });

  test('are not read for a few segments', async () => {
    const stored = await storeWithFacts({ author: authors(20) });
    expect(await linksIn(stored, 1, 20)).toEqual([[], []]);
    expect(stored.reads).not.toContain(stored.manifest.facts?.hash);
  });

  test('are of the segments of all models, in the order of the model map', async () => {
    const stored = await storeWithFacts({
      author: authors(20),
      article: [[article(30, 1)], [article(31, 1)]],
    });
    const replica = await readStored(models, stored.reader, stored.manifest, undefined);
    expect(replica?.referrersOf(new Set([77])).size).toBe(22);
    expect(replica?.get(31)).toEqual(article(31, 1));
  });

  test('are copied, so that those that are not kept do not stay in memory', async () => {
    const { reader, manifest } = await storeWithFacts({ author: authors(21) });
    const [segment] = (await readStored(models, reader, manifest, undefined))?.segmentsOf('author') ?? [];
    const links = segment?.links(models, 0) as Float64Array | undefined;
    expect([segment?.ids().buffer.byteLength, links?.buffer.byteLength]).toEqual([8, 8]);
  });

  test.each<[string, StoreOptions]>([
    ['there are none', {}],
    ['they are of other segments', { facts: encodeFacts(factsAbout({ author: authors(20) })) }],
    ['they are in another order', { facts: encodeFacts(factsAbout({ author: authors(21).reverse() })) }],
    ['they are damaged', { facts: 'x' }],
  ])('are not needed if %s', async (_, options) => {
    expect(await linksIn(await store({ author: authors(21) }, options), 1, 21)).toEqual([[], []]);
  });

  test('are not needed if they are missing', async () => {
    const stored = await storeWithFacts({ author: authors(21) });
    await stored.remove(stored.manifest.facts?.hash ?? '');
    expect(await linksIn(stored, 1, 21)).toEqual([[], []]);
  });
});
