import { describe, expect, test } from 'vitest';
import { itemsThatList, possibleReferrers } from '../../../src/astro/collection/view/affected-items.ts';
import type { Replica } from '../../../src/replica/replica.ts';

/** Content ID → model and links. */
function indexOf(
  items: Record<number, readonly [model: string, ...links: number[]]>,
): Pick<Replica, 'modelOf' | 'linksOf' | 'referrersOf'> {
  const linksOf = (id: number) => (items[id] ?? []).slice(1) as number[];
  const ids = Object.keys(items).map(Number);
  return {
    modelOf: (id) => items[id]?.[0],
    linksOf,
    referrersOf: (targets) => new Set(ids.filter((id) => linksOf(id).some((link) => targets.has(link)))),
  };
}

const RULES = [{ from: 'article' }];
const MAIN = indexOf({
  1: ['author'],
  2: ['author'],
  10: ['article', 1],
  11: ['article', 2, 1],
  20: ['note', 1],
});
const ENGLISH = indexOf({ 10: ['article', 2] });

describe('the items that list others', () => {
  const listing = (...ids: number[]) => [...itemsThatList(new Set(ids), RULES, [MAIN, ENGLISH], [])].sort();

  test('are what these refer to, in every language', () => {
    expect(listing(10)).toEqual([1, 2]);
    expect(listing(11)).toEqual([1, 2]);
  });

  test('are none for items of other models, or that do not exist', () => {
    expect(listing(1, 20, 99, -5)).toEqual([]);
  });

  test('are what listed them when the entries were stored, in any language', () => {
    const stored = [{ 1: [99, 98], 2: [11] }, { 3: [99] }];
    expect([...itemsThatList(new Set([99]), RULES, [MAIN], stored)]).toEqual([1, 3]);
  });

  test('are none without backlinks', () => {
    const failing = { modelOf: () => expect.fail('used'), linksOf: () => expect.fail('used') };
    expect([...itemsThatList(new Set([10]), [], [failing], [])]).toEqual([]);
  });
});

test('what backlinks may list is of their models, in any language', () => {
  expect([...possibleReferrers(new Set([1]), RULES, [MAIN, ENGLISH])]).toEqual([10, 11]);
  expect([...possibleReferrers(new Set([2]), RULES, [MAIN, ENGLISH])]).toEqual([11, 10]);
});
