import { expect, test } from 'vitest';
import { type Duration, milliseconds } from '../../src/space/duration.ts';

test.each<[Duration, number]>([
  [0, 0],
  [250, 250],
  ['90s', 90_000],
  ['1.5min', 90_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['1y', 31_536_000_000],
])('%j is %i ms', (duration, expected) => {
  expect(milliseconds(duration, 'maxAge')).toBe(expected);
});

test.each(['10', '-1s', '1w', ' 1s', '', -1, Number.NaN])(
  '%j is an error that names the option',
  (duration) => {
    expect(() => milliseconds(duration as Duration, 'maxAge')).toThrow(
      /^maxAge must be milliseconds or a string/,
    );
  },
);
