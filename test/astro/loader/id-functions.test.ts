import type { LoaderContext } from 'astro/loaders';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../../src/index.ts';
import { createLoaderContext } from '../../security/loader-context.ts';
import { startService } from './test-loader.ts';

const MODELS = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference('author') },
} as const;

const service = await startService(MODELS, [
  { id: 1, model: 'author', name: 'Mori' },
  { id: 11, model: 'article', title: 'Tea', author: 1 },
  { id: 12, model: 'article', title: 'Train', author: 1 },
]);
afterAll(() => service.close());

/** A helper that the `id` functions below call. Their own text stays the same. */
let slugOf: (text: string) => string;
beforeEach(() => {
  slugOf = (text) => text.toLowerCase();
});

interface Options {
  readonly article: object;
  readonly author: object;
}

/** The stores of two collections. A load is a build in a new process, with everything that the last one stored. */
function openSite() {
  const stores = { articles: createLoaderContext(), authors: createLoaderContext() };
  const contextOf = (collection: keyof typeof stores): LoaderContext => ({
    ...stores[collection].context,
    collection,
    config: stores.articles.context.config,
  });
  return {
    async build({ article, author }: Options) {
      for (const { lines } of Object.values(stores)) lines.length = 0;
      const space = defineSpace({ baseUrl: service.baseUrl, apiKey: 'published-key', models: MODELS });
      await Promise.all([
        space.loader('article', article).load(contextOf('articles')),
        space.loader('author', author).load(contextOf('authors')),
      ]);
      return stores.articles.lines.findLast((line) => line.startsWith('articles:'));
    },
    articles: () => Object.fromEntries(stores.articles.entries().map(({ id, data }) => [id, data])),
  };
}

const byTitle = (item: { title?: unknown }) => slugOf(String(item.title));
const byName = (item: { name?: unknown }) => slugOf(String(item.name));

describe('a function as id that calls code which changed', () => {
  test('gives new ids, also in neighbours, though its own code and the content are the same', async () => {
    const site = openSite();
    const options = { article: { id: byTitle, neighbours: { order: 'title' } }, author: {} };
    await site.build(options);
    expect(Object.keys(site.articles())).toEqual(['tea', 'train']);
    slugOf = (text) => `new-${text.toLowerCase()}`;
    expect(await site.build(options)).toBe('articles: 2 entries, 2 added, 2 removed');
    expect(Object.keys(site.articles())).toEqual(['new-tea', 'new-train']);
    expect(site.articles()['new-tea']).toMatchObject({ _next: { id: 'new-train' } });
  });

  test('gives new ids in collections that refer to it', async () => {
    const site = openSite();
    const options = { article: { references: { author: 'authors' } }, author: { id: byName } };
    await site.build(options);
    expect(site.articles()['11']).toMatchObject({ author: { collection: 'authors', id: 'mori' } });
    slugOf = (text) => text.toUpperCase();
    expect(await site.build(options)).toBe('articles: 2 entries, 2 changed');
    expect(site.articles()['11']).toMatchObject({ author: { collection: 'authors', id: 'MORI' } });
  });

  test('is an error if it now gives two items one id', async () => {
    const site = openSite();
    const options = { article: { id: byTitle }, author: {} };
    await site.build(options);
    slugOf = () => 'same';
    await expect(site.build(options)).rejects.toThrow('1 id is used by several items');
  });

  test('changes nothing if its results are the same', async () => {
    const site = openSite();
    const options = { article: { id: byTitle, references: { author: 'authors' } }, author: { id: byName } };
    await site.build(options);
    slugOf = (text) => text.toLocaleLowerCase('en');
    expect(await site.build(options)).toBe('articles: 2 entries, none changed');
  });
});

test('a changed `id` of the collection that references point into is noticed', async () => {
  const site = openSite();
  const article = { references: { author: 'authors' } };
  await site.build({ article, author: {} });
  expect(site.articles()['11']).toMatchObject({ author: { id: '1' } });
  await site.build({ article, author: { id: 'name' } });
  expect(site.articles()['11']).toMatchObject({ author: { id: 'Mori' } });
});
