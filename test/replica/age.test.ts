import { expect, test } from 'vitest';
import { ageSince, ageText } from '../../src/replica/age.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [-5, '1 s old'],
  [0, '1 s old'],
  [39_001, '40 s old'],
  [MINUTE, '60 s old'],
  [MINUTE + 1, '2 min old'],
  [5 * MINUTE, '5 min old'],
  [2 * HOUR, '120 min old'],
  [2 * HOUR + 1, '3 h old'],
  [48 * HOUR, '48 h old'],
  [48 * HOUR + 1, '3 d old'],
  [Number.POSITIVE_INFINITY, 'of unknown age'],
])('%i ms: %s', (milliseconds, text) => {
  expect(ageText(milliseconds)).toBe(text);
});

test('an age is the time since then; a time too far in the future has none', () => {
  const now = 1_000_000_000;
  expect(ageSince(now - 7, now)).toBe(7);
  expect(ageSince(now + 5 * MINUTE, now)).toBe(-5 * MINUTE);
  expect(ageSince(now + 5 * MINUTE + 1, now)).toBe(Number.POSITIVE_INFINITY);
});
