import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LONGEST_TIMER, runAfter, systemClock } from '../../../src/client/http/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One that only sleeps, like those of tests. */
const { sleep } = systemClock;

describe.each([
  ['the clock of the system', systemClock],
  ['a clock that only sleeps', { sleep }],
])('with %s, an action', (_name, clock) => {
  test('runs once, when its time has come', async () => {
    const action = vi.fn();
    runAfter(clock, 1000, action);
    await vi.advanceTimersByTimeAsync(999);
    expect(action).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5000);
    expect(action).toHaveBeenCalledOnce();
  });

  test('that is cancelled never runs, and leaves no timer', async () => {
    const action = vi.fn();
    const cancel = runAfter(clock, 1000, action);
    cancel();
    cancel();
    await vi.advanceTimersByTimeAsync(5000);
    expect([action.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('that is due in years does not run at once', async () => {
    const action = vi.fn();
    runAfter(clock, 10 * LONGEST_TIMER, action);
    await vi.advanceTimersByTimeAsync(5000);
    expect(action).not.toHaveBeenCalled();
  });
});
