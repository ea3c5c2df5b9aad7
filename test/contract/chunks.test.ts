import { expect, test } from 'vitest';
import { chunks } from '../../src/contract/chunks.ts';

test('a list is cut into parts of a size, in its order', () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunks([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('an empty list has no parts', () => {
  expect(chunks([])).toEqual([]);
});

test('a part is as large as a page unless another size is named', () => {
  const parts = chunks(Array.from({ length: 201 }, (_, n) => n));
  expect(parts.map(({ length }) => length)).toEqual([100, 100, 1]);
});
