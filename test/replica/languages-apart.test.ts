import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { field, LuidError } from '../../src/index.ts';
import { findWrongBuilds } from './hide-and-show.ts';
import {
  type Entries,
  notes,
  openSite,
  published,
  responseOf,
  type Site,
  serve,
  shown,
} from './loader-site.ts';

/** Languages that are not synced together: one fails, or a build asks for none of them. */

const AUTHOR = 1;
const LANGUAGES = { languages: { main: 'ja', sub: ['en', 'fr'] } };
const ENGLISH = { model: 'article', lang: 'en', fallback: true } as const;
const FRENCH = { ...ENGLISH, lang: 'fr' } as const;
const ALL = { japanese: { model: 'article' }, english: ENGLISH, french: FRENCH };

/** An article whose languages all refer to an author without English, which is a draft. */
function start(references: object = { author: AUTHOR }): { service: Emulator; site: Site } {
  const service = serve([
    { id: AUTHOR, model: 'author', draft: { ja: { name: 'Hana' } } },
    published(
      'article',
      2,
      { title: '記事', ...references },
      { en: { title: 'article', ...references }, fr: { title: 'texte', ...references } },
    ),
    ...notes(150),
    ...Array.from({ length: 120 }, (_, n) =>
      published('note', 2001 + n, { title: `メモ ${n}` }, { en: { title: 'n' }, fr: { title: 'n' } }),
    ),
  ]);
  return { service, site: openSite(service) };
}

/** A service whose requests in some languages fail. */
function failing(service: Emulator, langs: readonly string[]): typeof fetch {
  return async (input, init) =>
    langs.includes(new URL(String(input)).searchParams.get('lang') ?? '')
      ? Response.json({ status: '500', code: 'Internal Server Error' }, { status: 500 })
      : service.fetch(String(input), init);
}

async function expectFailure(build: ReturnType<Site['build']>): Promise<void> {
  const error = await build.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(LuidError.is(error) && error.status).toBe(500);
}

async function expectAll(service: Emulator, built: Record<string, Entries>): Promise<void> {
  expect(shown(built.english)).toEqual(await responseOf(service, ENGLISH));
  expect(shown(built.french)).toEqual(await responseOf(service, FRENCH));
  expect(shown(built.japanese)).toEqual(await responseOf(service, { model: 'article' }));
}

describe('an author that English could not see when it was read is found', () => {
  const places = {
    'a typed field': { author: AUTHOR },
    'a typed repeat': { thanks: [{ to: AUTHOR }] },
  };

  test.each(Object.entries(places))(
    'by the build after English failed once, in %s',
    async (_place, references) => {
      const { service, site } = start(references);
      await site.buildTwice(ALL, LANGUAGES);
      service.clock.advance(60_000);
      service.contents.publish(AUTHOR);
      await expectFailure(site.build(ALL, { ...LANGUAGES, fetch: failing(service, ['en']) }));
      await expectAll(service, await site.build(ALL, LANGUAGES));
      await expectAll(service, await site.build(ALL, LANGUAGES));
    },
  );

  test('by the build after it was published', async () => {
    const { service, site } = start();
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });

  test('by the build after English failed twice', async () => {
    const { service, site } = start();
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await expectFailure(site.build(ALL, { ...LANGUAGES, fetch: failing(service, ['en']) }));
    service.clock.advance(60_000);
    await expectFailure(site.build(ALL, { ...LANGUAGES, fetch: failing(service, ['en']) }));
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });

  test('by the build after each other language failed in turn', async () => {
    const { service, site } = start();
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await expectFailure(site.build(ALL, { ...LANGUAGES, fetch: failing(service, ['en']) }));
    await expectFailure(site.build(ALL, { ...LANGUAGES, fetch: failing(service, ['fr']) }));
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });

  test('by the build after a build without languages', async () => {
    const { service, site } = start();
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await site.buildTwice({ japanese: { model: 'article' } }, LANGUAGES);
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });

  test('by the build after several builds without languages, with edits in between', async () => {
    const { service, site } = start();
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await site.buildTwice({ japanese: { model: 'article' } }, LANGUAGES);
    for (let id = 1001; id < 1121; id++) {
      service.clock.advance(1000);
      service.contents.edit(id, { title: 'edited' });
    }
    await site.buildTwice({ japanese: { model: 'article' } }, LANGUAGES);
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });

  test('by the build after a build with another language only', async () => {
    const { service, site } = start();
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.publish(AUTHOR);
    await site.buildTwice(
      { japanese: { model: 'article' }, french: FRENCH },
      { languages: { main: 'ja', sub: ['fr'] } },
    );
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });

  test('after a failed build and one without languages, even if it was archived and restored', async () => {
    const { service, site } = start();
    service.contents.publish(AUTHOR);
    service.contents.archive(AUTHOR);
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.restore(AUTHOR);
    await expectFailure(site.build(ALL, { ...LANGUAGES, fetch: failing(service, ['en', 'fr']) }));
    await site.buildTwice({ japanese: { model: 'article' } }, LANGUAGES);
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });
});

describe('a reference to removed content is empty in English', () => {
  test.each([
    ['one in which English failed', ALL, ['en', 'fr']],
    ['one without languages', { japanese: { model: 'article' } }, []],
  ] as const)('after %s', async (_name, collections, langs) => {
    const { service, site } = start();
    service.contents.publish(AUTHOR);
    await site.buildTwice(ALL, LANGUAGES);
    service.clock.advance(60_000);
    service.contents.archive(AUTHOR);
    const between = site.build(collections, { ...LANGUAGES, fetch: failing(service, langs) });
    await (langs.length > 0 ? expectFailure(between) : between);
    await expectAll(service, await site.build(ALL, LANGUAGES));
  });
});

test('an author with English that is archived and restored while its English is read again still exists', async () => {
  const title = field.text({ title: true });
  const wrong = await findWrongBuilds({
    contents: [
      published('author', AUTHOR, { name: 'Hana' }, { en: { name: 'Hana' } }),
      published('article', 50, { title: 'a' }, { en: { title: 'b' } }),
      ...notes(130),
    ],
    models: {
      author: { name: title },
      article: { title, author: field.reference('author') },
      note: { title },
    },
    collection: { model: 'author', lang: 'en' },
    before: ({ contents }) => contents.edit(AUTHOR, { name: 'Hanako' }),
    hide: ({ contents }) => contents.archive(AUTHOR),
    show: ({ contents }) => contents.restore(AUTHOR),
  });
  expect(wrong).toEqual([]);
});
