import { beforeEach, expect, test } from 'vitest';
import { LiveSources, liveSources } from '../../../src/astro/live/live-sources.ts';
import { createRefreshSite } from '../../../src/astro/revalidate/refresh-site.ts';
import { closeSources, openSite, refreshAll, resultOf } from '../live/from-replica/live-site.ts';
import { TestSchedule } from './test-schedule.ts';
import { TestSource } from './test-source.ts';

let sources: LiveSources;
let first: TestSource;
let second: TestSource;
let now: number;
let timers: TestSchedule;
let revalidated: () => Promise<void>;
let refresh: ReturnType<typeof createRefreshSite>;

beforeEach(() => {
  sources = new LiveSources();
  first = new TestSource();
  second = new TestSource();
  sources.add(first);
  sources.add(second);
  now = 0;
  timers = new TestSchedule();
  revalidated = async () => {};
  refresh = createRefreshSite({
    sources,
    revalidation: { canInvalidate: true, done: () => revalidated() },
    schedule: timers.schedule,
    now: () => now,
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
  now = 1000;
  await expect(refresh()).rejects.toThrow('the CDN is down');
});

test('a refresh reports that the cache of this server has no way to invalidate pages', async () => {
  first.found.push({ tags: ['a'], added: 0, changed: 1, removed: 0 });
  const revalidation = { canInvalidate: false, done: async () => {} };
  refresh = createRefreshSite({ sources, revalidation, schedule: timers.schedule, now: () => now });
  expect(await refresh()).toEqual({ tags: ['a'], added: 0, changed: 1, removed: 0, invalidated: false });
});

test('a source that fails does not keep others from being checked', async () => {
  first.found.push(new Error('the service is down'));
  second.found.push({ tags: ['b'], added: 0, changed: 1, removed: 0 });
  await expect(refresh()).rejects.toThrow('the service is down');
  expect(second.version).toBe(1);
});

test('a refresh that fails ends when the changes of other sources are revalidated', async () => {
  first.found.push(new Error('the service is down'));
  second.found.push({ tags: ['b'], added: 0, changed: 1, removed: 0 });
  let isRevalidated = false;
  revalidated = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isRevalidated = true;
  };
  await expect(refresh()).rejects.toThrow('the service is down');
  expect(isRevalidated).toBe(true);
});

test('the failure of a source is reported, not that of the cache after it', async () => {
  first.found.push(new Error('the service is down'));
  revalidated = () => Promise.reject(new Error('the CDN is down'));
  await expect(refresh()).rejects.toThrow('the service is down');
});

test('what only previews show is not refreshed', async () => {
  second.isForPreviews = true;
  second.found.push(new Error('The space has no draftApiKey'));
  first.found.push({ tags: ['a'], added: 1, changed: 0, removed: 0 });
  expect(await refresh()).toMatchObject({ added: 1 });
  expect(second.refreshes).toBe(0);
  sources.delete(first);
  await expect(refresh()).rejects.toMatchObject({ status: 409 });
});

test('a preview that fails does not make later refreshes fail, and live drafts do', async () => {
  const { space } = openSite({ draftApiKey: 'revoked' });
  const live = space.liveLoader('article');
  resultOf(await live.loadEntry({ filter: { id: '10' }, collection: 'articles' }));
  const preview = { locals: { luid: { preview: true } }, params: { id: '10' } } as never;
  await expect(space.getPreviewEntry(preview, 'article', { from: 'replica' })).rejects.toThrow();
  await expect(refreshAll()).rejects.toThrow();
  const refreshSite = () =>
    createRefreshSite({
      sources: liveSources(),
      revalidation: { canInvalidate: true, done: async () => {} },
      schedule: timers.schedule,
    })();
  expect(await refreshSite()).toMatchObject({ changed: 0 });
  space.liveLoader('article', { drafts: true });
  await expect(refreshSite()).rejects.toThrow();
  closeSources();
});

test.each([true, false])(
  'calls at the same time share a check, a second after the first (a change is found: %s)',
  async (isFound) => {
    if (isFound) first.found.push({ tags: ['a'], added: 0, changed: 1, removed: 0 });
    const all = Promise.all(Array.from({ length: 100 }, () => refresh()));
    await settle();
    expect([first.refreshes, timers.delays]).toEqual([1, [1000]]);
    now = 1000;
    await timers.end(1000);
    await all;
    expect(first.refreshes).toBe(2);
  },
);

test('a check that finds nothing is repeated in the background until it shows the announced change', async () => {
  expect(await refresh('{"model":"article"}')).toMatchObject({ changed: 0 });
  expect(timers.delays).toEqual([100]);
  first.found.push({ tags: ['a'], added: 0, changed: 1, removed: 0 });
  now = 100;
  await timers.end(100);
  expect([first.refreshes, first.version, timers.delays]).toEqual([2, 1, []]);
});

test('a check is not repeated for a model that no live content has', async () => {
  first.models = ['article'];
  second.models = ['article', 'author'];
  await refresh('{"model":"shop"}');
  expect([first.refreshes, timers.delays]).toEqual([1, []]);
  now = 1000;
  await refresh('{"content":{"_model":"author"}}');
  expect([first.refreshes, timers.delays]).toEqual([2, [100]]);
});

test('the source is told that the CDN may not show the change yet', async () => {
  await refresh();
  expect(first.options).toEqual({ isAfterEvent: true });
});

test('a site that only has previews takes events for them', async () => {
  let events = 0;
  sources.onEvent(() => {
    events += 1;
  });
  sources.delete(first);
  sources.delete(second);
  const previews = createRefreshSite({
    sources,
    revalidation: { canInvalidate: true, done: async () => {} },
    hasPreview: true,
    schedule: timers.schedule,
  });
  expect(await previews()).toEqual({ added: 0, changed: 0, removed: 0, tags: [] });
  expect(events).toBe(1);
});

test('without sources there is nothing to refresh', async () => {
  sources.delete(first);
  sources.delete(second);
  await expect(refresh()).rejects.toMatchObject({ status: 409 });
});

function settle() {
  return new Promise((resolve) => setImmediate(resolve));
}
