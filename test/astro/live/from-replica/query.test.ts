import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const models = {
  author: { name: field.text({ title: true }), bio: field.multiline() },
  article: {
    title: field.text({ title: true }),
    body: field.flexibleText(),
    category: field.select(['news', 'event']),
    tags: field.multiSelect(['a', 'b', 'c']),
    featured: field.boolean(),
    starts_at: field.datetime(),
    author: field.reference('author'),
    seo: field.fieldSet({ description: field.text() }),
    links: field.repeat({ label: field.text() }),
  },
} as const;

const random = seededRandom('query');
const words = ['harbour', 'tea', 'train', 'NIGHT', '夕暮れ', '茶畑'];
const word = () => words[random(words.length)] as string;
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [{ key: 'published', reads: 'published' }],
  models,
  contents: [
    ...Array.from({ length: 8 }, (_, n) => ({
      id: n + 1,
      model: 'author',
      created_at: day(n),
      published: { ja: { name: `${word()} ${n}`, bio: `${word()} ${word()}` } },
    })),
    ...Array.from({ length: 150 }, (_, n) => ({
      id: n + 100,
      model: 'article',
      created_at: day(random(40)),
      published: {
        ja: {
          title: `${word()} ${random(20)}`,
          body: `<p>${word()} <b>${word()}</b></p>`,
          category: random(3) === 0 ? null : (['news', 'event'] as const)[random(2)],
          tags: ['a', 'b', 'c'].filter(() => random(2) === 0),
          featured: random(2) === 0,
          starts_at: random(4) === 0 ? null : day(random(30)),
          author: random(5) === 0 ? null : 1 + random(8),
          seo: { description: word() },
          links: [{ label: word() }],
        },
        ...(random(2) === 0 && { en: { title: `English ${n}` } }),
      },
    })),
  ],
};
const service = createEmulator(seed, { origin: 'http://query.test', rateLimit: false });
const space = defineSpace({
  baseUrl: service.baseUrl,
  apiKey: 'published',
  models,
  languages: { main: 'ja', sub: ['en'] },
  cache: { dir: mkdtempSync(join(tmpdir(), 'astro-luid-query-')) },
  fetch: service.fetch,
});
const collection = 'articles';
const live = space.liveLoader('article', { refresh: '1h', depth: 0 });
const client = space.client();
afterAll(() => {
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
});

const CONDITIONS = [
  { title: { eq: 'tea 3' } },
  { title: { in: ['tea 3', 'train 4', 'NIGHT 1'] } },
  { title: { contains: 'night' } },
  { title: { contains: ['t', '1'] } },
  { body: { contains: 'harbour' } },
  { body: { contains: '夕暮れ,tea' } },
  { category: { eq: 'news' } },
  { category: { in: ['news', 'event'] } },
  { tags: { has: 'b' } },
  { featured: { eq: true } },
  { starts_at: { gte: day(10) } },
  { starts_at: { lt: new Date(day(20)) } },
  { author: { eq: 3 } },
  { author: { in: [1, 2] } },
  { 'author.name': { contains: 'tea' } },
  { 'author.bio': { contains: '茶畑' } },
  { 'seo.description': { eq: 'tea' } },
  { 'links.label': { eq: 'train' } },
  { _id: { in: [100, 120, 200] } },
  { _created_at: { gt: day(20) } },
];
const ORDERS = ['_id', '-_id', 'title', '-starts_at', ['category', '-title'], '_created_at', undefined];

/** What a page gets, by the ids of its entries. */
async function idsOf(filter: object): Promise<number[]> {
  const result = await live.loadCollection({ filter: filter as never, collection });
  if ('error' in result) throw result.error;
  return result.entries.map(({ id }) => Number(id));
}

describe('a list from the replica contains what the service returns for the same query', () => {
  test.each(CONDITIONS)('where %j', async (where) => {
    const { data } = await client.contents.list('article', { where, order: '_id', limit: 100 } as never);
    const ids = await idsOf({ where, order: '_id', limit: 100 });
    expect(ids).toEqual(data.map(({ _id }) => _id));
  });

  test('in random combinations, with order, limit, offset and words', async () => {
    let found = 0;
    for (let run = 0; run < 300; run++) {
      const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
      const where = Object.assign({}, ...Array.from({ length: random(3) }, () => pick(CONDITIONS)));
      const order = pick(ORDERS);
      const query = {
        where,
        // Ties have no order of their own at the service.
        order: [...(order === undefined ? ['-_created_at'] : [order].flat()), '_id'],
        limit: 1 + random(30),
        offset: random(3) === 0 ? random(20) : 0,
        ...(random(3) === 0 && { contains: pick([word(), `${word()},${word()}`, [word(), '1']]) }),
      };
      const { data } = await client.contents.list('article', query as never);
      expect(await idsOf(query), JSON.stringify(query)).toEqual(data.map(({ _id }) => _id));
      found += data.length;
    }
    expect(found).toBeGreaterThan(300);
  });

  test('without a filter: all, the newest first', async () => {
    const ids: number[] = [];
    for await (const item of client.contents.iterate('article', { order: ['-_created_at', '_id'] })) {
      ids.push(item._id);
    }
    expect(await idsOf({})).toEqual(ids);
  });
});

describe('a collection with several languages', () => {
  const both = space.liveLoader('article', {
    refresh: '1h',
    langs: ['ja', 'en'],
    fallback: true,
  });

  test('lists one of them', async () => {
    const result = await both.loadCollection({ filter: { lang: 'en', order: '_id' }, collection: 'both' });
    if ('error' in result) throw result.error;
    expect(result.entries).toHaveLength(150);
    expect(new Set(result.entries.map(({ data }) => data._lang))).toEqual(new Set(['en']));
    expect(result.entries.every(({ id }) => id.startsWith('en/'))).toBe(true);
  });

  test('refuses others', async () => {
    const result = await both.loadCollection({ filter: { lang: 'fr' } as never, collection: 'both' });
    expect('error' in result && result.error.message).toMatch(/lang/);
  });
});
