import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/models/canonical-json.ts';

test('the order of properties does not matter, at any depth', () => {
  expect(canonicalJson({ b: 1, a: [{ d: 2, c: 3 }] })).toBe('{"a":[{"c":3,"d":2}],"b":1}');
});

test('the order of a list does', () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});
