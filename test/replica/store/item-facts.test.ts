import { describe, expect, test } from 'vitest';
import { itemHash } from '../../../src/replica/store/segments/item-facts.ts';
import { factsOf } from '../item-facts.ts';
import { at, content, second } from '../wire-items.ts';

const [one, two, three] = [
  content(1, { _created_at: at(1), _updated_at: at(5), _last_published_at: at(3) }),
  content(2, { _created_at: at(2), _updated_at: at(2), _last_published_at: at(9) }),
  content(3, { _created_at: at(3), _updated_at: at(3), _last_published_at: null }),
];
const facts = factsOf([one, two, three], { 1: [7, 8], 3: [9] });

describe('the facts about items', () => {
  test('are their ids, and the times that sort them', () => {
    expect([...facts.ids]).toEqual([1, 2, 3]);
    expect([...facts.times]).toEqual([1, 2, 3].map(second));
  });

  test('are their hashes', () => {
    expect([...facts.hashes]).toEqual([one, two, three].map(itemHash));
  });

  test('are what they refer to, in one list', () => {
    expect([...facts.links]).toEqual([7, 8, 9]);
    expect([...facts.linkEnds]).toEqual([2, 2, 3]);
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
