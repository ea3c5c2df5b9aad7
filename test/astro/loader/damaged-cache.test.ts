import { expect, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { AstroStore } from '../../histories/astro-store.ts';
import { CacheStorage } from '../../histories/storage.ts';

const models = { article: { title: field.text({ title: true }) } };

test('an entry is removed with its content, even if the cache of its model is damaged', async () => {
  const service = createEmulator(
    {
      languages: { main: 'ja' },
      keys: [{ key: 'key', reads: 'published' }],
      models,
      contents: [1, 2, 3].map((id) => ({
        id,
        model: 'article',
        created_at: `2026-01-0${id}T00:00:00Z`,
        published: { ja: { title: `${id}` } },
      })),
    },
    { origin: 'http://damaged-cache.test', rateLimit: false },
  );
  const [cache, store] = [new CacheStorage(), new AstroStore()];
  const load = () =>
    defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'key',
      models,
      cache: { storage: cache.open().storage },
      fetch: service.fetch,
    })
      .loader('article')
      .load(store.context('articles', () => {}));
  await load();
  expect([...store.entries('articles').keys()]).toEqual(['1', '2', '3']);

  cache.restore(
    new Map([...cache.copy()].map(([key, value]) => [key, String(value).startsWith('[{') ? '[]' : value])),
  );
  service.contents.remove(2);
  await load();
  expect([...store.entries('articles').keys()]).toEqual(['1', '3']);
});
