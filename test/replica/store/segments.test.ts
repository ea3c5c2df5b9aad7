import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import {
  compareSortKeys,
  decode,
  encode,
  hashOf,
  SEGMENT_SIZE,
  sortKeyOf,
} from '../../../src/replica/store/segments/segments.ts';
import { wire } from '../../models/content.ts';

const at = (id: number, second: number) =>
  wire('article', { _created_at: new Date(1000 * second).toISOString(), title: `漢字 ${id}` }, id);

test('a segment has about 250 items', () => {
  expect(SEGMENT_SIZE).toBe(250);
});

describe('the position of an item', () => {
  test('is its creation time and its id', () => {
    expect(sortKeyOf(wire('article', { _created_at: '2026-01-01T09:00:00+09:00' }, 7))).toEqual({
      time: Date.UTC(2026, 0, 1),
      id: 7,
    });
  });

  test('orders items by time, then by id', () => {
    const places = [at(3, 2), at(9, 1), at(2, 2), at(10, 1)].map(sortKeyOf).sort(compareSortKeys);
    expect(places.map(({ id }) => id)).toEqual([9, 10, 2, 3]);
    expect(compareSortKeys({ time: 1, id: 1 }, { time: 1, id: 1 })).toBe(0);
  });
});

describe('a segment', () => {
  const items = [at(5, 1), at(2, 3), at(3, 3)];

  test('is described by the hash of its text, its number of items and their positions', () => {
    const { segment, body } = encode(items);
    expect(JSON.parse(body)).toEqual(items);
    expect(segment).toEqual({
      hash: createHash('sha256').update(body, 'utf8').digest('hex'),
      count: 3,
      first: { time: 1000, id: 5 },
      last: { time: 3000, id: 3 },
    });
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('has at least one item', () => {
    expect(() => encode([])).toThrow(RangeError);
    expect(() => encode([])).toThrow('A segment contains at least one item');
    expect(encode([items[0] as WireContent]).segment).toMatchObject({ first: { id: 5 }, last: { id: 5 } });
  });

  test('is read as it was written', () => {
    const { segment, body } = encode(items);
    expect(decode(segment, body)).toEqual(items);
  });

  test('is described by the hash of what is stored, if it is encrypted', () => {
    const { segment, body } = encode(items, undefined, (text, some) => `${some.length} ${text.length}`);
    expect(body).toBe(`3 ${encode(items).body.length}`);
    expect(segment).toEqual({ ...encode(items).segment, hash: hashOf(body) });
  });

  test('is rejected if it is missing or of another length', () => {
    const { segment, body } = encode(items);
    expect(decode(segment, undefined)).toBeUndefined();
    expect(decode({ ...segment, count: 2 }, body)).toBeUndefined();
  });

  test('is read from bytes too, as not all storages return strings', () => {
    const { segment, body } = encode(items);
    expect(decode(segment, Buffer.from(body))).toEqual(items);
    expect(decode(segment, new TextEncoder().encode(body))).toEqual(items);
  });
});
