import { expect, test } from 'vitest';
import { createSlidingWindow } from '../../../../src/client/http/limits/sliding-window.ts';

test('allows the maximum at once, then waits until the oldest is out of the window', () => {
  let now = 0;
  const window = createSlidingWindow(2, 100, () => now);
  const delays = [10, 60, 109, 110, 111, 160, 500].map((time) => {
    now = time;
    const delay = window.delay();
    if (delay === 0) window.add();
    return delay;
  });
  expect(delays).toEqual([0, 0, 1, 0, 49, 0, 0]);
});

test('without a maximum nothing waits', () => {
  const window = createSlidingWindow(Number.POSITIVE_INFINITY, 100);
  for (let n = 0; n < 10; n++) window.add();
  expect(window.delay()).toBe(0);
});
