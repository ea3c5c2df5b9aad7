import { afterAll, expect, test } from 'vitest';
import { defineSpace, field } from '../../../src/index.ts';
import { fetchStringIds } from '../../client/fetch-string-ids.ts';
import { createLoaderContext } from '../../security/loader-context.ts';
import { startService } from './test-loader.ts';

const MODELS = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author'),
    related: field.repeat({ to: field.reference() }),
  },
};

const service = await startService(MODELS, [
  { id: 1, model: 'author', name: 'Mori' },
  { id: 11, model: 'article', title: '2026', author: 1, related: [{ to: 12 }] },
  { id: 12, model: 'article', title: 'Tea', author: 1 },
]);
afterAll(() => service.close());

const spaceWith = (fetch: typeof globalThis.fetch) =>
  defineSpace({ baseUrl: service.baseUrl, apiKey: 'published-key', models: MODELS, fetch, cache: false });

/** All collections of a space, each loaded twice as a dev server would, and what was logged. */
async function load(space: ReturnType<typeof spaceWith>) {
  const lines: string[] = [];
  const data: unknown[] = [];
  for (const loader of [
    space.loader('article'),
    space.loader('author'),
    space.loader('article', { depth: 0 }),
  ]) {
    const store = createLoaderContext();
    await loader.load(store.context);
    await loader.load(store.context);
    lines.push(...store.lines);
    data.push(store.entries().map((entry) => [entry.id, entry.data]));
  }
  return { data, notes: lines.filter((line) => line.includes('as strings')) };
}

test('a service that sends ids as strings gives the same entries, and one log line per space', async () => {
  const numbers = await load(spaceWith(fetch));
  const strings = await load(spaceWith(fetchStringIds()));
  expect(strings.data).toEqual(numbers.data);
  expect(strings.data[0]).toMatchObject([
    ['11', { _id: 11, title: '2026', author: { _id: 1, name: 'Mori' }, related: [{ to: { _id: 12 } }] }],
    ['12', {}],
  ]);
  expect(numbers.notes).toEqual([]);
  expect(strings.notes).toEqual([
    'Content: the service sends content ids as strings; they are used as numbers',
  ]);
});

test.each([0, 1] as const)('live entries of such a service are the same at depth %i', async (depth) => {
  const live = async (fetch: typeof globalThis.fetch) => {
    const loader = spaceWith(fetch).liveLoader('article', { from: 'service', depth });
    const collection = 'articles';
    const entry = await loader.loadEntry({ filter: { id: '11' }, collection });
    const all = await loader.loadCollection({ filter: { order: '_id' }, collection });
    return { entry, all };
  };
  const strings = await live(fetchStringIds());
  expect(strings).toEqual(await live(fetch));
  expect(strings.entry).toMatchObject({ id: '11', data: { _id: 11, title: '2026' } });
});
