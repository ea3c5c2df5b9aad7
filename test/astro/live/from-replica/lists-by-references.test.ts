import { afterEach, expect, test } from 'vitest';
import { openReplicaPages } from './cached-pages.ts';
import { article, closeSources, openSite } from './live-site.ts';

// Lists that are filtered by what their entries refer to.

const author = (id: number, published: object) => ({
  id,
  model: 'author',
  created_at: '2026-01-01T00:00:00Z',
  published,
});

afterEach(closeSources);

test.each([
  ['en', { lang: 'en' }, ['Wood in English', 'Forest in English', 'Wood in both']],
  ['ja', {}, ['Wood in Japanese', 'Wood in both']],
] as const)(
  'an author who is renamed in %s invalidates the lists that select by that name',
  async (_, options, names) => {
    const { published, ...item } = article(10, 'a', { author: 2 });
    const { space, service } = openSite({
      contents: [
        author(2, { ja: { name: 'Wood', slug: 'w' }, en: { name: 'Wood', slug: 'w' } }),
        { ...item, published: { ...published, en: published.ja } },
      ],
      sub: ['en'],
    });
    const live = space.liveLoader('article', { id: 'slug', depth: 0, langs: ['ja', 'en'] } as object);
    const by = (name: string) => ({ where: { 'author.name': { eq: name } } });
    const pages = openReplicaPages(live as never, 'articles', {
      'Wood in Japanese': { ...by('Wood'), lang: 'ja' },
      'Wood in English': { ...by('Wood'), lang: 'en' },
      'Forest in English': { ...by('Forest'), lang: 'en' },
      'Wood in both': by('Wood'),
    });
    await pages.show();
    const { invalidated, differing } = await pages.after(() =>
      service.contents.edit(2, { name: 'Forest' }, options),
    );
    expect(invalidated).toEqual(differing);
    expect(differing).toEqual(expect.arrayContaining([...names]));
  },
);

test('a list of what the authors of its entries refer to loses an entry when that is removed', async () => {
  // So many items that a check reads only what changed: the author is not read again, and keeps the id.
  const others = Array.from({ length: 300 }, (_, n) => ({
    ...article(20, `${n}`, { author: null }),
    id: 100 + n,
  }));
  const { space, service } = openSite({
    contents: [
      author(3, { ja: { name: 'Ito', slug: 'ito' } }),
      author(2, { ja: { name: 'Wood', slug: 'wood', mentor: 3 } }),
      article(10, 'a', { author: 2 }),
      ...others,
    ],
  });
  const live = space.liveLoader('article', { id: 'slug', depth: 0 });
  const pages = openReplicaPages(live as never, 'articles', {
    'by whom Ito taught': { where: { 'author.mentor': { eq: 3 } } },
    'by Wood': { where: { 'author.name': { eq: 'Wood' } } },
  });
  await pages.show();
  service.clock.advance(3_600_000);
  const { invalidated, differing } = await pages.after(() => service.contents.remove(3));
  expect(differing).toEqual(['by whom Ito taught']);
  expect(invalidated).toEqual(differing);
});
