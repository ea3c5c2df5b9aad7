import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import { notes, openSite, published, responseOf, serve, shown } from './loader-site.ts';

const title = field.text({ title: true });
const TYPED = {
  author: { name: title },
  article: { title, author: field.reference('author') },
  note: { title },
};
const DAY = 24 * 3_600_000;

test('manifests of an unused model map are removed after a while', async () => {
  const service = serve([published('author', 1, { name: 'A' }), ...notes(130)], { models: TYPED });
  const storage = createStorage({ driver: memory() });
  const how = { cache: { storage }, network: { concurrency: 1 } };
  const site = openSite(service);
  const { author, note } = TYPED;
  for (const models of [{ note }, { author, note }])
    await site.build({ notes: { model: 'note' } }, { ...how, models });
  for (let day = 0; day < 40; day++) {
    service.clock.advance(DAY);
    await site.build({ notes: { model: 'note' } }, { ...how, models: TYPED });
  }
  const manifests = (await storage.getKeys()).filter((key) => key.includes(':manifest:'));
  expect(new Set(manifests.map((key) => key.split('-')[1])).size).toBe(1);
});

test('a build that was overtaken does not make the next one read English in full', async () => {
  const service = serve(
    [
      published('author', 1, { name: 'A' }, { en: { name: 'A' } }),
      published('article', 2, { title: 'a' }, { en: { title: 'b' } }),
      ...notes(600),
    ],
    { models: TYPED },
  );
  const storage = createStorage({ driver: memory() });
  const collections = { articles: { model: 'article', lang: 'en' } };
  const how = { cache: { storage }, models: TYPED, network: { concurrency: 1 } };
  const [first, second] = [openSite(service), openSite(service)];
  await first.build(collections, how);
  service.clock.advance(60_000);
  service.contents.edit(2, { title: 'edited' });
  service.clock.advance(60_000);
  // The first listing is to load, the second to commit.
  let listings = 0;
  const overtaken = {
    ...storage,
    getKeys: async (base?: string) => {
      if (++listings === 2) await second.build(collections, how);
      return storage.getKeys(base);
    },
  };
  await first.build(collections, { ...how, cache: { storage: overtaken } });
  service.clock.advance(60_000);
  service.clearLog();
  const { articles } = await first.build(collections, how);
  const requests = service.log.length;
  expect(shown(articles)).toEqual(await responseOf(service, { model: 'article', lang: 'en' }));
  expect(requests).toBeLessThan(8);
});
