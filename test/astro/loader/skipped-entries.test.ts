import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const MODELS = {
  author: { name: field.text({ title: true, required: true }) },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author', { required: true }),
    related: field.reference('article'),
  },
  event: { title: field.text({ title: true }), article: field.reference('article', { required: true }) },
};
const SKIP = { space: { onInvalid: 'skip', models: MODELS } };
/** The service accepts what the models of the site do not. */
const SERVICE = {
  author: { name: field.text({ title: true }) },
  article: { ...MODELS.article, author: field.reference('author') },
  event: { ...MODELS.event, article: field.reference('article') },
};

function openSite() {
  const article = (id: number, values: object) => ({
    id,
    model: 'article',
    title: `A${id}`,
    author: 1,
    ...values,
  });
  return openTestSite(SERVICE, [
    { id: 1, model: 'author', name: 'Mori' },
    { id: 2, model: 'author', name: 'Sato' },
    article(301, {}),
    article(302, { related: 307 }),
    article(303, { related: 301 }),
    article(307, { author: null }),
    { id: 401, model: 'event', title: 'E401', article: 307 },
    { id: 402, model: 'event', title: 'E402', article: 307 },
    { id: 403, model: 'event', title: 'E403', article: 302 },
  ]);
}

type Site = ReturnType<typeof openSite>;
const idsOf = (site: Site, collection: string) => Object.keys(site.entries(collection)).sort();
const dataOf = (site: Site, collection: string, id: string) => site.entries(collection)[id]?.data ?? {};
const skipLines = (lines: readonly string[]) => lines.filter((line) => line.includes(' skipped. '));

describe("with onInvalid: 'skip'", () => {
  const BOTH = { articles: { model: 'article', depth: 2 }, events: { model: 'event', depth: 2 } };

  test('an optional reference to an invalid item is empty, and its referrer stays', async () => {
    const site = openSite();
    await site.build(BOTH, SKIP);
    expect(idsOf(site, 'articles')).toEqual(['301', '302', '303']);
    expect(dataOf(site, 'articles', '302')).toMatchObject({ related: null });
    expect(dataOf(site, 'articles', '303')).toMatchObject({ related: { _id: 301 } });
    expect(dataOf(site, 'events', '403')).toMatchObject({ article: { _id: 302, related: null } });
  });

  test('every entry that is skipped is counted, and its reason is named', async () => {
    const site = openSite();
    const lines = await site.build(BOTH, SKIP);
    expect(idsOf(site, 'events')).toEqual(['403']);
    const [articles, events] = skipLines(lines).sort();
    expect(articles).toContain('articles: 1 entry is skipped. 1 item does not match the declared models:');
    expect(articles).toContain('article.author: 1 item');
    expect(events).toContain('events: 2 entries are skipped.');
    expect(events).toContain('article 307 "A307"');
    expect(events).toMatch(/^ {2}2 events are skipped because article 307 is$/m);
  });

  test('an entry of a chain of required references is skipped for what is wrong at its end', async () => {
    const site = openSite();
    site.service.contents.edit(1, { name: '' });
    const lines = await site.build({ events: { model: 'event', depth: 2 } }, SKIP);
    expect(idsOf(site, 'events')).toEqual([]);
    expect(skipLines(lines).join()).toContain('1 event is skipped because author 1 is');
  });

  test('content below the depth is not checked', async () => {
    const site = openSite();
    site.service.contents.edit(1, { name: '' });
    await site.build({ events: { model: 'event', depth: 1 } }, SKIP);
    expect(dataOf(site, 'events', '403')).toMatchObject({ article: { author: 1 } });
  });

  test('a build with nothing changed leaves the same entries and digests, and warns again', async () => {
    const site = openSite();
    const collections = {
      articles: { model: 'article', neighbours: { order: 'title' }, langs: ['ja', 'en'], fallback: true },
      events: { model: 'event', neighbours: { order: '-title' }, fields: ['title'] },
    };
    const first = await site.build(collections, SKIP);
    const wanted = structuredClone([site.entries('articles'), site.entries('events')]);
    expect(wanted).toEqual([
      (await site.buildAnew(collections, SKIP)).entries('articles'),
      (await site.buildAnew(collections, SKIP)).entries('events'),
    ]);
    for (let build = 2; build <= 5; build++) {
      const lines = await site.build(collections, SKIP);
      expect([site.entries('articles'), site.entries('events')], `build ${build}`).toEqual(wanted);
      expect(skipLines(lines)).toEqual(skipLines(first));
    }
  });

  test('an edit makes only the entries again that show it, although another is invalid', async () => {
    const site = openSite();
    await site.build(BOTH, SKIP);
    site.service.clock.advance(60_000);
    site.service.contents.edit(303, { title: 'Other' });
    const lines = await site.build(BOTH, SKIP);
    expect(lines).toContain('articles: 1 entry made again');
    expect(site.entries('articles')).toEqual((await site.buildAnew(BOTH, SKIP)).entries('articles'));
  });

  test.each([
    ['is corrected', (site: Site) => site.service.contents.edit(307, { author: 1 })],
    ['becomes invalid', (site: Site) => site.service.contents.edit(301, { author: null })],
    ['loses the author that it must have', (site: Site) => site.service.contents.archive(1)],
    ['is deleted', (site: Site) => site.service.contents.remove(307)],
  ])('after an entry %s, an incremental build equals a new one', async (_, change) => {
    const site = openSite();
    const collections = {
      ...BOTH,
      linked: { model: 'event', depth: 0, references: { article: 'articles' } },
    };
    await site.build(collections, SKIP);
    site.service.clock.advance(60_000);
    change(site);
    await site.build(collections, SKIP);
    const anew = await site.buildAnew(collections, SKIP);
    for (const name of Object.keys(collections)) expect(site.entries(name)).toEqual(anew.entries(name));
  });

  test('a reference to an entry of another collection is null if that is skipped there', async () => {
    const site = openSite();
    const linked = { model: 'event', depth: 0, references: { article: 'articles' } };
    await site.build({ articles: BOTH.articles, linked }, SKIP);
    const links = Object.values(site.entries('linked')).map(({ data }) => data.article);
    expect(links).toEqual([null, null, { collection: 'articles', id: '302' }]);
  });

  test('an id that a skipped entry would have is not taken', async () => {
    const site = openSite();
    site.service.contents.edit(307, { title: 'A301' });
    const lines = await site.build({ articles: { model: 'article', id: 'title' } }, SKIP);
    expect(idsOf(site, 'articles')).toEqual(['A301', 'A302', 'A303']);
    expect(lines.join()).not.toContain('used by several items');
  });

  test('an item without an id is skipped for that, whether it is valid or not', async () => {
    const site = openSite();
    const articles = { model: 'article', id: 'related' };
    const lines = await site.build({ articles }, SKIP);
    expect(Object.keys(site.entries('articles')).sort()).toEqual(['301', '307']);
    expect(lines.join('\n')).toContain('article 307 "A307" has no id');
    expect(lines.join('\n')).not.toContain('article.author');
  });

  test("the next build with onInvalid: 'fail' fails, although no content changed", async () => {
    const site = openSite();
    await site.build(BOTH, SKIP);
    const lines = await site.build(BOTH, { space: { models: MODELS } });
    expect(lines.at(-1)).toMatch(/^LuidContentError: 2 collections cannot be loaded:/);
  });
});

