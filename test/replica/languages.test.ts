import { describe, expect, test, vi } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { type Content, notes, openSite, published, put, responseOf, serve, shown } from './loader-site.ts';

const AUTHOR = 1;
const ENGLISH = { model: 'article', lang: 'en', fallback: true } as const;
const COLLECTIONS = { articles: ENGLISH };

/** An author without English. */
const japaneseAuthor = published('author', AUTHOR, { name: 'Hana' });

/** An article in both languages with the same references. */
function bilingual(id: number, references: object): Content {
  return published(
    'article',
    id,
    { title: `記事 ${id}`, ...references },
    { en: { title: `article ${id}`, ...references } },
  );
}

async function expectEnglish(service: Emulator, built: Awaited<ReturnType<typeof build>>) {
  expect(shown(built.articles)).toEqual(await responseOf(service, ENGLISH));
}

function build(site: ReturnType<typeof openSite>, options: object = {}) {
  return site.build(COLLECTIONS, options);
}

const PLACES = {
  'a field': { editor: AUTHOR },
  'a repeat': { credits: [{ by: AUTHOR }] },
  'a combination': { blocks: [{ luid: 'credit', fields: { by: AUTHOR } }] },
  'a field set': { seo: { by: AUTHOR } },
};

describe.each(Object.entries(PLACES))(
  'an author without English, with an untyped reference in %s',
  (_place, untyped) => {
    const contents = [
      japaneseAuthor,
      bilingual(2, untyped),
      bilingual(3, { author: AUTHOR, thanks: [{ to: AUTHOR }] }),
    ];

    test('falls back to the main language in a cold build of a small space', async () => {
      const service = serve(contents);
      const built = await build(openSite(service), { network: { concurrency: 16 } });
      await expectEnglish(service, built);
    });

    test('falls back in a cold build of a large space', async () => {
      const service = serve([...contents, ...notes(250)]);
      await expectEnglish(service, await build(openSite(service)));
    });

    test('falls back in a second build of a large space', async () => {
      const service = serve([...contents, ...notes(250)]);
      const site = openSite(service);
      await build(site);
      await expectEnglish(service, await build(site));
    });

    test('falls back in a verified build of a large space', async () => {
      const service = serve([...contents, ...notes(250)]);
      const site = openSite(service);
      await build(site);
      await expectEnglish(service, await build(site, { verify: 'always' }));
    });
  },
);

test('an author without English falls back after a verified build, even if only that build read the untyped reference', async () => {
  const service = serve([japaneseAuthor, bilingual(2, { author: AUTHOR }), bilingual(3, {}), ...notes(250)]);
  const site = openSite(service);
  await build(site);
  service.clock.advance(60_000);
  service.contents.edit(3, { editor: AUTHOR }, { lang: 'en' });
  const verified = await build(site, { verify: 'always' });
  await expectEnglish(service, verified);
  await expectEnglish(service, await build(site));
});

test('an author without English falls back with LUID_VERIFY=1, cold and warm', async () => {
  vi.stubEnv('LUID_VERIFY', '1');
  try {
    const service = serve([
      japaneseAuthor,
      bilingual(2, { author: AUTHOR }),
      bilingual(3, { editor: AUTHOR }),
      ...notes(250),
    ]);
    const site = openSite(service);
    await expectEnglish(service, await build(site));
    await expectEnglish(service, await build(site));
  } finally {
    vi.unstubAllEnvs();
  }
});

test('an author without English falls back in each of several languages', async () => {
  const service = serve([
    japaneseAuthor,
    published('article', 2, { title: '記事' }, { en: { editor: AUTHOR }, fr: { editor: AUTHOR } }),
    ...notes(250),
  ]);
  const built = await openSite(service).build(
    {
      articles: { model: 'article', lang: 'en', fallback: true },
      french: { model: 'article', lang: 'fr', fallback: true },
    },
    { languages: { main: 'ja', sub: ['en', 'fr'] } },
  );
  await expectEnglish(service, built);
  expect(shown(built.french)).toEqual(await responseOf(service, { ...ENGLISH, lang: 'fr' }));
});

