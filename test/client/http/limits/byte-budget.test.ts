import { expect, test } from 'vitest';
import { createByteBudget } from '../../../../src/client/http/limits/byte-budget.ts';

/** Whether a promise is still pending after all that is ready has run. */
async function isWaiting(promise: Promise<void> | undefined): Promise<boolean> {
  let waiting = promise !== undefined;
  promise?.then(() => {
    waiting = false;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return waiting;
}

test('up to the limit no response waits', () => {
  const budget = createByteBudget(10);
  const [first, second] = [budget.open(), budget.open()];
  expect(first.add(5)).toBeUndefined();
  expect(second.add(5)).toBeUndefined();
});

test('above the limit the first response continues, and the others wait until it has ended', async () => {
  const budget = createByteBudget(10);
  const [first, second, third] = [budget.open(), budget.open(), budget.open()];
  first.add(6);
  const waiting = [second.add(6), third.add(1)];
  expect(await Promise.all(waiting.map(isWaiting))).toEqual([true, true]);
  expect(first.add(100)).toBeUndefined();
  first.close();
  expect(await Promise.all(waiting.map(isWaiting))).toEqual([false, false]);
});

test('when the first ends, the next continues, however many bytes the others hold', async () => {
  const budget = createByteBudget(10);
  const [first, second, third] = [budget.open(), budget.open(), budget.open()];
  first.add(1);
  const waiting = [second.add(50), third.add(50)];
  first.close();
  expect(await Promise.all(waiting.map(isWaiting))).toEqual([false, true]);
  second.close();
  expect(await isWaiting(waiting[1])).toBe(false);
});

test('a closed response no longer waits, and frees its bytes once', async () => {
  const budget = createByteBudget(10);
  const [first, second] = [budget.open(), budget.open()];
  first.add(8);
  const waiting = second.add(8);
  second.close();
  second.close();
  expect(await isWaiting(waiting)).toBe(false);
  expect(second.add(100), 'after it was closed').toBeUndefined();
  expect(budget.open().add(2)).toBeUndefined();
});
