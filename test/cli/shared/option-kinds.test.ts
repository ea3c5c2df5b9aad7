import { expect, test } from 'vitest';
import { list, onOff } from '../../../src/cli/shared/option-kinds.ts';

test.each([
  ['on', true],
  ['off', false],
  ['', undefined],
  ['ON', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
])('on or off: %j is %j', (value, expected) => {
  expect(onOff('').parse(value)).toBe(expected);
});

test.each([
  ['a,b', ['a', 'b']],
  [' b , a,, b,', ['b', 'a']],
  [' , ', undefined],
])('a list names each value once: %j is %j', (value, expected) => {
  expect(list('A,B', '', 'names').parse(value)).toEqual(expected);
});
