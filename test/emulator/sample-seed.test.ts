import { expect, test } from 'vitest';
import { createEmulator, type Seed, sampleSeed } from '../../src/emulator/index.ts';
import { FIELD_TYPES } from '../../src/models/field-types/index.ts';

const { seed: raw, directory } = sampleSeed();
const seed = raw as Seed;
const emulator = createEmulator(seed, { directory, rateLimit: false });

interface Shown {
  _id: number;
  _status: string;
  _space: string;
  [field: string]: unknown;
}

async function all(parameters: string, key = 'published-key'): Promise<Shown[]> {
  const found: Shown[] = [];
  for (;;) {
    const url = `${emulator.baseUrl}/contents?${parameters}&depth=0&limit=100&offset=${found.length}`;
    const answer = await emulator.fetch(url, { headers: { 'X-SERVICE-API-KEY': key } });
    const { data, total } = (await answer.json()) as { data: Shown[]; total: number };
    found.push(...data);
    if (found.length >= total) return found;
  }
}

test('the sample has content in every field type', async () => {
  const filled = (await all('order=_id')).flatMap(({ _model, ...item }) =>
    Object.entries(seed.models[_model as string] ?? {})
      .filter(([luid]) => !isEmpty(item[luid]))
      .map(([, field]) => field.type),
  );
  expect([...new Set(filled)].sort()).toEqual(
    Object.keys(FIELD_TYPES)
      .filter((type) => type !== 'unknown')
      .sort(),
  );
});

test('it has more than a hundred different articles, about a third of them without English', async () => {
  const [japanese, english] = [await all('model=article'), await all('model=article&lang=en')];
  expect(japanese.length).toBeGreaterThan(100);
  expect(english.length / japanese.length).toBeGreaterThan(0.6);
  expect(english.length / japanese.length).toBeLessThan(0.72);
  for (const articles of [japanese, english]) {
    for (const field of ['title', 'lead', 'body', 'slug']) {
      expect(new Set(articles.map((article) => article[field])).size).toBe(articles.length);
    }
    expect(JSON.stringify(articles)).not.toMatch(/undefined|\{\w+\}/);
  }
});

test('it has new and changed drafts, which only the drafts key reads', async () => {
  const drafts = await all('model=article', 'draft-key');
  const count = (status: string) => drafts.filter(({ _status }) => _status === status).length;
  expect(count('draft')).toBeGreaterThanOrEqual(3);
  expect(count('published_draft')).toBeGreaterThanOrEqual(3);
  expect((await all('model=article')).some(({ _status }) => _status === 'draft')).toBe(false);
});

test('archived content leaves empty fields', async () => {
  const articles = await all('model=article');
  expect(articles.filter(({ author }) => author === null).length).toBeGreaterThan(0);
  expect(articles.filter(({ cover }) => cover === null).length).toBeGreaterThan(0);
  const [harbour] = articles.filter(({ slug }) => slug === 'harbour-at-dusk');
  expect(harbour?.related).toContainEqual({ article: null });
});

test('the shop is a separate space with its own key', async () => {
  const goods = await all('order=_id', 'shop-key');
  expect(new Set(goods.map(({ _space }) => _space))).toEqual(new Set(['shop']));
  expect(goods.length).toBeGreaterThan(3);
});

test('every image exists, also those in flexible text', async () => {
  const addresses = new Set<string>();
  const found = JSON.stringify([...(await all('order=_id')), ...(await all('lang=en'))]);
  for (const [address] of found.matchAll(/http:\/\/luid\.test\/assets\/[^"\\]+/g)) addresses.add(address);
  expect(addresses.size).toBeGreaterThan(35);
  for (const address of addresses) {
    const { status, headers } = await emulator.fetch(address);
    expect([address, status, headers.get('content-type')]).toEqual([
      address,
      200,
      expect.stringMatching(/^image\/(jpeg|webp)$/),
    ]);
  }
});

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
