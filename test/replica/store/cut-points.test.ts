import { expect, test } from 'vitest';
import { cutPoints, type ItemsByTime } from '../../../src/replica/store/cut-points.ts';

/** Items that were created in these seconds. */
const list = (...seconds: number[]): ItemsByTime => ({
  first: (seconds[0] as number) * 1000,
  count: seconds.length,
  times: async () => seconds.map((second) => second * 1000),
});

/** Where lists are cut, in seconds. */
async function cuts(parts: number, [from, to]: readonly [number, number], ...lists: ItemsByTime[]) {
  const points = await cutPoints(lists, { from: from * 1000, to: to * 1000 }, parts);
  return points.map((point) => point / 1000);
}

const ALL = [0, 100] as const;

test('items are cut into parts of equal size', async () => {
  const items = list(1, 2, 3, 4, 50, 60, 70, 80);
  expect(await cuts(2, ALL, items)).toEqual([50]);
  expect(await cuts(4, ALL, items)).toEqual([3, 50, 70]);
  expect(await cuts(3, ALL, items)).toEqual([3, 60]);
});

test('a cut may be between or inside lists', async () => {
  expect(await cuts(2, ALL, list(1, 2), list(3, 4))).toEqual([3]);
  expect(await cuts(4, ALL, list(1, 2, 3), list(4), list(5, 6, 7, 8))).toEqual([3, 5, 7]);
});

test('only a list that is cut inside is read', async () => {
  const unread = (first: number, count: number): ItemsByTime => ({
    first: first * 1000,
    count,
    times: () => Promise.reject(new Error('It was read')),
  });
  expect(await cuts(2, ALL, unread(1, 4), unread(5, 4))).toEqual([5]);
  await expect(cuts(4, ALL, unread(1, 4), list(5, 6, 7, 8))).rejects.toThrow('It was read');
});

test('cuts are at whole seconds, and each once', async () => {
  expect(await cuts(4, ALL, list(5.1, 5.3, 5.6, 5.9))).toEqual([5]);
  expect(await cuts(2, ALL, list(1, 5.999))).toEqual([5]);
});

test('cuts are inside the range', async () => {
  expect(await cuts(4, [2, 8], list(1, 2, 8, 9))).toEqual([]);
  expect(await cuts(4, [1, 9], list(1, 2, 8, 9))).toEqual([2, 8]);
});

test('one part needs no cut, and nothing has none', async () => {
  expect(await cuts(1, ALL, list(1, 2, 3))).toEqual([]);
  expect(await cuts(3, ALL)).toEqual([]);
  const none = { first: 99_500, count: 0, times: async () => [] };
  expect(await cuts(1, [0, 99.5], none)).toEqual([]);
});
