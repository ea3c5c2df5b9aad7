import { expect, test } from 'vitest';
import { onOff } from '../../../src/cli/shared/command-options.ts';

test.each([
  ['on', true],
  ['off', false],
  ['', undefined],
  ['ON', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
])('on or off: %j is %j', (value, expected) => {
  expect(onOff.parse(value)).toBe(expected);
});
