import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import {
  decodeFacts,
  encodeFacts,
  type ItemFacts,
  linksAt,
} from '../../../src/replica/store/facts-format.ts';
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

  test('include the links of each item: of the first, of one without any, and of the last', () => {
    expect([0, 1, 2].map((index) => [...linksAt(facts, index)])).toEqual([[7, 8], [], [9]]);
  });
});

describe('encoded facts', () => {
  const other = factsOf([content(4)], { 4: { links: [mediaKey('/a.jpg'), 2 ** 53 - 1] } });
  const text = encodeFacts([facts, other]);
  const numbersOf = (encoded: string) =>
    new Float64Array(new Uint8Array(Buffer.from(encoded, 'base64')).buffer);
  const textOf = (numbers: Float64Array) => Buffer.from(numbers.buffer).toString('base64');

  test('are decoded as they were', () => {
    expect(decodeFacts(text, [3, 1])).toEqual([facts, other]);
  });

  test('of no segment are decoded too', () => {
    expect(decodeFacts(encodeFacts([]), [])).toEqual([]);
  });

  test('are not of segments with other counts', () => {
    expect(decodeFacts(text, [3, 2])).toBeUndefined();
    expect(decodeFacts(text, [1, 3])).toBeUndefined();
    expect(decodeFacts(text, [4])).toBeUndefined();
  });

  test('are not of segments with other counts, even if the number of numbers fits', () => {
    // Read as facts about one and three items, the second hash would be a number of links.
    const unlucky = encodeFacts([{ ...facts, hashes: Float64Array.of(0, 2, 0) }, other]);
    expect(decodeFacts(unlucky, [3, 1])).toBeDefined();
    expect(decodeFacts(unlucky, [1, 3])).toBeUndefined();
  });

  test('are not of more or fewer segments', () => {
    expect(decodeFacts(text, [3])).toBeUndefined();
    expect(decodeFacts(text, [3, 1, 1])).toBeUndefined();
    expect(decodeFacts(text, [])).toBeUndefined();
  });

  test('are rejected if the end is missing, wherever the text was cut', () => {
    const numbers = numbersOf(text);
    for (let length = 0; length < numbers.length; length++)
      expect(decodeFacts(textOf(numbers.slice(0, length)), [3, 1]), `${length} numbers`).toBeUndefined();
    expect(decodeFacts(text.slice(0, -4), [3, 1])).toBeUndefined();
    expect(decodeFacts('', [3, 1])).toBeUndefined();
  });

  test('are rejected if numbers or bytes follow', () => {
    const numbers = numbersOf(text);
    const bytes = Buffer.from(text, 'base64');
    expect(decodeFacts(textOf(Float64Array.from([...numbers, 0])), [3, 1])).toBeUndefined();
    expect(decodeFacts(Buffer.concat([bytes, Buffer.of(0)]).toString('base64'), [3, 1])).toBeUndefined();
  });

  test('are rejected if they were written in another byte order', () => {
    const swap = (encoded: string) => Buffer.from(encoded, 'base64').swap64().toString('base64');
    expect(decodeFacts(swap(text), [3, 1])).toBeUndefined();
    expect(decodeFacts(swap(encodeFacts([])), [])).toBeUndefined();
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
