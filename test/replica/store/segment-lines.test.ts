import { expect, test } from 'vitest';
import { SegmentLines } from '../../../src/replica/store/segments/segment-lines.ts';
import { encode } from '../../../src/replica/store/segments/segments.ts';
import { wire } from '../../models/content.ts';

const items = ['a', '夕暮れ', ',\n{}', '"]', ''].map((title, index) => wire('article', { title }, index + 1));
const linesOf = (count: number) => {
  const { body } = encode(items.slice(0, count));
  return new SegmentLines(new TextEncoder().encode(body), count);
};

test.each([1, 2, 5])('of %i items, each is found by its position, in any order', (count) => {
  const lines = linesOf(count);
  for (let index = count - 1; index >= 0; index--)
    expect(lines.json(index)).toBe(JSON.stringify(items[index]));
  expect(lines.json(0)).toBe(JSON.stringify(items[0]));
});

test('nothing is searched before an item is needed, and then once', () => {
  const { body } = encode(items);
  const bytes = new TextEncoder().encode(body);
  let searches = 0;
  const indexOf = bytes.indexOf.bind(bytes);
  bytes.indexOf = (...args) => {
    searches += 1;
    return indexOf(...args);
  };
  const lines = new SegmentLines(bytes, items.length);
  expect(searches).toBe(0);
  lines.json(0);
  lines.json(4);
  expect(searches).toBe(4);
});
