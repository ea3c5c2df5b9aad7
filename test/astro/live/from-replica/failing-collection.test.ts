import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { article, closeSources, openSite, refreshAll, resultOf, tagsOf } from './live-site.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  for (const level of ['info', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => lines.push(String(line)));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  closeSources();
});

/** Articles whose title is `bad` have no id: the site's own function throws. */
function openFailingSite(more: readonly object[] = []) {
  const { space, service } = openSite({
    contents: [article(10, 'a'), article(11, 'b'), article(12, 'c'), ...more],
  });
  const idOf = ({ title, slug }: { title: string; slug?: string | null }) => {
    if (title === 'bad') throw new TypeError('no title');
    return slug ?? '';
  };
  const failing = space.liveLoader('article', { id: idOf as never });
  const articles = space.liveLoader('article', { id: 'slug' });
  const authors = space.liveLoader('author', { id: 'slug' });
  return {
    service,
    failing: {
      list: (filter: object = {}) => failing.loadCollection({ filter, collection: 'failing' }),
      entry: (id: string) => failing.loadEntry({ filter: { id }, collection: 'failing' }),
    },
    articles: () => articles.loadCollection({ collection: 'articles' }),
    author: async () => resultOf(await authors.loadEntry({ filter: { id: 'mori' }, collection: 'authors' })),
  };
}

test('a collection that fails for a new item does not keep others from showing changes', async () => {
  const { failing, articles, author, service } = openFailingSite();
  await failing.list();
  const pages = [await articles(), await author()].map((result) => tagsOf(resultOf(result)));
  service.contents.create({ model: 'article', published: { ja: { title: 'bad', slug: 'x' } } });
  service.contents.edit(1, { name: 'Renamed' });
  const tags = await refreshAll();
  for (const page of pages) expect(page.some((tag) => tags.includes(tag))).toBe(true);
  expect((await author()).data.name).toBe('Renamed');
  expect(resultOf(await articles()).entries).toHaveLength(4);
  expect(await failing.list()).toMatchObject({ error: { message: expect.stringContaining('no title') } });
});

test('all pages of a collection that begins to fail are invalidated', async () => {
  const { failing, service } = openFailingSite();
  const list = tagsOf(resultOf(await failing.list({ where: { slug: { eq: 'nothing' } } })));
  const missing = await failing.entry('x');
  if (!missing || !('error' in missing) || !('cacheHint' in missing.error)) throw new Error('found');
  const notFound = tagsOf(missing.error as never);
  const entry = tagsOf(resultOf(await failing.entry('b')));
  service.contents.create({ model: 'article', published: { ja: { title: 'bad', slug: 'y' } } });
  const tags = await refreshAll();
  for (const page of [list, notFound, entry]) expect(page.some((tag) => tags.includes(tag))).toBe(true);
});

test('that a collection fails is logged once, and that it works again', async () => {
  const { failing, service } = openFailingSite();
  await failing.list();
  const id = service.contents.create({ model: 'article', published: { ja: { title: 'bad', slug: 'x' } } });
  await refreshAll();
  service.contents.edit(10, { title: 'new' });
  await refreshAll();
  service.contents.remove(id);
  await refreshAll();
  expect(await failing.list()).toMatchObject({ entries: { length: 3 } });
  service.contents.edit(10, { title: 'newer' });
  await refreshAll();
  expect(lines.filter((line) => line.includes('failing'))).toEqual([
    '[astro-luid] failing fails, other collections go on: no title',
    '[astro-luid] failing works again',
  ]);
});

test('a list that changes while its collection fails is shown, and invalidated by later changes', async () => {
  const { failing, service } = openFailingSite();
  await failing.list();
  const id = service.contents.create({ model: 'article', published: { ja: { title: 'bad', slug: 'x' } } });
  await refreshAll();
  service.contents.edit(id, { title: 'good' });
  await refreshAll();
  const page = resultOf(await failing.list());
  expect(page.entries).toHaveLength(4);
  service.contents.remove(10);
  expect(await refreshAll()).toContain(page.cacheHint?.tags?.[0]);
});

test('an id function is not required to know items that the collection does not contain', async () => {
  const { space } = openSite({ contents: [article(10, 'a'), article(11, 'b')] });
  const id = ({ slug }: { slug?: string | null }) => {
    if (slug !== 'a') throw new TypeError('not a member');
    return 'A';
  };
  const live = space.liveLoader('article', { id: id as never, where: { slug: { in: ['a'] } } } as object);
  const { entries } = resultOf(await live.loadCollection({ collection: 'articles' } as never));
  expect(entries.map((entry) => entry.id)).toEqual(['A']);
});
