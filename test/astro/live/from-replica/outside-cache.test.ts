import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { until } from '../../../support/until.ts';
import { article, closeSources, openSite, refreshAll, resultOf, tagsOf } from './live-site.ts';

afterEach(() => {
  liveSources().hasOutsideCache = false;
  closeSources();
});

/** Pages in a cache that an earlier server has filled, and what a new server invalidates after two edits. */
async function restart() {
  const { open, service } = openSite();
  const define = () => {
    const space = open();
    return {
      articles: space.liveLoader('article', { id: 'slug' }),
      authors: space.liveLoader('author', { id: 'slug' }),
    };
  };
  const earlier = define();
  const filter = { where: { slug: { eq: 'new' } } } as const;
  const list = resultOf(await earlier.articles.loadCollection({ filter, collection: 'articles' }));
  const author = resultOf(await earlier.authors.loadEntry({ filter: { id: 'mori' }, collection: 'authors' }));
  closeSources();
  const { articles } = define();
  await articles.loadEntry({ filter: { id: 'a' }, collection: 'articles' });
  service.contents.create({ model: 'article', published: { ja: { title: 'New', slug: 'new' } } });
  service.contents.edit(1, { name: 'Renamed' });
  await refreshAll();
  // The check at its start may have found them already.
  const tags = liveSources()
    .all()
    .flatMap((source) => source.tagsSince(0));
  return [list, author].map((page) => tagsOf(page).some((tag) => tags.includes(tag)));
}

test('pages of an earlier server that a cache outside of the process has are invalidated', async () => {
  liveSources().hasOutsideCache = true;
  expect(await restart()).toEqual([true, true]);
});

test('a refresh as the first request of a process reports what changed since content was stored', async () => {
  liveSources().hasOutsideCache = true;
  const { open, service } = openSite();
  const define = () => open().liveLoader('article', { id: 'slug' });
  const load = async (live = define()) =>
    resultOf(await live.loadEntry({ filter: { id: 'a' }, collection: 'articles' }));
  const page = tagsOf(await load());
  closeSources();
  const live = define();
  service.contents.edit(10, { title: 'changed' });
  expect((await refreshAll()).filter((tag) => page.includes(tag))).toHaveLength(1);
  expect((await load(live)).data.title).toBe('changed');
});

test('a refresh as the first request of all reads the content, which changes nothing', async () => {
  const { space } = openSite();
  const live = space.liveLoader('article', { id: 'slug' });
  expect(await refreshAll()).toEqual([]);
  expect(resultOf(await live.loadCollection({ collection: 'articles' })).entries).toHaveLength(3);
});

test('with a cache in memory, only what this process has shown is compared', async () => {
  expect(await restart()).toEqual([false, false]);
});

test('a collection in languages that are needed from now on has all its entries', async () => {
  liveSources().hasOutsideCache = true;
  const english = article(10, 'a');
  const contents = [
    { ...english, published: { ...english.published, en: english.published.ja } },
    article(11, 'b'),
  ];
  const { space } = openSite({ contents, sub: ['en'] });
  const main = space.liveLoader('article', { id: 'slug' });
  const idsOf = async (live: typeof main) =>
    resultOf(await live.loadCollection({ filter: { order: '_id' }, collection: 'x' })).entries.map(
      ({ id }) => id,
    );
  expect(await idsOf(main)).toEqual(['a', 'b']);
  const both = space.liveLoader('article', { id: 'slug', langs: ['ja', 'en'] } as object);
  expect(await idsOf(both)).toEqual(['ja/a', 'en/a', 'ja/b']);
});

describe('a process that is killed before pages are invalidated', () => {
  const articles = (site: ReturnType<typeof openSite>) => site.open().liveLoader('article', { id: 'slug' });
  const load = async (loader: ReturnType<typeof articles>, id = 'a') =>
    resultOf(await loader.loadEntry({ filter: { id }, collection: 'articles' }));
  /** The tags that the cache is told of when the first page of a process is requested. */
  const invalidatedAtStart = () =>
    liveSources()
      .all()
      .flatMap((source) => source.tagsSince(0));
  const confirm = () => {
    for (const source of liveSources().all()) source.confirmInvalidated?.(source.version);
  };
  /** What is stored of it. */
  const stored = ({ dir }: ReturnType<typeof openSite>) =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .map((file) => ({ path: join(file.parentPath, file.name), isFile: file.isFile() }))
      .filter(({ path, isFile }) => isFile && path.includes('live-invalidated'))
      .map(({ path }) => readFileSync(path, 'utf8'))
      .join();

  /** A server that has shown pages and found a change, whose invalidation may have ended; and the next server. */
  async function restartAfterChange({ isInvalidated }: { isInvalidated: boolean }) {
    liveSources().hasOutsideCache = true;
    const site = openSite();
    const loader = articles(site);
    const page = await load(loader);
    const list = resultOf(await loader.loadCollection({ collection: 'articles' }));
    confirm();
    await until(() => stored(site) !== '');
    const before = stored(site);
    site.service.contents.edit(10, { title: 'changed' });
    await refreshAll();
    if (isInvalidated) {
      confirm();
      await until(() => stored(site) !== before);
    }
    closeSources();
    await load(articles(site), 'b');
    return [page, list].map((shown) => tagsOf(shown).some((tag) => invalidatedAtStart().includes(tag)));
  }

  test('leaves it to the next one, which invalidates all pages', async () => {
    expect(await restartAfterChange({ isInvalidated: false })).toEqual([true, true]);
  });

  test('leaves nothing to do if they were invalidated', async () => {
    expect(await restartAfterChange({ isInvalidated: true })).toEqual([false, false]);
  });
});
