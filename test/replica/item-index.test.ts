import { describe, expect, test } from 'vitest';
import { createItemIndex, type KnownItem } from '../../src/replica/item-index.ts';
import { mediaKey } from '../../src/replica/store/item-facts.ts';
import { factsOf } from './item-facts.ts';
import { at, content, second } from './wire-items.ts';

/** The facts of a segment of items with these links, created in the second of their ids. */
const segment = (links: { readonly [id: number]: readonly number[] }, order = Object.keys(links)) =>
  factsOf(
    order.map((id) => content(Number(id), { _created_at: at(Number(id)) })),
    links,
  );

const indexOf = (...facts: ReturnType<typeof segment>[]) => createItemIndex([{ model: 'article', facts }]);
const plain = (item: KnownItem | undefined) => item && { ...item, links: [...item.links] };

describe('an item', () => {
  test('is found with its model, its position and its links', () => {
    const index = createItemIndex([
      { model: 'author', facts: [segment({ 1: [] })] },
      { model: 'article', facts: [segment({ 2: [1, 7], 3: [8] })] },
    ]);
    expect(plain(index.get(1))).toEqual({ model: 'author', key: { time: second(1), id: 1 }, links: [] });
    expect(plain(index.get(2))).toEqual({
      model: 'article',
      key: { time: second(2), id: 2 },
      links: [1, 7],
    });
    expect(plain(index.get(3))?.links).toEqual([8]);
  });

  test('is found in any segment, even if the ids of segments overlap', () => {
    const index = indexOf(
      segment({ 1: [], 9: [71] }),
      segment({ 2: [], 5: [72], 8: [] }),
      segment({ 6: [73] }),
    );
    expect([1, 2, 5, 6, 8, 9].map((id) => index.get(id)?.key.id)).toEqual([1, 2, 5, 6, 8, 9]);
    expect([9, 5, 6].map((id) => plain(index.get(id))?.links)).toEqual([[71], [72], [73]]);
  });

  test('is found if a segment is not sorted by id', () => {
    const index = indexOf(segment({ 4: [1], 9: [2], 6: [3] }, ['9', '4', '6']));
    expect([4, 6, 9].map((id) => plain(index.get(id))?.links)).toEqual([[1], [3], [2]]);
  });

  test('that does not exist is not found, even if others refer to it', () => {
    const index = indexOf(segment({ 2: [3], 5: [] }));
    expect([0, 1, 3, 6].map((id) => index.get(id))).toEqual([undefined, undefined, undefined, undefined]);
    expect(createItemIndex([]).get(1)).toBeUndefined();
    expect(createItemIndex([{ model: 'article', facts: [] }]).get(1)).toBeUndefined();
  });
});

describe('the referrers of an item', () => {
  const referrers = (index: ReturnType<typeof indexOf>, ...targets: number[]) =>
    [...index.referrersOf(new Set(targets))].sort((a, b) => a - b);

  test('are found by the first, a middle and the last of their links', () => {
    const index = indexOf(segment({ 1: [11, 12, 13], 2: [21, 22, 23], 3: [31, 32, 33] }));
    for (const id of [1, 2, 3])
      for (const link of [1, 2, 3]) expect(referrers(index, 10 * id + link)).toEqual([id]);
  });

  test('are never items without links, wherever these are', () => {
    const index = indexOf(segment({ 1: [], 2: [], 3: [7], 4: [], 5: [], 6: [8], 7: [] }));
    expect(referrers(index, 7)).toEqual([3]);
    expect(referrers(index, 8)).toEqual([6]);
  });

  test('are in all segments of all models', () => {
    const index = createItemIndex([
      { model: 'author', facts: [segment({ 1: [7] }), segment({ 2: [] })] },
      { model: 'article', facts: [segment({ 3: [] }), segment({ 4: [6, 7] })] },
    ]);
    expect(referrers(index, 7)).toEqual([1, 4]);
  });

  test('are those of any of several targets, each once', () => {
    const index = indexOf(segment({ 1: [7, 8], 2: [8], 3: [9] }));
    expect(referrers(index, 7, 8)).toEqual([1, 2]);
    expect(referrers(index, 7, 9)).toEqual([1, 3]);
  });

  test('may be the item itself', () => {
    expect(referrers(indexOf(segment({ 1: [1], 2: [] })), 1)).toEqual([1]);
  });

  test('are the items that show media with a key', () => {
    const [a, b] = [mediaKey('/a.jpg'), mediaKey('/b.jpg')];
    const index = indexOf(segment({ 1: [a], 2: [1, b], 3: [b] }));
    expect(referrers(index, a)).toEqual([1]);
    expect(referrers(index, b)).toEqual([2, 3]);
  });

  test('are none if nothing refers to it', () => {
    expect(referrers(indexOf(segment({ 1: [2], 2: [] })), 1)).toEqual([]);
    expect(referrers(indexOf(segment({ 1: [2] })))).toEqual([]);
    expect(referrers(indexOf(), 1)).toEqual([]);
  });
});
