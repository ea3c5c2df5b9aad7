import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterEach, expect, test } from 'vitest';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { createRefreshSite } from '../../../../src/astro/revalidate/refresh-site.ts';
import { createEmulator } from '../../../../src/emulator/index.ts';
import { defineSpace } from '../../../../src/index.ts';
import { MODELS, seedOf } from '../../../support/emulated-space.ts';
import { until } from '../../../support/until.ts';
import { TestSchedule } from '../../revalidate/test-schedule.ts';
import { article, closeSources, openSite, refreshAll, resultOf } from './live-site.ts';

afterEach(closeSources);

test('an event shows a change that the CDN does not show yet', async () => {
  const { service, space } = openSite();
  service.assumptions = { purgeDelay: 60_000 };
  const articles = space.liveLoader('article');
  const title = async () =>
    resultOf(await articles.loadEntry({ filter: { id: '10' }, collection: 'articles' })).data.title;
  await title();
  await refreshAll();
  const event = createRefreshSite({
    sources: liveSources(),
    revalidation: { canInvalidate: true, done: async () => {} },
    schedule: new TestSchedule().schedule,
  });
  service.contents.edit(10, { title: 'Edited' });
  expect(await refreshAll()).toEqual([]);
  expect(await title()).toBe('Title 10');
  const { tags } = await event('{"event":"publish"}');
  expect(tags).toContain('luid:article:10');
  expect(await title()).toBe('Edited');
});

test('in 10,000 items, a published item is found by at most 3 counted requests', {
  timeout: 120_000,
}, async () => {
  const contents = Array.from({ length: 10_000 }, (_, n) => ({
    ...article(10 + n, `s${n}`),
    created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  }));
  const { service, space } = openSite({ contents });
  const articles = space.liveLoader('article');
  resultOf(await articles.loadEntry({ filter: { id: '10' }, collection: 'articles' }));
  await refreshAll();
  let now = 0;
  const event = createRefreshSite({
    sources: liveSources(),
    revalidation: { done: async () => {} },
    schedule: new TestSchedule().schedule,
    now: () => now,
  });
  for (let id = 11; id < 21; id += 1) {
    service.clearLog();
    service.contents.edit(id, { title: `Edited ${id}` });
    now += 1000;
    expect((await event(`{"id":${id},"model":"article"}`)).tags).toContain(`luid:article:${id}`);
    expect(service.log.filter(({ counted }) => counted).length).toBeLessThanOrEqual(3);
  }
});

test('an event reaches one of the servers that share a storage, and the others take over what it found', async () => {
  const service = createEmulator(seedOf(40), { rateLimit: false, assumptions: { purgeDelay: 600_000 } });
  const storage = createStorage({ driver: memory() });
  // Two servers in one process: their definitions differ.
  const open = (draftApiKey: string) =>
    defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published',
      draftApiKey,
      models: MODELS,
      cache: { storage },
      fetch: service.fetch,
    }).liveLoader('article', { refresh: '1s' });
  const [first, second] = [open('a'), open('b')];
  const shows = async (loader: typeof first, title: string) =>
    JSON.stringify(resultOf(await loader.loadCollection({ collection: 'articles' })).entries).includes(
      `"${title}"`,
    );
  expect([await shows(first, 'item 2'), await shows(second, 'item 2')]).toEqual([true, true]);
  service.contents.edit(2, { title: 'edited' });
  const [, reached] = liveSources().all();
  expect(await reached?.refresh({ isAfterEvent: true })).toMatchObject({ changed: 1 });
  // The CDN does not show it to anyone else.
  await until(() => shows(first, 'edited'));
});
