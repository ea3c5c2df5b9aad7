import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEmulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';
import { closeSources, refreshAll, resultOf, tagsOf } from './live-site.ts';

const SERVICE = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author'),
    related: field.reference('article'),
  },
};
const MODELS = {
  ...SERVICE,
  article: {
    ...SERVICE.article,
    title: field.text({ title: true, required: true }),
    author: field.reference('author', { required: true }),
  },
};

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  closeSources();
});

/** Articles 10 to 14 by title; 13 and 14 are the newest, and 14 is by author 2. */
function openSite() {
  const item = (id: number, model: string, values: object) => ({
    id,
    model,
    created_at: `2026-01-${String(id).padStart(2, '0')}T00:00:00Z`,
    published: { ja: values },
  });
  const service = createEmulator(
    {
      languages: { main: 'ja', sub: [] },
      keys: [{ key: 'published', reads: 'published' }],
      models: SERVICE,
      contents: [
        item(1, 'author', { name: 'Mori' }),
        item(2, 'author', { name: 'Sato' }),
        ...[10, 11, 12, 13].map((id) => item(id, 'article', { title: `T${id}`, author: 1, related: 14 })),
        item(14, 'article', { title: 'T14', author: 2 }),
      ],
    } as never,
    { origin: `http://live-${Math.random()}.test`, rateLimit: false },
  );
  const space = defineSpace({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    models: MODELS,
    onInvalid: 'skip',
    fetch: service.fetch,
    cache: { dir: mkdtempSync(join(tmpdir(), 'astro-luid-live-')) },
  });
  return { service, space };
}

type Entries = { entries: { id: string; data: object }[] };
const idsIn = ({ entries }: Entries) => entries.map(({ id }) => id);

test.each([
  ['archived', 'restored'],
  ['restored', 'archived'],
])(
  'a list, a page and a 404 are invalidated when a required target outside of fields is %s',
  async (then) => {
    const { service, space } = openSite();
    if (then === 'restored') service.contents.archive(2);
    const live = space.liveLoader('article', { fields: ['title'] });
    const collection = 'articles';
    const list = async () => resultOf(await live.loadCollection({ collection }));
    const entry = async () => live.loadEntry({ filter: { id: '14' }, collection });
    const hintOf = (result: Awaited<ReturnType<typeof entry>>) =>
      (result && 'error' in result
        ? (result.error as { cacheHint?: { tags: string[] } }).cacheHint
        : result?.cacheHint
      )?.tags ?? [];

    const [listBefore, pageBefore] = [await list(), hintOf(await entry())];
    expect(idsIn(listBefore as never).includes('14')).toBe(then === 'archived');
    if (then === 'archived') service.contents.archive(2);
    else service.contents.restore(2);
    const tags = await refreshAll();
    expect(idsIn((await list()) as never).includes('14')).toBe(then === 'restored');
    expect(tagsOf(listBefore).some((tag) => tags.includes(tag))).toBe(true);
    expect(pageBefore.some((tag) => tags.includes(tag))).toBe(true);
  },
);

test.each(['replica', 'service'] as const)(
  'limit and offset count entries that are shown, from: %s',
  async (from) => {
    const { service, space } = openSite();
    for (const id of [12, 13, 14]) service.contents.edit(id, { title: '' });
    const live = space.liveLoader('article', { from });
    const collection = 'articles';
    const load = async (filter: object) =>
      idsIn(resultOf(await live.loadCollection({ filter, collection } as never)) as never);
    expect(await load({ order: '-_created_at', limit: 2 })).toEqual(['11', '10']);
    expect(await load({ order: '-_created_at', limit: 1, offset: 1 })).toEqual(['10']);
    expect(await load({ order: '-_created_at', offset: 1 })).toEqual(['10']);
    const first = { where: { _id: { in: [10, 11, 13, 14] } }, order: '-_created_at' };
    expect(resultOf(await live.loadEntry({ filter: first, collection } as never)).id).toBe('11');
  },
);

test.each(['replica', 'service'] as const)(
  'an entry that is skipped is not found, from: %s',
  async (from) => {
    const { service, space } = openSite();
    service.contents.edit(12, { title: '' });
    const live = space.liveLoader('article', { from });
    const result = await live.loadEntry({ filter: { id: '12' }, collection: 'articles' });
    expect(
      result === undefined || ('error' in result && result.error.name === 'LiveEntryNotFoundError'),
    ).toBe(true);
  },
);

test.each(['replica', 'service'] as const)(
  'an optional reference to an invalid item is empty, a required one makes its referrer invalid, from: %s',
  async (from) => {
    const { service, space } = openSite();
    service.contents.edit(14, { title: '' });
    const live = space.liveLoader('article', { from });
    const { entries } = resultOf(await live.loadCollection({ collection: 'articles' })) as never as Entries;
    expect(entries.map(({ id }) => id).sort()).toEqual(['10', '11', '12', '13']);
    for (const { data } of entries) expect(data).toMatchObject({ related: null, author: { name: 'Mori' } });
  },
);

test('_prev and _next do not lead to skipped entries, and pages beside one are invalidated when it is corrected', async () => {
  const { service, space } = openSite();
  service.contents.edit(12, { title: '' });
  const live = space.liveLoader('article', { neighbours: { order: '_id' } });
  const page = async (id: string) =>
    resultOf(await live.loadEntry({ filter: { id }, collection: 'articles' })) as never as {
      data: { _prev: { id: string } | null; _next: { id: string } | null };
    };
  const before = await page('11');
  expect(before.data._next?.id).toBe('13');
  expect((await page('13')).data._prev?.id).toBe('11');
  const other = await page('10');
  service.contents.edit(12, { title: 'T12' });
  const tags = await refreshAll();
  expect((await page('11')).data._next?.id).toBe('12');
  expect(tagsOf(before as never).some((tag) => tags.includes(tag))).toBe(true);
  expect(tagsOf(other as never).some((tag) => tags.includes(tag))).toBe(false);
});

test('what is skipped is logged once, with its reason', async () => {
  const { service, space } = openSite();
  service.contents.edit(2, { name: null });
  service.contents.edit(13, { title: '' });
  const live = space.liveLoader('article');
  for (let request = 0; request < 2; request++) await live.loadCollection({ collection: 'articles' });
  const warnings = vi.mocked(console.warn).mock.calls.map(([line]) => String(line));
  expect(warnings.filter((line) => line.includes('skipped'))).toEqual([
    expect.stringMatching(
      /^\[astro-luid\] skipped: 1 item does not match the declared models:\n {2}article\.title/,
    ),
  ]);
});
