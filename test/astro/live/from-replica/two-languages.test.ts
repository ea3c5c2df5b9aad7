import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReplicaPages, type ReplicaPages } from './cached-pages.ts';
import { article, closeSources, openSite } from './live-site.ts';

const english = (id: number, slug: string, title: string) => {
  const { published, ...item } = article(id, slug);
  return { ...item, published: { ...published, en: { ...published.ja, title } } };
};

/** Lists of one collection that differ in their language only, or select entries of each. */
const LISTS = {
  'in Japanese': { lang: 'ja', order: '_id' },
  'in English': { lang: 'en', order: '_id' },
  'in both': { order: '_id' },
  'sea in Japanese': { lang: 'ja', where: { title: { contains: 'sea' } } },
  'sea in English': { lang: 'en', where: { title: { contains: 'sea' } } },
  'sea in both': { where: { title: { contains: 'sea' } } },
  'the first in English': { lang: 'en', order: 'title', limit: 1 },
  'the first in Japanese': { lang: 'ja', order: 'title', limit: 1 },
};

afterEach(closeSources);

describe.each([[false], [true]])('lists in two languages, with fallback: %s', (fallback) => {
  let service: ReturnType<typeof openSite>['service'];
  let pages: ReplicaPages;
  beforeEach(async () => {
    const contents = [english(10, 'a', 'a wood'), english(11, 'b', 'a sea'), article(12, 'c')];
    const site = openSite({ contents, sub: ['en'] });
    service = site.service;
    const options = { id: 'slug', langs: ['ja', 'en'], fallback } as const;
    const live = site.space.liveLoader('article', options);
    pages = openReplicaPages(live as never, 'articles', LISTS);
    await pages.show();
  });

  /**
   * Expects that a change invalidates exactly the lists that it changes, which are these, but not others. The time of the
   * last change, which all languages of an item share, may change more.
   */
  async function expectChanged(
    change: () => void,
    names: readonly (keyof typeof LISTS)[],
    unchanged: readonly (keyof typeof LISTS)[] = [],
  ): Promise<void> {
    const { invalidated, differing } = await pages.after(change);
    expect(invalidated).toEqual(differing);
    expect(differing).toEqual(expect.arrayContaining([...names]));
    for (const name of unchanged) expect(differing).not.toContain(name);
  }

  test('an edit in English invalidates the English lists that show it, or do now', async () => {
    await expectChanged(
      () => service.contents.edit(10, { title: 'a sea, too' }, { lang: 'en' }),
      ['in English', 'in both', 'sea in English', 'sea in both'],
      ['sea in Japanese'],
    );
  });

  test('an edit in Japanese invalidates the Japanese lists, and the English ones where it is a fallback', async () => {
    await expectChanged(
      () => service.contents.edit(12, { title: 'the sea' }),
      [
        ...(['in Japanese', 'in both', 'sea in Japanese', 'sea in both'] as const),
        ...(fallback ? (['in English', 'sea in English'] as const) : []),
      ],
      fallback ? [] : ['in English', 'sea in English'],
    );
    // It has an English text of its own.
    await expectChanged(
      () => service.contents.edit(10, { title: 'the sea' }),
      ['sea in Japanese', 'sea in both'],
      ['sea in English'],
    );
  });

  test('a translation that is added invalidates the English lists that contain it now', async () => {
    await expectChanged(
      () => service.contents.edit(12, { title: 'a bay by the sea', slug: 'c' }, { lang: 'en' }),
      ['in English', 'in both', 'sea in English', 'sea in both', 'the first in English'],
      ['sea in Japanese'],
    );
  });

  test('a translation that is removed invalidates the English lists that contained it', async () => {
    await expectChanged(
      () => {
        const { published, ...item } = service.contents.get(11);
        service.contents.remove(11);
        service.contents.create({ ...item, published: { ja: published?.ja ?? {} } });
      },
      ['in English', 'in both', 'sea in English', 'sea in both', 'the first in English'],
      ['sea in Japanese'],
    );
  });

  test('an item that is removed invalidates the lists of both languages', async () => {
    await expectChanged(
      () => service.contents.remove(11),
      ['in Japanese', 'in English', 'in both', 'sea in English', 'sea in both'],
      ['sea in Japanese', 'the first in Japanese'],
    );
  });

  test('an edit that changes the order in one language invalidates the lists in that order', async () => {
    await expectChanged(
      () => service.contents.edit(10, { title: '0' }, { lang: 'en' }),
      ['the first in English'],
      ['sea in Japanese', 'sea in English', 'sea in both'],
    );
  });

  test('two edits of one item, one in each language, are both found', async () => {
    await expectChanged(() => {
      service.contents.edit(10, { title: 'sea (ja)' });
      service.contents.edit(10, { title: 'sea (en)' }, { lang: 'en' });
    }, ['in Japanese', 'in English', 'sea in Japanese', 'sea in English', 'sea in both']);
  });
});

test('an entry that moves in one language invalidates its old and new neighbours in that language only', async () => {
  const contents = ['a', 'b', 'c', 'd', 'e'].map((slug, at) => english(10 + at, slug, `${slug} in English`));
  const { space, service } = openSite({ contents, sub: ['en'] });
  const options = { id: 'slug', langs: ['ja', 'en'], neighbours: { order: 'title' } };
  const names = ['ja', 'en'].flatMap((lang) =>
    ['a', 'b', 'c', 'd', 'e'].map((slug) => [lang, slug] as const),
  );
  const lists = Object.fromEntries(
    names.map(([lang, slug]) => [`${lang}/${slug}`, { lang, where: { slug: { eq: slug } } }]),
  );
  const live = space.liveLoader('article', options as never);
  const pages = openReplicaPages(live as never, 'articles', lists);
  await pages.show();
  const { invalidated, differing } = await pages.after(() =>
    service.contents.edit(11, { title: 'f in English' }, { lang: 'en' }),
  );
  expect(invalidated).toEqual(differing);
  // All languages of an item share the time of its last change.
  expect(differing.filter((name) => name !== 'ja/b')).toEqual(['en/a', 'en/b', 'en/c', 'en/e']);
});
