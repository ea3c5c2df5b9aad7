import { expect, test } from 'vitest';
import { createSlidingWindow } from '../../../src/client/http/sliding-window.ts';

test('allows the maximum at once, then waits until the oldest is out of the window', () => {
  const window = createSlidingWindow(2, 100);
  window.add(0);
  expect(window.delay(10)).toBe(0);
  window.add(10);
  expect(window.delay(20)).toBe(80);
  expect(window.delay(100)).toBe(0);
  window.add(100);
  expect(window.delay(101)).toBe(9);
});

test('without a maximum nothing waits', () => {
  const window = createSlidingWindow(Number.POSITIVE_INFINITY, 100);
  for (let n = 0; n < 10; n++) window.add(0);
  expect(window.delay(0)).toBe(0);
});
