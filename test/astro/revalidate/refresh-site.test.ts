import { beforeEach, expect, test } from 'vitest';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import { RateLimit } from '../../../src/astro/revalidate/rate-limit.ts';
import { createRefreshSite } from '../../../src/astro/revalidate/refresh-site.ts';
import { TestSource } from './test-source.ts';

let sources: LiveSources;
let first: TestSource;
let second: TestSource;
let now: number;
let revalidated: () => Promise<void>;
let refresh: ReturnType<typeof createRefreshSite>;

beforeEach(() => {
  sources = new LiveSources();
  first = new TestSource();
  second = new TestSource();
  sources.add(first);
  sources.add(second);
  now = 0;
  revalidated = async () => {};
  refresh = createRefreshSite({
    sources,
    revalidation: { done: () => revalidated() },
    limit: new RateLimit({ max: 2, window: 1000, now: () => now }),
  });
});

test('a refresh checks all sources and returns what changed in any of them', async () => {
  first.found.push({ tags: ['a', 'list'], added: 1, changed: 2, removed: 3 });
  second.found.push({ tags: ['b', 'list'], added: 10, changed: 20, removed: 30 });
  expect(await refresh()).toEqual({ tags: ['a', 'list', 'b'], added: 11, changed: 22, removed: 33 });
});

test('a refresh ends when the pages are revalidated, and fails if they cannot be', async () => {
  let end = () => {};
  revalidated = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  let hasEnded = false;
  const running = refresh().then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  end();
  await running;
  revalidated = () => Promise.reject(new Error('the CDN is down'));
  await expect(refresh()).rejects.toThrow('the CDN is down');
});

test('a source that fails does not keep others from being checked', async () => {
  first.found.push(new Error('the service is down'));
  second.found.push({ tags: ['b'], added: 0, changed: 1, removed: 0 });
  await expect(refresh()).rejects.toThrow('the service is down');
  expect(second.version).toBe(1);
});

test('calls at the same time share a check, and only checks are limited', async () => {
  await Promise.all(Array.from({ length: 100 }, () => refresh()));
  expect(first.refreshes).toBe(2);
  await expect(refresh()).rejects.toMatchObject({ wait: 1000 });
  now = 1000;
  await refresh();
  expect(first.refreshes).toBe(3);
});

test('without sources there is nothing to refresh', async () => {
  sources.delete(first);
  sources.delete(second);
  await expect(refresh()).rejects.toMatchObject({ status: 409 });
});