describe('content of several collections that is invalid', () => {
  const FAIL = { space: { models: MODELS } };

  test('is one error with all of them, and with each hint once', async () => {
    const site = openSite();
    const collections = { articles: { model: 'article', id: 'related' }, events: { model: 'event' } };
    const lines = await site.build(collections, FAIL);
    const errors = lines.filter((line) => line.includes('Error'));
    // Astro prints the first.
    expect(new Set(errors).size).toBe(1);
    expect(errors[0]).toContain('2 collections cannot be loaded:');
    expect(errors[0]).toMatch(/^articles: 2 items have no usable id:$/m);
    expect(errors[0]).toMatch(/^events: 1 item does not match the declared models:$/m);
    expect(errors[0]?.match(/→ Run `npx luid check`/g)).toHaveLength(1);
  });

  test('does not keep the other collections from being stored', async () => {
    const site = openSite();
    await site.build({ authors: { model: 'author' }, events: { model: 'event' } }, FAIL);
    expect(idsOf(site, 'authors')).toEqual(['1', '2']);
    expect(idsOf(site, 'events')).toEqual([]);
  });

  test('is an error like any other if it is one collection', async () => {
    const lines = await openSite().build({ authors: { model: 'author' }, events: { model: 'event' } }, FAIL);
    expect(lines.at(-1)).toMatch(/^LuidContentError: 1 item does not match the declared models:/);
  });
});

describe('entries that refer to each other', () => {
  const RELATED = {
    page: { title: field.text({ title: true }), to: field.repeat({ page: field.reference('page') }) },
  };
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  const open = () =>
    openTestSite(
      RELATED,
      ids.map((id) => ({
        id,
        model: 'page',
        title: `P${id}`,
        to: ids.filter((other) => other !== id).map((page) => ({ page })),
      })),
    );

  test('are an error if one embeds more than maxEmbedded, which names the entry, the path and what to do', async () => {
    const error = (await open().build({ pages: { model: 'page', depth: 4 } })).at(-1);
    expect(error).toContain('20 items embed too much content:');
    expect(error).toContain('page.to[].page: 20 items');
    expect(error).toMatch(
      /page 1 "P1" to\[\d+\]\.page: embeds 137,560 items at depth 4, most of them through this field/,
    );
    expect(error).toContain('Lower the `depth` of the loader');
  });

  test('are skipped with onInvalid: skip, and the others stay', async () => {
    const site = open();
    const lines = await site.build(
      { pages: { model: 'page', depth: 4 }, flat: { model: 'page', depth: 1 } },
      { space: { onInvalid: 'skip' } },
    );
    expect(lines.join()).toContain('pages: 20 entries are skipped. 20 items embed too much content:');
    expect(Object.keys(site.entries('flat'))).toHaveLength(20);
    expect(Object.keys(site.entries('pages'))).toEqual([]);
  });

  test.each([
    [379, 'is an error'],
    [380, 'is stored'],
  ])('with maxEmbedded: %i, one that embeds 380 items %s', async (maxEmbedded, result) => {
    const site = open();
    await site.build({ pages: { model: 'page', depth: 2, maxEmbedded } });
    expect(Object.keys(site.entries('pages'))).toHaveLength(result === 'is stored' ? 20 : 0);
  });
});
