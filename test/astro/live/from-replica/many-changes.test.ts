import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { limitPage } from '../../../../src/astro/live/tags/cache-tags.ts';
import { article, closeSources, openSite, refreshAll, resultOf, tagsOf } from './live-site.ts';

beforeEach(() => {
  liveSources().hasOutsideCache = true;
});
afterEach(() => {
  liveSources().hasOutsideCache = false;
  closeSources();
});

const DAY = '2026-01-01T00:00:00Z';

/** Pages of a space with many articles, which all have one author. */
function openPages(count: number) {
  const contents = Array.from({ length: count }, (_, index) => ({
    ...article(10 + index, `a${index}`),
    created_at: DAY,
  }));
  const { space, service } = openSite({ contents });
  const articles = space.liveLoader('article', { id: 'slug', depth: 0 });
  const authors = space.liveLoader('author', { id: 'slug' });
  return {
    service,
    entry: async (index: number) =>
      tagsOf(resultOf(await articles.loadEntry({ filter: { id: `a${index}` }, collection: 'articles' }))),
    missing: async () => {
      const result = await articles.loadEntry({ filter: { id: 'none' }, collection: 'articles' });
      const { error } = result as unknown as { error: { cacheHint: { tags: string[] } } };
      return error.cacheHint.tags;
    },
    list: async (limit: number) =>
      tagsOf(resultOf(await articles.loadCollection({ filter: { limit }, collection: 'articles' }))),
    author: async () =>
      tagsOf(resultOf(await authors.loadEntry({ filter: { id: 'mori' }, collection: 'authors' }))),
  };
}

test('5,000 changed entries are at most 50 tags, which invalidate every page that shows one, and no other collection', async () => {
  const { service, entry, missing, list, author } = openPages(5000);
  const pages = [await entry(0), await entry(4999), await list(3), await list(5000), await missing()];
  const byHand = limitPage(['luid:article:2000'], liveSources().maxTags);
  const other = await author();
  for (let index = 0; index < 5000; index++) service.contents.edit(10 + index, { title: `Edited ${index}` });
  const tags = await refreshAll();
  expect(tags.length).toBeLessThanOrEqual(50);
  const isInvalidated = (page: readonly string[]) => page.some((tag) => tags.includes(tag));
  expect([...pages, byHand].map(isInvalidated)).toEqual([true, true, true, true, true, true]);
  expect(isInvalidated(other)).toBe(false);
});

test('a few changed entries invalidate no page of another one', async () => {
  const { service, entry } = openPages(100);
  const [edited, other] = [await entry(5), await entry(6)];
  service.contents.edit(15, { title: 'Edited' });
  const tags = await refreshAll();
  expect([edited, other].map((page) => page.some((tag) => tags.includes(tag)))).toEqual([true, false]);
});

test('a list of 100 entries has one tag, and a page that loads 100 entries has few', async () => {
  const { service, entry, list } = openPages(100);
  const shown = new Set(await list(100));
  expect([...shown]).toEqual([expect.stringMatching(/^luid:lists:/)]);
  const all: string[] = [];
  for (let index = 0; index < 100; index++) all.push(...(await entry(index)));
  const page = limitPage(all, liveSources().maxTags);
  expect(page.length).toBeLessThanOrEqual(48);
  service.contents.edit(109, { title: 'Edited' });
  const tags = await refreshAll();
  for (const tagsOfPage of [[...shown], page])
    expect(tagsOfPage.some((tag) => tags.includes(tag))).toBe(true);
});
