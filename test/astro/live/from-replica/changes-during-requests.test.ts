import { afterEach, expect, test } from 'vitest';
import { outdatedTags, type RequestVersions } from '../../../../src/astro/live/live-sources.ts';
import { closeSources, inRequest, openSite, refreshAll, resultOf, tagsOf } from './live-site.ts';

afterEach(closeSources);

function startRequest() {
  const versions: RequestVersions = new Map();
  return {
    in: <T>(run: () => Promise<T>) => inRequest(versions, run),
    outdated: (tags: readonly string[]) => outdatedTags(versions, tags),
  };
}

test('a request that needs another language later still knows that it has shown an older version', async () => {
  const { open, service } = openSite({ sub: ['en'] });
  const langs = ['ja', 'en'];
  // An earlier server has stored all languages.
  await open()
    .liveLoader('article', { langs } as object)
    .loadCollection({ collection: 'x' });
  closeSources();
  service.contents.edit(1, { name: 'Renamed' });
  const space = open();
  const authors = space.liveLoader('author', { id: 'slug' });
  const later = () => space.liveLoader('article', { id: 'slug', langs } as object);
  const request = startRequest();
  const author = resultOf(
    await request.in(() => authors.loadEntry({ filter: { id: 'mori' }, collection: 'authors' })),
  );
  expect(author.data.name).toBe('Mori');
  const list = resultOf(await request.in(() => later().loadCollection({ collection: 'articles' })));
  expect(list.entries[0]?.data).toMatchObject({ author: { name: 'Renamed' } });
  expect(request.outdated(tagsOf(author))).not.toEqual([]);
});

test('a slow request that lists what a newer request has listed before is not cached', async () => {
  const { space, service } = openSite();
  const live = space.liveLoader('article', { id: 'slug' });
  const filter = { order: '_id', where: { title: { contains: 'Title' } } } as const;
  const list = async () => resultOf(await live.loadCollection({ filter, collection: 'articles' }));
  const slow = startRequest();
  await slow.in(() => live.loadEntry({ filter: { id: 'a' }, collection: 'articles' }));
  service.contents.create({ model: 'article', published: { ja: { title: 'Title new', slug: 'new' } } });
  await refreshAll();
  const newer = startRequest();
  const shownByNewer = await newer.in(list);
  const shownBySlow = await slow.in(list);
  expect([shownByNewer, shownBySlow].map(({ entries }) => entries.length)).toEqual([4, 3]);
  expect(slow.outdated(tagsOf(shownBySlow))).not.toEqual([]);
  expect(newer.outdated(tagsOf(shownByNewer))).toEqual([]);
});
