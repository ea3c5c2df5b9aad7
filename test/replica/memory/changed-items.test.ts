import { expect, test, vi } from 'vitest';
import { changedItems } from '../../../src/replica/memory/changed-items.ts';
import { MemoryReplica } from '../../../src/replica/memory/memory-replica.ts';
import { SegmentItems } from '../../../src/replica/memory/segment-items.ts';
import { encode } from '../../../src/replica/store/segments.ts';
import { article, author, memoryReplica, models } from './memory-items.ts';
import { openStoredSpace } from './stored-space.ts';

test('an alternative text changes only the items that show its media and existed before', () => {
  const cover = (name: string) => ({ url: `/${name}.jpg`, alt: 'old' });
  const items = [article(1, null, cover('a')), article(2, null, cover('b')), article(3)];
  const before = memoryReplica({ article: [items] }, { alts: { '/a.jpg': 'A', '/b.jpg': 'B' } });
  const added = [article(4, null, cover('b'))];
  const after = memoryReplica({ article: [items, added] }, { alts: { '/a.jpg': 'A', '/b.jpg': 'new' } });
  expect(changedItems(before, after)).toEqual({
    added: new Set([4]),
    changed: new Set([2]),
    removed: new Set(),
    all: new Set([2, 4]),
  });
});

test('many alternative texts change all items that show their media, and each segment is decoded once', () => {
  const cover = (n: number) => ({ url: `/${n}.jpg`, alt: 'old' });
  const segments = [0, 10, 20].map((first) =>
    Array.from({ length: 10 }, (_, n) => article(first + n + 1, null, cover((first + n) % 6))),
  );
  const before = memoryReplica({ article: segments });
  const changesBy = (urls: readonly number[]) => {
    const alts = Object.fromEntries(urls.map((n) => [`/${n}.jpg`, 'new']));
    const after = memoryReplica({ article: segments }, { alts });
    const decodes = vi.spyOn(TextDecoder.prototype, 'decode');
    const changed = [...changedItems(before, after).changed].sort((a, b) => a - b);
    const count = decodes.mock.calls.length;
    decodes.mockRestore();
    return { changed, count };
  };
  expect(changesBy([2])).toEqual({ changed: [3, 9, 15, 21, 27], count: segments.length });
  expect(changesBy([2, 3, 5])).toEqual({
    changed: [3, 4, 6, 9, 10, 12, 15, 16, 18, 21, 22, 24, 27, 28, 30],
    count: segments.length,
  });
  expect(changesBy([])).toEqual({ changed: [], count: 0 });
});

test('content of undeclared models that appeared or disappeared is listed with all changes', () => {
  const before = memoryReplica({}, { undeclared: [71, 72], undeclaredInMain: [81, 82] });
  const after = memoryReplica({}, { undeclared: [72, 73], undeclaredInMain: [82, 83] });
  expect(changedItems(before, after)).toEqual({
    added: new Set(),
    changed: new Set(),
    removed: new Set(),
    all: new Set([71, 73, 81, 83]),
  });
});

test('a segment that both versions have is not read', () => {
  const { segment } = encode([author(1)]);
  const versionOf = (name: string) => {
    const bytes = new TextEncoder().encode(encode([{ ...author(1), name }]).body);
    const manifest = memoryReplica({}).manifest;
    return new MemoryReplica(
      models,
      manifest,
      new Map([['author', [new SegmentItems('author', segment, bytes)]]]),
    );
  };
  expect(changedItems(versionOf('a'), versionOf('b')).all).toEqual(new Set());
});

async function changesOf(edit: (space: ReturnType<typeof openStoredSpace>) => void, count = 600) {
  const space = openStoredSpace(count);
  const before = await space.read();
  space.service.clock.advance(60_000);
  edit(space);
  const { added, changed, removed, all } = changedItems(before, await space.read());
  const sorted = (ids: ReadonlySet<number>) => [...ids].sort((a, b) => a - b);
  return { added: sorted(added), changed: sorted(changed), removed: sorted(removed), all: sorted(all) };
}

test('nothing differs without a change', async () => {
  expect(await changesOf(() => {})).toEqual({ added: [], changed: [], removed: [], all: [] });
});

test('an edit, a deletion and a new item are told apart', async () => {
  const changes = await changesOf(({ service: { contents } }) => {
    contents.edit(1, { name: 'new' });
    contents.edit(590, { title: 'new' });
    contents.remove(5);
    contents.create({ id: 999, model: 'author', published: { ja: { name: 'added' } } } as never);
  });
  expect(changes).toMatchObject({ changed: [1, 590], removed: [5] });
  expect(changes.added).toHaveLength(1);
  expect(changes.all).toEqual([...changes.added, 1, 5, 590].sort((a, b) => a - b));
});

test('a changed alternative text changes the items that show the media', async () => {
  // A smaller space is read whole, with the new text in all items.
  const space = openStoredSpace(2500);
  const { contents, media } = space.service;
  for (const id of [2, 6, 10]) contents.edit(id, { cover: 9_000_001 });
  await space.read();
  // A text that differs in one of the newest 100 items would have all items read again.
  space.service.clock.advance(60_000);
  for (let id = 4; id <= 480; id += 4) contents.edit(id, { title: 'newer' });
  await space.read();
  const before = await space.read();
  space.service.clock.advance(60_000);
  media.setAlt(9_000_001, 'B');
  // Seen with the next item that shows it.
  contents.edit(10, { title: 'new' });
  const after = await space.read();
  expect([...changedItems(before, after).changed].sort((a, b) => a - b)).toEqual([2, 6, 10]);
  expect(after.get(2)).toMatchObject({ cover: { alt: 'B' } });
});

test('referrers are found through the content that they refer to', async () => {
  const space = openStoredSpace(600);
  const { contents } = space.service;
  contents.edit(2, { author: 1 });
  contents.edit(6, { related: [{ article: 2 }] });
  const replica = await space.read();
  expect([...replica.referrersOf(new Set([1]))]).toEqual([2]);
  expect([...replica.referrersOf(new Set([1, 2]))].sort()).toEqual([2, 6]);
  expect([...replica.linksOf(6)]).toContain(2);
});
