import { expect, test } from 'vitest';
import { memoize } from '../../../src/entries/sanitize/memoize.ts';

function memoizeUpperCase(maxCharacters: number) {
  const computed: string[] = [];
  const upperCase = memoize((text) => {
    computed.push(text);
    return text.toUpperCase();
  }, maxCharacters);
  return { computed, upperCase };
}

test('a result is computed once per input', () => {
  const { computed, upperCase } = memoizeUpperCase(1000);
  expect([upperCase('a'), upperCase('a'), upperCase('b')]).toEqual(['A', 'A', 'B']);
  expect(computed).toEqual(['a', 'b']);
});

test('the least recently used results are dropped when the limit is exceeded', () => {
  // 10 characters of input and 10 of output each.
  const { computed, upperCase } = memoizeUpperCase(50);
  const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(10)) as [string, string, string];
  upperCase(first);
  upperCase(second);
  upperCase(first);
  upperCase(third);
  upperCase(first);
  upperCase(second);
  expect(computed).toEqual([first, second, third, second]);
});

test('a result above the limit is not kept', () => {
  const { computed, upperCase } = memoizeUpperCase(5);
  expect(upperCase('abcdef')).toBe('ABCDEF');
  upperCase('abcdef');
  expect(computed).toHaveLength(2);
});

test('a result exactly at the limit is kept', () => {
  const { computed, upperCase } = memoizeUpperCase(12);
  upperCase('abcdef');
  upperCase('abcdef');
  expect(computed).toHaveLength(1);
});
