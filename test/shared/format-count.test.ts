import { expect, test } from 'vitest';
import { formatCount, limitList, pluralize } from '../../src/shared/format-count.ts';

test('thousands are separated by commas', () => {
  expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('a count is followed by the singular or the plural', () => {
  expect([0, 1, 2, 1204].map((count) => pluralize(count, 'item'))).toEqual([
    '0 items',
    '1 item',
    '2 items',
    '1,204 items',
  ]);
  expect(pluralize(1, 'entry', 'entries')).toBe('1 entry');
  expect(pluralize(3, 'entry', 'entries')).toBe('3 entries');
});

test('a long list ends with the number of omitted lines', () => {
  expect(limitList(['a', 'b'], 2)).toEqual(['a', 'b']);
  expect(limitList(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more']);
  expect(
    limitList(
      Array.from({ length: 3000 }, (_, n) => `${n}`),
      1,
    ),
  ).toEqual(['0', 'and 2,999 more']);
});
