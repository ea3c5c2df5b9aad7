import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import type { ItemFacts } from '../../../src/replica/store/facts-format.ts';
import { createFacts, type ItemLinks, itemHash, mediaKey } from '../../../src/replica/store/item-facts.ts';
import { at, content, second } from '../wire-items.ts';

/** Facts about items with these links, by id. */
function factsOf(items: readonly WireContent[], links: Record<number, Partial<ItemLinks>> = {}): ItemFacts {
  const json = items.map((item) => JSON.stringify(item));
  return createFacts(items, json, ({ _id }) => ({ links: [], hasEmptyReference: false, ...links[_id] }));
}

const [one, two, three] = [
  content(1, { _created_at: at(1), _updated_at: at(5), _last_published_at: at(3) }),
  content(2, { _created_at: at(2), _updated_at: at(2), _last_published_at: at(9) }),
  content(3, { _created_at: at(3), _updated_at: at(3), _last_published_at: null }),
];
const facts = factsOf([one, two, three], {
  1: { links: [7, 8] },
  3: { links: [9], hasEmptyReference: true },
});

describe('the facts about items', () => {
  test('are their ids, the times that sort them, and their latest changes', () => {
    expect([...facts.ids]).toEqual([1, 2, 3]);
    expect([...facts.times]).toEqual([1, 2, 3].map(second));
    expect([...facts.newest]).toEqual([5, 9, 3].map(second));
  });

  test('are their hashes', () => {
    expect([...facts.hashes]).toEqual([one, two, three].map(itemHash));
  });

  test('are what they refer to, in one list', () => {
    expect([...facts.links]).toEqual([7, 8, 9]);
    expect([...facts.linkEnds]).toEqual([2, 2, 3]);
  });

  test('are whether they have an empty reference', () => {
    expect([...facts.empty]).toEqual([0, 0, 1]);
  });
});

describe('the key of media', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => mediaKey(`/media/${index}.jpg`));

  test('is never a content ID: it is negative', () => {
    expect(keys.every((key) => key < 0)).toBe(true);
  });

  test('is a whole number that JSON and a column of numbers keep', () => {
    expect(keys.every(Number.isSafeInteger)).toBe(true);
    expect([...Float64Array.from(keys)]).toEqual(keys);
  });

  test('is the same in every version, because facts are stored', () => {
    expect(mediaKey('/media/1.jpg')).toBe(-2_426_474_265_472_882);
  });

  test('is equal for equal URLs only', () => {
    expect(mediaKey('/media/1.jpg')).toBe(keys[1]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the hash of an item', () => {
  test('is equal for equal items', () => {
    expect(itemHash(content(1, { title: 'a' }))).toBe(itemHash(content(1, { title: 'a' })));
  });

  test('is another if anything differs', () => {
    const hashes = [
      content(1),
      content(2),
      content(1, { title: 'a' }),
      content(1, { title: 'b' }),
      content(1, { _status: 'published_draft' }),
      content(1, { _updated_at: at(1) }),
    ].map(itemHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('is the same when it is requested again', () => {
    const item = content(1);
    expect(itemHash(item)).toBe(itemHash(item));
  });
});
