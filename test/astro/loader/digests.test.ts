import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite, type SiteCollections } from './test-site.ts';

const MODELS = {
  author: { name: field.text({ title: true, required: true }), slug: field.text() },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author', { required: true }),
    editor: field.reference('author'),
    starts_at: field.datetime(),
  },
};

function openSite() {
  const site = openTestSite(MODELS, [
    { id: 1, model: 'author', name: 'Mori', slug: 'mori' },
    { id: 2, model: 'author', name: 'Berg', slug: 'berg' },
    { id: 11, model: 'article', title: 'Tea', author: 1, starts_at: '2026-05-01T00:00:00Z' },
    { id: 12, model: 'article', title: 'Train', author: 1, editor: 2, starts_at: '2026-06-01T00:00:00Z' },
  ]);
  const digests = () => Object.values(site.entries('articles')).map(({ digest }) => digest);
  return {
    ...site,
    /** The numbers of the articles whose digests a change and a build change. */
    async changedBy(collections: SiteCollections, change: () => void = () => {}) {
      const before = digests();
      site.service.clock.advance(60_000);
      change();
      await site.build(collections);
      return digests().flatMap((digest, index) => (digest === before[index] ? [] : [index + 11]));
    },
  };
}

describe('a field that `references` replaces', () => {
  const collections = {
    authors: { model: 'author', id: 'slug' },
    articles: { model: 'article', depth: 2, references: { author: 'authors' } },
  };

  test('does not change the digest if the referenced item is edited', async () => {
    const site = openSite();
    await site.build(collections);
    const rename = () => site.service.contents.edit(1, { name: 'Mori Aoi' });
    expect(await site.changedBy(collections, rename)).toEqual([]);
  });

  test('changes it if the id of the referenced entry changes', async () => {
    const site = openSite();
    await site.build(collections);
    const move = () => site.service.contents.edit(1, { slug: 'aoi' });
    expect(await site.changedBy(collections, move)).toEqual([11, 12]);
    expect(site.entries('articles')['11']?.data.author).toEqual({ collection: 'authors', id: 'aoi' });
  });

  test('leaves other references as they are', async () => {
    const site = openSite();
    await site.build(collections);
    const rename = () => site.service.contents.edit(2, { name: 'Berg Ito' });
    expect(await site.changedBy(collections, rename)).toEqual([12]);
    expect(site.entries('articles')['12']?.data.editor).toMatchObject({ name: 'Berg Ito' });
  });

  test('has to match the model nevertheless', async () => {
    const site = openSite();
    await site.build(collections);
    site.service.clock.advance(60_000);
    site.service.contents.archive(1);
    const lines = await site.build(collections);
    expect(lines.join('\n')).toContain('article.author: 2 items');
  });
});

describe('an option that decides which entries there are', () => {
  const articles = { model: 'article', depth: 0 };

  test('does not change the digests of those that stay', async () => {
    const site = openSite();
    const since = (time: string) => ({
      articles: { ...articles, where: { starts_at: { gte: new Date(time) } } },
    });
    await site.build(since('2026-01-20T00:00:00Z'));
    expect(await site.changedBy(since('2026-01-20T00:01:00Z'))).toEqual([]);
    const { digest } = site.entries('articles')['12'] ?? {};
    await site.build(since('2026-05-20T00:00:00Z'));
    expect(site.entries('articles')).toEqual({ 12: expect.objectContaining({ digest }) });
  });

  test('changes them if it shows in neighbours', async () => {
    const site = openSite();
    const neighbours = (order: string) => ({ articles: { ...articles, neighbours: { order } } });
    await site.build({ articles });
    expect(await site.changedBy(neighbours('title'))).toEqual([11, 12]);
    expect(await site.changedBy(neighbours('starts_at'))).toEqual([]);
    expect(await site.changedBy(neighbours('-starts_at'))).toEqual([11, 12]);
    expect(site.entries('articles')['11']?.data._prev).toMatchObject({ id: '12' });
  });
});

describe('an option that decides what entries show changes their digests', () => {
  const articles = { model: 'article', depth: 0 };
  const backlinks = { from: 'article', by: 'editor' };
  test.each([
    [articles, { ...articles, depth: 1 }],
    [articles, { ...articles, fields: ['title'] }],
    [articles, { ...articles, lang: 'ja' }],
    [articles, { ...articles, references: { editor: 'authors' } }],
    [articles, { ...articles, references: { author: 'articles' } }],
    [
      { model: 'author', backlinks: { edited: backlinks } },
      { model: 'author', backlinks: { works: backlinks } },
    ],
    [
      { model: 'author', backlinks: { edited: backlinks } },
      { model: 'author', backlinks: { edited: { ...backlinks, depth: 1 } } },
    ],
  ])('%j → %j', async (before, after) => {
    const site = openSite();
    const authors = { model: 'author' };
    await site.build({ authors, articles: before });
    expect(await site.changedBy({ authors, articles: after })).toEqual([11, 12]);
    const anew = await site.buildAnew({ authors, articles: after });
    expect(site.entries('articles')).toEqual(anew.entries('articles'));
  });
});
