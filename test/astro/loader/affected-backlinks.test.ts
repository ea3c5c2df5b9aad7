import { describe, expect, test } from 'vitest';
import {
  itemsThatList,
  listedReferrers,
  possibleReferrers,
} from '../../../src/astro/loader/affected-backlinks.ts';
import type { Entry } from '../../../src/entries/collection.ts';
import type { ItemIndex } from '../../../src/replica/item-index.ts';

/** Content ID → model and links. */
function indexOf(items: Record<number, readonly [model: string, ...links: number[]]>): ItemIndex {
  const get = (id: number) => {
    const [model, ...links] = items[id] ?? [];
    return model === undefined ? undefined : { model, links, key: { time: 0, id } };
  };
  const ids = Object.keys(items).map(Number);
  return {
    get,
    referrersOf: (targets) => new Set(ids.filter((id) => get(id)?.links.some((link) => targets.has(link)))),
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
    const failing = { get: () => expect.fail('used') };
    expect([...itemsThatList(new Set([10]), [], [failing], [])]).toEqual([]);
  });
});

test('what backlinks may list is of their models, in any language', () => {
  expect([...possibleReferrers(new Set([1]), RULES, [MAIN, ENGLISH])]).toEqual([10, 11]);
  expect([...possibleReferrers(new Set([2]), RULES, [MAIN, ENGLISH])]).toEqual([11, 10]);
});

test('what entries list is stored once per item, and nothing for empty lists', () => {
  const list = (...ids: number[]) => ({ name: 'x', depth: 0, items: ids.map((_id) => ({ _id })) });
  const entries = [
    { item: { _id: 1 }, backlinks: [list(10, 11), list(11, 12)] },
    { item: { _id: 2 }, backlinks: [list(), list()] },
    { item: { _id: 3 } },
  ] as unknown as Entry[];
  expect(listedReferrers(entries)).toEqual({ 1: [10, 11, 12] });
});
