import { describe, expect, test } from 'vitest';
import { planBacklinks } from '../../src/astro/loader/backlink-options.ts';
import type { WireContent } from '../../src/contract/content.ts';
import { indexBacklinks } from '../../src/entries/backlinks.ts';
import type { LanguageItems } from '../../src/entries/language-items.ts';
import { field } from '../../src/index.ts';
import { wire } from '../models/content.ts';
import { itemsInLanguage, itemsWithoutLanguage } from './test-language-items.ts';

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
function listsOf(
  target: number,
  backlinks: Parameters<typeof planBacklinks>[3],
  languageItems: LanguageItems,
  model = 'author',
) {
  const rules = planBacklinks('test', MODELS, model, backlinks);
  const lists = indexBacklinks(rules, languageItems, languageItems.values()).of(target, languageItems);
  return Object.fromEntries(lists.map(({ name, items }) => [name, items.map(({ _id }) => _id)]));
}

const ARTICLES = { from: 'article', by: 'author' };
const items = (...all: WireContent[]) => itemsWithoutLanguage(author(1), author(2), ...all);

describe('the backlinks of an item', () => {
  test('are what refers to it by that field, of that model', () => {
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
    expect(listsOf(1, backlinks, found)).toEqual({ articles: [10], subjects: [12], students: [13] });
  });

  test('are empty lists if nothing refers to it', () => {
    expect(listsOf(2, { articles: ARTICLES }, items(article(10, { author: 1 })))).toEqual({ articles: [] });
    expect(listsOf(2, { articles: ARTICLES }, items())).toEqual({ articles: [] });
  });

  test('contain an item once, however often it refers to it, and the item itself if it does', () => {
    const related = [{ article: 10 }, { article: 11 }, { article: 10 }];
    const found = items(article(10, { related }), article(11, { related }));
    const backlinks = { referring: { from: 'article', by: 'related.article', order: '_id' } };
    expect(listsOf(10, backlinks, found, 'article')).toEqual({ referring: [10, 11] });
  });

  test('are the newest first; of the same time, those with the lowest id', () => {
    const at = (id: number, _created_at: string) => article(id, { author: 1, _created_at });
    const found = items(
      at(12, '2026-01-01T00:00:00Z'),
      at(11, '2026-01-02T00:00:00Z'),
      at(14, '2026-01-01T00:00:00Z'),
      at(13, '2026-01-01T00:00:00Z'),
    );
    expect(listsOf(1, { articles: ARTICLES }, found)).toEqual({ articles: [11, 12, 13, 14] });
  });

  test('have the order of the option, and as many as the limit', () => {
    const ranks = ['b', 'a', 'c', 'a', ''];
    const found = items(...ranks.map((rank, index) => article(10 + index, { author: 1, rank })));
    const listed = (more: object) => listsOf(1, { articles: { ...ARTICLES, ...more } }, found).articles;
    expect(listed({ order: 'rank' })).toEqual([11, 13, 10, 12, 14]);
    expect(listed({ order: ['-rank', '-_id'] })).toEqual([14, 12, 10, 13, 11]);
    expect(listed({ order: 'rank', limit: 3 })).toEqual([11, 13, 10]);
    expect(listed({ order: 'rank', limit: 1 })).toEqual([11]);
    expect(listed({ order: 'rank', limit: 99 })).toHaveLength(5);
  });

  test('match the filter, also through a reference', () => {
    const found = items(
      article(10, { author: 1, rank: 'a', about: 2 }),
      article(11, { author: 1, rank: 'b' }),
      article(12, { author: 1, rank: 'a', about: 1 }),
    );
    const listed = (where: object) =>
      listsOf(1, { articles: { ...ARTICLES, where, order: '_id' } }, found).articles;
    expect(listed({ rank: { eq: 'a' } })).toEqual([10, 12]);
    expect(listed({ 'about.name': { eq: 'author 2' } })).toEqual([10]);
  });

  test('do not list a referrer that the language no longer has', () => {
    const [before, after] = [
      items(article(10, { author: 1 }), article(11, { author: 1 })),
      items(article(11)),
    ];
    const rules = planBacklinks('test', MODELS, 'author', { articles: ARTICLES });
    expect(indexBacklinks(rules, before, before.values()).of(1, after)).toEqual([
      { name: 'articles', depth: 0, items: [article(11)] },
    ]);
  });

  test('are in the language of the entry, or fall back to the main one', () => {
    const main = [author(1), author(2), article(10, { author: 1 }), article(11, { author: 1 })];
    const english = [article(10, { author: 2 })];
    const [plain, fallback] = [itemsInLanguage('en', english), itemsInLanguage('en', english, main)];
    const backlinks = { articles: ARTICLES };
    expect(listsOf(1, backlinks, plain)).toEqual({ articles: [] });
    expect(listsOf(2, backlinks, plain)).toEqual({ articles: [10] });
    expect(listsOf(1, backlinks, fallback)).toEqual({ articles: [11] });
    expect(listsOf(2, backlinks, fallback)).toEqual({ articles: [10] });
  });
});
