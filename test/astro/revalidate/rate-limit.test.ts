import { expect, test } from 'vitest';
import { RateLimit } from '../../../src/astro/revalidate/rate-limit.ts';

test('a rate limit allows a number of events within any period', () => {
  let now = 0;
  const limit = new RateLimit({ max: 2, window: 100, now: () => now });
  const waits = [10, 60, 109, 110, 111, 160, 500].map((time) => {
    now = time;
    const { wait } = limit;
    if (wait === 0) limit.record();
    return wait;
  });
  expect(waits).toEqual([0, 0, 1, 0, 49, 0, 0]);
});
