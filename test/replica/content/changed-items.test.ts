import { expect, test, vi } from 'vitest';
import { changedItems } from '../../../src/replica/content/changed-items.ts';
import { author, memoryReplica } from './memory-items.ts';
import { openStoredSpace } from './stored-space.ts';

test('what may be referred to though it was removed is listed with all changes, if that is so in one version', async () => {
  const before = await memoryReplica({}, { removed: [71, 72] });
  const after = await memoryReplica({}, { removed: [72, 73] });
  expect(changedItems(before, after)).toEqual({
    added: new Set(),
    changed: new Set(),
    removed: new Set(),
    all: new Set([71, 73]),
  });
});

test('a segment that both versions have is not read', async () => {
  const before = await memoryReplica({ author: [[author(1)]] });
  const [segment] = before.allSegments();
  if (!segment) throw new Error('no segment');
  const json = vi.spyOn(segment, 'json');
  const after = await memoryReplica({ author: [[author(1)]] });
  expect(changedItems(before, after).all).toEqual(new Set());
  expect(json).not.toHaveBeenCalled();
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
