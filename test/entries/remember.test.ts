import { expect, test } from 'vitest';
import { rememberResults } from '../../src/entries/remember.ts';

function counted(most: number) {
  const computed: string[] = [];
  const remember = rememberResults((text, variant) => {
    computed.push(`${variant}:${text}`);
    return text.toUpperCase();
  }, most);
  return { computed, remember };
}

test('an equal text is computed once, and once for each variant', () => {
  const { computed, remember } = counted(1000);
  expect([remember('a', 'x'), remember('a', 'x'), remember('a', 'y')]).toEqual(['A', 'A', 'A']);
  expect(computed).toEqual(['x:a', 'y:a']);
});

test('beyond its size it forgets what was used the longest ago', () => {
  // A text of 10 characters is held with its result, its variant and a separator: 22 characters.
  const { computed, remember } = counted(50);
  const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(10)) as [string, string, string];
  remember(first, 'x');
  remember(second, 'x');
  remember(first, 'x');
  remember(third, 'x');
  remember(first, 'x');
  remember(second, 'x');
  expect(computed).toEqual([first, second, third, second].map((text) => `x:${text}`));
});

test('a result that alone is too large is not kept', () => {
  const { computed, remember } = counted(5);
  expect(remember('abcdef', 'x')).toBe('ABCDEF');
  remember('abcdef', 'x');
  expect(computed).toHaveLength(2);
});
