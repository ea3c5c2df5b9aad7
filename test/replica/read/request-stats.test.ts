import { expect, test } from 'vitest';
import { createRequestStats } from '../../../src/replica/read/request-stats.ts';

function open() {
  let time = 1000;
  const stats = createRequestStats(() => time);
  return { ...stats, pass: (milliseconds: number) => (time += milliseconds) };
}

test('requests, CDN hits and retries are counted', () => {
  const { counts, onResponse, onRetry } = open();
  expect(counts()).toEqual({ requests: 0, cached: 0, retries: 0, waited: 0 });
  onResponse?.({ cached: false });
  onResponse?.({ cached: true });
  onResponse?.({ cached: false });
  onRetry?.();
  const before = counts();
  onRetry?.();
  expect(before).toEqual({ requests: 3, cached: 1, retries: 1, waited: 0 });
  expect(counts()).toEqual({ requests: 3, cached: 1, retries: 2, waited: 0 });
});

test('requests that wait in parallel count once, and failed ones end their wait too', async () => {
  const { counts, onWait, pass } = open();
  const [first, second, third] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  onWait?.(first!.promise);
  pass(10);
  onWait?.(second!.promise);
  pass(10);
  first!.resolve();
  await first!.promise;
  expect(counts().waited).toBe(0);
  pass(10);
  second!.reject(new Error('gone'));
  await second!.promise.catch(() => {});
  await Promise.resolve();
  expect(counts().waited).toBe(30);

  pass(1000);
  onWait?.(third!.promise);
  pass(5);
  third!.resolve();
  await third!.promise;
  await Promise.resolve();
  expect(counts().waited).toBe(35);
});
