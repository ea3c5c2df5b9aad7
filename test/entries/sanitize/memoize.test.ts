import { expect, test } from 'vitest';
import { rememberResults } from '../../../src/entries/sanitize/memoize.ts';

function counted(most: number) {
  const computed: string[] = [];
  const remember = rememberResults((text) => {
    computed.push(text);
    return text.toUpperCase();
  }, most);
  return { computed, remember };
}

test('an equal text is computed once', () => {
  const { computed, remember } = counted(1000);
  expect([remember('a'), remember('a'), remember('b')]).toEqual(['A', 'A', 'B']);
  expect(computed).toEqual(['a', 'b']);
});

test('beyond its size it forgets what was used the longest ago', () => {
  // A text of 10 characters is held with its result: 20 characters.
  const { computed, remember } = counted(50);
  const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(10)) as [string, string, string];
  remember(first);
  remember(second);
  remember(first);
  remember(third);
  remember(first);
  remember(second);
  expect(computed).toEqual([first, second, third, second]);
});

test('a result that alone is too large is not kept', () => {
  const { computed, remember } = counted(5);
  expect(remember('abcdef')).toBe('ABCDEF');
  remember('abcdef');
  expect(computed).toHaveLength(2);
});

test('what just fits is kept', () => {
  const { computed, remember } = counted(12);
  remember('abcdef');
  remember('abcdef');
  expect(computed).toHaveLength(1);
});
