import { beforeEach, expect, test } from 'vitest';
import { CacheInvalidation } from '../../../src/astro/revalidate/cache-invalidation.ts';
import { TestSchedule } from './test-schedule.ts';

let calls: unknown[];
let outcome: () => Promise<void>;
let lines: string[];
let timers: TestSchedule;
let invalidation: CacheInvalidation;

beforeEach(() => {
  calls = [];
  outcome = async () => {};
  lines = [];
  timers = new TestSchedule();
  const log = (line: string) => void lines.push(line);
  const { schedule } = timers;
  invalidation = new CacheInvalidation({ schedule, logger: { info: log, error: log } });
});
const useCache = () =>
  invalidation.useCache({
    invalidate: (options) => {
      calls.push(options);
      return outcome();
    },
  });

test('the tags of a change are invalidated, with a log line', async () => {
  useCache();
  invalidation.add(['a', 'b'], 1);
  await invalidation.done();
  expect(calls).toEqual([{ tags: ['a', 'b'] }]);
  expect(lines).toEqual(['[astro-luid] 1 item changed: 2 cache tags invalidated']);
  expect(timers.delays).toEqual([]);
});

test('changes during an invalidation are invalidated after it, together', async () => {
  useCache();
  let end = () => {};
  outcome = () => new Promise<void>((resolve) => (end = resolve));
  invalidation.add(['a'], 1);
  invalidation.add(['b'], 1);
  invalidation.add(['a', 'c'], 2);
  expect(calls).toEqual([{ tags: ['a'] }]);
  outcome = async () => {};
  end();
  await invalidation.done();
  expect(calls).toEqual([{ tags: ['a'] }, { tags: ['b', 'a', 'c'] }]);
  expect(lines.at(-1)).toBe('[astro-luid] 3 items changed: 3 cache tags invalidated');
});

test('a failed invalidation is logged and repeated until it succeeds', async () => {
  useCache();
  outcome = () => Promise.reject(new Error('the CDN is \u001b[31mdown'));
  invalidation.add(['a'], 1);
  await expect(invalidation.done()).rejects.toThrow('the CDN is');
  expect(lines).toEqual([
    '[astro-luid] 1 cache tag could not be invalidated; retrying in 1 s: the CDN is \\u001b[31mdown',
  ]);
  const delays = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    expect(timers.delays).toHaveLength(1);
    delays.push(...timers.delays);
    await timers.end(timers.delays[0] ?? 0);
  }
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  outcome = async () => {};
  await timers.end(60_000);
  expect(calls).toHaveLength(10);
  expect(lines.at(-1)).toBe('[astro-luid] 1 item changed: 1 cache tag invalidated');
  expect(timers.delays).toEqual([]);
});

test('a change after a failure is invalidated together with what failed', async () => {
  useCache();
  outcome = () => Promise.reject(new Error('down'));
  invalidation.add(['a'], 1);
  await invalidation.done().catch(() => {});
  outcome = async () => {};
  invalidation.add(['b'], 1);
  await invalidation.done();
  expect(calls.at(-1)).toEqual({ tags: ['a', 'b'] });
  expect(timers.delays).toEqual([]);
});

test('an invalidation without a result counts as failed after 30 seconds', async () => {
  useCache();
  outcome = () => new Promise(() => {});
  invalidation.add(['a'], 1);
  await timers.end(30_000);
  expect(lines.at(-1)).toContain('no result after 30 s');
  outcome = async () => {};
  await timers.end(1000);
  expect(calls).toHaveLength(2);
});

test('tags wait for the first cache', async () => {
  invalidation.add(['a'], 1);
  await invalidation.done();
  expect(calls).toEqual([]);
  useCache();
  await invalidation.done();
  expect(calls).toEqual([{ tags: ['a'] }]);
});
