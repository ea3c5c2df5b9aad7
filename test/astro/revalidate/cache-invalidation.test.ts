import { beforeEach, expect, test } from 'vitest';
import { CacheInvalidation } from '../../../src/astro/revalidate/cache-invalidation.ts';
import { TestSchedule } from './test-schedule.ts';

let calls: unknown[];
let outcome: (tags: readonly string[]) => Promise<void>;
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
      return outcome([(options as { tags?: string | string[] }).tags ?? []].flat());
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

test('changes in the moment when an invalidation ends are invalidated too', async () => {
  let addLate: (() => void) | undefined = () => invalidation.add(['b'], 1);
  const info = () => {
    if (addLate) queueMicrotask(addLate);
    addLate = undefined;
  };
  const { schedule } = timers;
  invalidation = new CacheInvalidation({ schedule, logger: { info, error: info } });
  useCache();
  invalidation.add(['a'], 1);
  await invalidation.done();
  expect(calls).toEqual([{ tags: ['a'] }, { tags: ['b'] }]);
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

test('a change after a failure is invalidated, then what failed', async () => {
  useCache();
  outcome = () => Promise.reject(new Error('down'));
  invalidation.add(['a'], 1);
  await invalidation.done().catch(() => {});
  outcome = async () => {};
  invalidation.add(['b'], 1);
  await invalidation.done();
  expect(calls.slice(1)).toEqual([{ tags: ['b'] }, { tags: ['a'] }]);
  expect(timers.delays).toEqual([]);
});

const tagsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

test('many tags are invalidated in several calls, with one log line', async () => {
  useCache();
  invalidation.add(tagsOf('a', 250), 40);
  await invalidation.done();
  expect(calls).toEqual([
    { tags: tagsOf('a', 100) },
    { tags: tagsOf('a', 200).slice(100) },
    { tags: tagsOf('a', 250).slice(200) },
  ]);
  expect(lines).toEqual(['[astro-luid] 40 items changed: 250 cache tags invalidated']);
});

test('a call that the provider refuses for ever stops neither the others nor later changes', async () => {
  useCache();
  const invalidated: string[] = [];
  outcome = async (tags) => {
    if (tags.includes('a150')) throw new Error('refused');
    invalidated.push(...tags);
  };
  invalidation.add(tagsOf('a', 300), 3);
  await expect(invalidation.done()).rejects.toThrow('refused');
  expect(invalidated).toHaveLength(200);
  invalidation.add(['b'], 1);
  await expect(invalidation.done()).rejects.toThrow('refused');
  await timers.end(2000);
  expect(invalidated).toHaveLength(201);
  expect(lines).toEqual([
    '[astro-luid] 3 items changed: 200 cache tags invalidated',
    '[astro-luid] 100 cache tags could not be invalidated; retrying in 1 s: refused',
    '[astro-luid] 1 item changed: 1 cache tag invalidated',
    '[astro-luid] 100 cache tags could not be invalidated; retrying in 2 s: refused',
    '[astro-luid] 100 cache tags could not be invalidated; retrying in 4 s: refused',
  ]);
  outcome = async () => {};
  await timers.end(4000);
  expect(lines.at(-1)).toBe('[astro-luid] 100 cache tags invalidated');
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

test('the calls after one without a result are retried before it, instead of waiting as long', async () => {
  useCache();
  outcome = (tags) => (tags.includes('a0') ? new Promise(() => {}) : Promise.resolve());
  invalidation.add(tagsOf('a', 300), 1);
  await timers.end(30_000);
  expect(calls).toHaveLength(1);
  expect(lines.at(-1)).toContain('300 cache tags could not be invalidated; retrying in 1 s');
  await timers.end(1000);
  await timers.end(30_000);
  expect(lines.at(-2)).toBe('[astro-luid] 1 item changed: 200 cache tags invalidated');
  expect(lines.at(-1)).toContain('100 cache tags could not be invalidated; retrying in 2 s');
});

test('tags wait for the first cache', async () => {
  invalidation.add(['a'], 1);
  await invalidation.done();
  expect(calls).toEqual([]);
  useCache();
  await invalidation.done();
  expect(calls).toEqual([{ tags: ['a'] }]);
});

test('after three failures in a row the other calls wait for the retry', async () => {
  useCache();
  outcome = () => Promise.reject(new Error('the CDN is down'));
  invalidation.add(tagsOf('a', 1000), 1);
  await expect(invalidation.done()).rejects.toThrow('the CDN is down');
  expect(calls).toHaveLength(3);
  expect(lines).toEqual([
    '[astro-luid] 1,000 cache tags could not be invalidated; retrying in 1 s: the CDN is down',
  ]);
  outcome = async () => {};
  await timers.end(1000);
  expect(calls).toHaveLength(13);
  const retried = (calls.slice(3) as { tags: string[] }[]).flatMap(({ tags }) => tags);
  expect(retried.sort()).toEqual(tagsOf('a', 1000).sort());
});

test('a provider that cannot invalidate is no failure: it is logged once, and nothing is retried', async () => {
  useCache();
  const cache = {} as { purge(): Promise<void> };
  outcome = async () => cache.purge();
  invalidation.add(['a'], 1);
  await invalidation.done();
  invalidation.add(Array.from({ length: 150 }, (_, index) => `b${index}`));
  await invalidation.done();
  expect(invalidation.canInvalidate).toBe(false);
  expect(calls).toHaveLength(2);
  expect(timers.delays).toEqual([]);
  expect(lines).toEqual([expect.stringMatching(/cannot invalidate pages.*cache\.purge is not a function/)]);
  outcome = async () => {};
  invalidation.add(['c']);
  await invalidation.done();
  expect(invalidation.canInvalidate).toBe(true);
});

test('another error of a provider is a failure', async () => {
  useCache();
  outcome = () => Promise.reject(new TypeError('fetch failed'));
  invalidation.add(['a']);
  await expect(invalidation.done()).rejects.toThrow('fetch failed');
  expect([invalidation.canInvalidate, timers.delays]).toEqual([true, [1000]]);
});