describe.each([
  { size: 'small', more: [], concurrency: 16 },
  { size: 'large', more: notes(250), concurrency: 2 },
])('when the English of an author is removed by PUT in a $size space', ({ more, concurrency }) => {
  const bilingualAuthor = published('author', AUTHOR, { name: 'Hana' }, { en: { name: 'Hannah' } });
  const options = { network: { concurrency } };

  test.each(Object.entries({ 'a typed field': { author: AUTHOR }, ...PLACES }))(
    'the next build falls back to the main language in %s',
    async (_place, references) => {
      const service = serve([bilingualAuthor, bilingual(2, references), ...more]);
      const site = openSite(service);
      await build(site, options);
      service.clock.advance(60_000);
      await put(service, AUTHOR, 'author', { fields: { name: 'Hana' } });
      await expectEnglish(service, await build(site, options));
      await expectEnglish(service, await build(site, options));
    },
  );

  test('the next build has the English that was restored', async () => {
    const service = serve([bilingualAuthor, bilingual(2, { author: AUTHOR }), ...more]);
    const site = openSite(service);
    await build(site, options);
    service.clock.advance(60_000);
    await put(service, AUTHOR, 'author', { fields: { name: 'Hana' } });
    await build(site, options);
    service.clock.advance(60_000);
    await put(service, AUTHOR, 'author', { fields: { name: 'Hana' }, 'fields[en]': { name: 'Hannah 2' } });
    await expectEnglish(service, await build(site, options));
  });

  test('an entry without fallback has an empty field instead', async () => {
    const service = serve([bilingualAuthor, bilingual(2, { author: AUTHOR }), ...more]);
    const site = openSite(service);
    const plain = { articles: { model: 'article', lang: 'en' } };
    await site.build(plain, options);
    service.clock.advance(60_000);
    await put(service, AUTHOR, 'author', { fields: { name: 'Hana' } });
    const { articles } = await site.build(plain, options);
    expect(articles?.get('2')).toMatchObject({ title: 'article 2', author: null });
  });
});

describe('an author without English that only the English of an article refers to, published later', () => {
  const draftAuthor = { id: AUTHOR, model: 'author', draft: { ja: { name: 'Hana' } } };
  const contentsWith = (references: object) => [
    draftAuthor,
    published('article', 2, { title: '記事' }, { en: { title: 'article', ...references } }),
    ...notes(250),
  ];

  test.each(Object.entries({ 'a typed field': { author: AUTHOR }, ...PLACES }))(
    'is in the next build in %s',
    async (_place, references) => {
      const service = serve(contentsWith(references));
      const site = openSite(service);
      await build(site);
      service.clock.advance(60_000);
      service.contents.publish(AUTHOR);
      await expectEnglish(service, await build(site));
      await expectEnglish(service, await build(site));
    },
  );

  test('is in the next build of a collection with several languages', async () => {
    const service = serve(contentsWith({ author: AUTHOR }));
    const site = openSite(service);
    const collections = { articles: { model: 'article', langs: ['ja', 'en'], fallback: true } };
    await site.build(collections);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    const { articles } = await site.build(collections);
    expect(articles?.get('ja/2')).toMatchObject({ author: null });
    expect(articles?.get('en/2')).toMatchObject({ author: { name: 'Hana' } });
  });

  test('is in the next build if it was archived and keeps its times', async () => {
    const service = serve([
      { ...japaneseAuthor, archived: true },
      published('article', 2, { title: '記事' }, { en: { title: 'article', author: AUTHOR } }),
      ...notes(250),
    ]);
    const site = openSite(service);
    await build(site);
    service.clock.advance(60_000);
    service.contents.restore(AUTHOR);
    await expectEnglish(service, await build(site));
  });

  test('is found if more notes were edited than the heads contain', async () => {
    const service = serve(contentsWith({ author: AUTHOR }));
    const site = openSite(service);
    await build(site);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    for (let id = 1001; id < 1151; id++) service.contents.edit(id, { title: `edited ${id}` });
    await expectEnglish(service, await build(site));
  });

  test('is an empty field again after it was archived, in English too', async () => {
    const service = serve(contentsWith({ author: AUTHOR }));
    const site = openSite(service);
    await build(site);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await build(site);
    service.clock.advance(60_000);
    service.contents.archive(AUTHOR);
    await expectEnglish(service, await build(site));
  });
});
