import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import { wire } from '../../models/content.ts';
import { contentOf, openView, type TestItems, testCollection } from './open-view.ts';

const MODELS = {
  author: { name: field.text({ title: true }), mentor: field.reference('author') },
  article: {
    title: field.text({ title: true }),
    rank: field.text(),
    author: field.reference('author'),
    about: field.reference(),
    related: field.repeat({ article: field.reference('article') }),
  },
};

const author = (id: number, values: object = {}) => wire('author', { name: `author ${id}`, ...values }, id);
const article = (id: number, values: object = {}) =>
  wire('article', { title: `article ${id}`, ...values }, id);

/** The ids in each list of an item. */
async function listsOf(
  target: number,
  backlinks: object,
  content: TestItems,
  model = 'author',
  options: object = {},
) {
  const collection = testCollection(MODELS, model, { backlinks, ...options });
  const view = await openView(collection, await contentOf(MODELS, content));
  const member = view.member(0, target);
  const { backlinks: lists = [] } = member ? view.entryOf(member) : {};
  return Object.fromEntries(lists.map(({ name, items: found }) => [name, found.map(({ _id }) => _id)]));
}

const ARTICLES = { from: 'article', by: 'author' };
const items = (...all: WireContent[]): TestItems => ({ main: [author(1), author(2), ...all] });

describe('the backlinks of an item', () => {
  test('are what refers to it by that field, of that model', async () => {
    const found = items(
      article(10, { author: 1 }),
      article(11, { author: 2 }),
      article(12, { author: 2, about: 1 }),
      author(13, { mentor: 1 }),
    );
    const backlinks = {
      articles: ARTICLES,
      subjects: { from: 'article', by: 'about' },
      students: { from: 'author', by: 'mentor' },
    };
    expect(await listsOf(1, backlinks, found)).toEqual({ articles: [10], subjects: [12], students: [13] });
  });

  test('are empty lists if nothing refers to it', async () => {
    expect(await listsOf(2, { articles: ARTICLES }, items(article(10, { author: 1 })))).toEqual({
      articles: [],
    });
    expect(await listsOf(2, { articles: ARTICLES }, items())).toEqual({ articles: [] });
  });

  test('contain an item once, however often it refers to it, and the item itself if it does', async () => {
    const related = [{ article: 10 }, { article: 11 }, { article: 10 }];
    const found = items(article(10, { related }), article(11, { related }));
    const backlinks = { referring: { from: 'article', by: 'related.article', order: '_id' } } as const;
    expect(await listsOf(10, backlinks, found, 'article')).toEqual({ referring: [10, 11] });
  });

  test('are the newest first; of the same time, those with the lowest id', async () => {
    const at = (id: number, _created_at: string) => article(id, { author: 1, _created_at });
    const found = items(
      at(12, '2026-01-01T00:00:00Z'),
      at(11, '2026-01-02T00:00:00Z'),
      at(14, '2026-01-01T00:00:00Z'),
      at(13, '2026-01-01T00:00:00Z'),
    );
    expect(await listsOf(1, { articles: ARTICLES }, found)).toEqual({ articles: [11, 12, 13, 14] });
  });

  test('have the order of the option, and as many as the limit', async () => {
    const ranks = ['b', 'a', 'c', 'a', ''];
    const found = items(...ranks.map((rank, index) => article(10 + index, { author: 1, rank })));
    const listed = async (more: object) =>
      (await listsOf(1, { articles: { ...ARTICLES, ...more } }, found)).articles;
    expect(await listed({ order: 'rank' })).toEqual([11, 13, 10, 12, 14]);
    expect(await listed({ order: ['-rank', '-_id'] })).toEqual([14, 12, 10, 13, 11]);
    expect(await listed({ order: 'rank', limit: 3 })).toEqual([11, 13, 10]);
    expect(await listed({ order: 'rank', limit: 1 })).toEqual([11]);
    expect(await listed({ order: 'rank', limit: 99 })).toHaveLength(5);
  });

  test('match the filter, also through a reference', async () => {
    const found = items(
      article(10, { author: 1, rank: 'a', about: 2 }),
      article(11, { author: 1, rank: 'b' }),
      article(12, { author: 1, rank: 'a', about: 1 }),
    );
    const listed = async (where: object) =>
      (await listsOf(1, { articles: { ...ARTICLES, where, order: '_id' } }, found)).articles;
    expect(await listed({ rank: { eq: 'a' } })).toEqual([10, 12]);
    expect(await listed({ 'about.name': { eq: 'author 2' } })).toEqual([10]);
  });

  test('are in the language of the entry, or fall back to the main one', async () => {
    const main = [author(1), author(2), article(10, { author: 1 }), article(11, { author: 1 })];
    const sub = [author(1), author(2), article(10, { author: 2 })];
    const inEnglish = (target: number, fallback: boolean) =>
      listsOf(target, { articles: ARTICLES }, { main, sub }, 'author', { lang: 'en', fallback });
    expect(await inEnglish(1, false)).toEqual({ articles: [] });
    expect(await inEnglish(2, false)).toEqual({ articles: [10] });
    expect(await inEnglish(1, true)).toEqual({ articles: [11] });
    expect(await inEnglish(2, true)).toEqual({ articles: [10] });
  });
});
