import { describe, expect, test } from 'vitest';
import { itemsShownBy, itemsThatShow } from '../../../src/astro/collection/view/affected-items.ts';

/** An index of items with these links. */
function indexOf(links: { readonly [id: number]: readonly number[] }) {
  const ids = Object.keys(links).map(Number);
  const linksOf = (id: number) => links[id] ?? [];
  return {
    linksOf,
    referrersOf: (targets: ReadonlySet<number>) =>
      new Set(ids.filter((id) => linksOf(id).some((link) => targets.has(link)))),
  };
}

const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);
/** 4 → 3 → 2 → 1, and 5 refers to nothing. */
const CHAIN = indexOf({ 1: [], 2: [1], 3: [2], 4: [3], 5: [] });

describe('the items that show a changed one', () => {
  const show = (ids: number[], distance: number, ...indexes: ReturnType<typeof indexOf>[]) =>
    sorted(itemsThatShow(new Set(ids), indexes, distance));

  test('are itself at distance 0, and one more of a chain for each reference', () => {
    expect(show([1], 0, CHAIN)).toEqual([1]);
    expect(show([1], 1, CHAIN)).toEqual([1, 2]);
    expect(show([1], 2, CHAIN)).toEqual([1, 2, 3]);
    expect(show([1], 9, CHAIN)).toEqual([1, 2, 3, 4]);
  });

  test('are all that lead to any of several', () => {
    expect(show([1, 3], 1, CHAIN)).toEqual([1, 2, 3, 4]);
    expect(show([5], 3, CHAIN)).toEqual([5]);
    expect(show([], 3, CHAIN)).toEqual([]);
  });

  test('include those of a removed item, which itself is not in the index', () => {
    expect(show([9], 2, indexOf({ 1: [9], 2: [1], 3: [2] }))).toEqual([1, 2, 9]);
  });

  test('are found once in circular references', () => {
    const circle = indexOf({ 1: [2], 2: [3], 3: [1], 4: [4] });
    expect(show([1], 1, circle)).toEqual([1, 3]);
    expect(show([1], 9, circle)).toEqual([1, 2, 3]);
    expect(show([4], 9, circle)).toEqual([4]);
  });

  test('lead to it in any language, even if each language has only a part of the way', () => {
    const [main, sub] = [indexOf({ 1: [], 2: [1], 3: [] }), indexOf({ 2: [], 3: [2] })];
    expect(show([1], 2, main, sub)).toEqual([1, 2, 3]);
    expect(show([1], 2, main)).toEqual([1, 2]);
    expect(show([1], 2)).toEqual([1]);
  });
});

describe('the items that an item shows', () => {
  const shown = (ids: number[], distance: number, ...indexes: ReturnType<typeof indexOf>[]) =>
    sorted(itemsShownBy(new Set(ids), indexes, distance));

  test('are itself at distance 0, and one more of a chain for each reference', () => {
    expect(shown([4], 0, CHAIN)).toEqual([4]);
    expect(shown([4], 1, CHAIN)).toEqual([3, 4]);
    expect(shown([4], 2, CHAIN)).toEqual([2, 3, 4]);
    expect(shown([4], 9, CHAIN)).toEqual([1, 2, 3, 4]);
  });

  test('include what does not exist', () => {
    expect(shown([1], 2, indexOf({ 1: [9] }))).toEqual([1, 9]);
  });

  test('are found once in circular references', () => {
    expect(shown([1], 9, indexOf({ 1: [2, 1], 2: [3], 3: [1] }))).toEqual([1, 2, 3]);
  });

  test('are those of any language', () => {
    const [main, sub] = [indexOf({ 1: [2], 2: [] }), indexOf({ 1: [3], 2: [4] })];
    expect(shown([1], 1, main, sub)).toEqual([1, 2, 3]);
    expect(shown([1], 2, main, sub)).toEqual([1, 2, 3, 4]);
  });
});
