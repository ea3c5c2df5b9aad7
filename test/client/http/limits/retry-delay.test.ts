import { expect, test } from 'vitest';
import { parseRetryAfter, retryDelay } from '../../../../src/client/http/limits/retry-delay.ts';

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ['7', 7_000],
  [' 0.5 ', 500],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
  ['Wed, 31 Dec 2025 23:59:59 GMT', -1_000],
  ['soon', undefined],
  ['-5', undefined],
  ['2027', 2_027_000],
  ['1e3', undefined],
  ['', undefined],
  [null, undefined],
])('retry-after %j is %j ms', (header, milliseconds) => {
  expect(parseRetryAfter(header, NOW)).toBe(milliseconds);
});

test('the delay is random, doubles with each retry and never exceeds 8 s', () => {
  for (const [retry, longest] of [
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [50, 8_000],
  ] as const) {
    const delays = Array.from({ length: 50 }, () => retryDelay(retry));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
    expect(new Set(delays).size).toBeGreaterThan(25);
  }
});
