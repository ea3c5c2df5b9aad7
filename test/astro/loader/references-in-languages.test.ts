import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite, type SiteCollections } from './test-site.ts';

const MODELS = {
  person: { slug: field.text() },
  article: { title: field.text({ title: true }), author: field.reference('person') },
};

/** Mori has a slug in each language, Berg is not translated; there is an article by each, in both languages. */
const openSite = () =>
  openTestSite(MODELS, [
    { id: 1, model: 'person', published: { ja: { slug: 'mori' }, en: { slug: 'forest' } } },
    { id: 2, model: 'person', published: { ja: { slug: 'berg' } } },
    {
      id: 11,
      model: 'article',
      published: { ja: { title: 'Tea', author: 1 }, en: { title: 'Tea', author: 1 } },
    },
    {
      id: 12,
      model: 'article',
      published: { ja: { title: 'Sea', author: 2 }, en: { title: 'Sea', author: 2 } },
    },
  ]);

const collectionsOf = (articles: object, people: object): SiteCollections => ({
  articles: { model: 'article', references: { author: 'people' }, ...articles },
  people: { model: 'person', id: 'slug', ...people },
});

const BOTH = { langs: ['ja', 'en'] };
const NAMES = {
  main: { '11': 'mori', '12': 'berg' },
  english: { '11': 'forest', '12': null },
  englishOrMain: { '11': 'forest', '12': 'berg' },
};
/** As the ids of a collection in several languages. */
const both = (japanese: object, english: object) => ({
  ...Object.fromEntries(Object.entries(japanese).map(([id, name]) => [`ja/${id}`, name])),
  ...Object.fromEntries(Object.entries(english).map(([id, name]) => [`en/${id}`, name])),
});
const prefixed = (lang: string, names: object) =>
  Object.fromEntries(Object.entries(names).map(([id, name]) => [id, name && `${lang}/${name}`]));

describe('a reference to another collection is the id that its target has there', () => {
  test.each([
    ['several languages to the main one', BOTH, {}, both(NAMES.main, NAMES.main)],
    ['several languages to one', BOTH, { lang: 'en' }, both(NAMES.english, NAMES.english)],
    [
      'several languages to one that falls back',
      BOTH,
      { lang: 'en', fallback: true },
      both(NAMES.englishOrMain, NAMES.englishOrMain),
    ],
    [
      'entries that fall back to a collection that does not',
      { ...BOTH, fallback: true },
      BOTH,
      both(prefixed('ja', NAMES.main), prefixed('en', NAMES.english)),
    ],
    [
      'entries that do not fall back to a collection that does',
      BOTH,
      { ...BOTH, fallback: true },
      both(prefixed('ja', NAMES.main), prefixed('en', NAMES.englishOrMain)),
    ],
    ['a collection without languages to the main one of several', {}, BOTH, prefixed('ja', NAMES.main)],
    ['a collection without languages to the main one by its key', {}, { lang: 'ja' }, NAMES.main],
    ['one language to the main one', { lang: 'en' }, {}, NAMES.main],
    ['one language to several', { lang: 'en' }, BOTH, prefixed('en', NAMES.english)],
    [
      'a language that it does not have',
      BOTH,
      { langs: ['ja'] },
      both(prefixed('ja', NAMES.main), { '11': null, '12': null }),
    ],
  ])('%s', async (_, articles, people, names) => {
    const site = openSite();
    const collections = collectionsOf(articles, people);
    await site.build(collections);
    const idsOf = () =>
      Object.fromEntries(
        Object.entries(site.entries('articles')).map(([id, { data }]) => [
          id,
          (data.author as { id: string } | null)?.id ?? null,
        ]),
      );
    expect(idsOf()).toEqual(names);
    const entries = Object.keys(site.entries('people'));
    for (const id of Object.values(idsOf())) if (id !== null) expect(entries).toContain(id);

    site.service.clock.advance(3_600_000);
    site.service.contents.edit(1, { slug: 'wood' }, { lang: 'en' });
    site.service.contents.edit(2, { slug: 'mountain' });
    await site.build(collections);
    const anew = await site.buildAnew(collections);
    expect(site.entries('articles')).toEqual(anew.entries('articles'));
    expect(JSON.stringify(idsOf())).not.toMatch(/forest|berg/);
  });
});

test('a reference to content that the other collection does not contain is empty', async () => {
  const models = {
    ...MODELS,
    shop: { slug: field.text() },
    page: { title: field.text({ title: true }), about: field.reference() },
  };
  const site = openTestSite(models, [
    { id: 1, model: 'person', slug: 'mori' },
    { id: 2, model: 'person', slug: 'hidden' },
    { id: 3, model: 'shop', slug: 'mori' },
    ...[1, 2, 3, 99].map((about) => ({ id: 20 + about, model: 'page', title: `${about}`, about })),
  ]);
  await site.build({
    pages: { model: 'page', id: 'title', references: { about: 'people' } },
    people: { model: 'person', id: 'slug', where: { slug: { eq: 'mori' } } },
  });
  const about = Object.values(site.entries('pages')).map(({ id, data }) => [id, data.about]);
  expect(Object.fromEntries(about)).toEqual({
    '1': { collection: 'people', id: 'mori' },
    '2': null,
    '3': null,
    '99': null,
  });
});

describe('a reference to another collection is an error if', () => {
  const errorsOf = (articles: object, people: object) => openSite().build(collectionsOf(articles, people));

  test('that is in a language which is not read for this one', async () => {
    const [error] = (await errorsOf({}, { lang: 'en' })).filter((line) => line.includes('references'));
    expect(error).toContain(
      'articles: references.author leads to "people", which has lang: "en", and this collection uses no languages',
    );
  });

  test.each([
    [{}, { drafts: true }, 'which has drafts, and this collection has published content'],
    [{ drafts: true }, {}, 'which has published content, and this collection has drafts'],
  ])('only one of them has drafts: %j to %j', async (articles, people, message) => {
    expect((await errorsOf(articles, people)).join('\n')).toContain(message);
  });

  test('not if both have them', async () => {
    expect((await errorsOf({ drafts: true }, { drafts: true })).join('\n')).not.toContain('references.');
  });
});
