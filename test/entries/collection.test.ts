import { describe, expect, test } from 'vitest';
import { planBacklinks } from '../../src/astro/loader/backlink-options.ts';
import type { WireContent } from '../../src/contract/content.ts';
import { type CollectionOptions, type CollectionRule, collectEntries } from '../../src/entries/collection.ts';
import { compileFilter } from '../../src/entries/filter.ts';
import { compileOrder } from '../../src/entries/order.ts';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { wire } from '../models/content.ts';
import { itemsInLanguage, itemsWithoutLanguage } from './test-language-items.ts';

const models = {
  author: { name: field.text(), hidden: field.boolean(), slug: field.text() },
  article: { slug: field.text(), author: field.reference('author'), kind: field.text() },
} as const satisfies ModelMap;

const everything = () => true;
const bySlug = {
  id: 'slug',
  filter: everything,
  filterReach: 1,
  lang: undefined,
  langs: undefined,
  fallback: false,
};
const articles: CollectionRule = { model: 'article', fields: models.article, ...bySlug };
const authors: CollectionRule = { model: 'author', fields: models.author, ...bySlug };

function collect(options: Partial<CollectionOptions>) {
  return collectEntries({
    rule: articles,
    languages: [],
    langsOf: undefined,
    targetItems: () => undefined,
    order: undefined,
    references: new Map(),
    ...options,
  });
}

const article = (id: number, fields: Record<string, unknown> = {}) =>
  wire('article', { _title: `Article ${id}`, slug: `a-${id}`, ...fields }, id);
const author = (id: number, fields: Record<string, unknown> = {}) =>
  wire('author', { slug: `by-${id}`, ...fields }, id);
const ids = ({ entries }: { entries: readonly { id: string }[] }) => entries.map(({ id }) => id);

describe('a collection contains', () => {
  test('the items of its model, with the ids of its rule', () => {
    const languageItems = itemsWithoutLanguage(article(1), author(2), article(3));
    const { entries, withoutId, duplicates } = collect({ languages: [languageItems] });
    expect(entries).toEqual([
      { id: 'a-1', item: languageItems.get(1), languageItems, computed: {} },
      { id: 'a-3', item: languageItems.get(3), languageItems, computed: {} },
    ]);
    expect(withoutId).toEqual([]);
    expect(duplicates).toEqual(new Map());
    expect(ids(collect({ rule: { ...articles, id: undefined }, languages: [languageItems] }))).toEqual([
      '1',
      '3',
    ]);
  });

  test('only items that match its filter, also by fields of referenced content', () => {
    const filter = compileFilter(models, 'article', { 'author.hidden': { eq: false } });
    const languageItems = itemsWithoutLanguage(
      article(1, { author: 8 }),
      article(2, { author: 9 }),
      author(8, { hidden: true }),
      author(9, { hidden: false }),
    );
    expect(ids(collect({ rule: { ...articles, filter }, languages: [languageItems] }))).toEqual(['a-2']);
  });

  test('no entry for an item without a usable id, which is reported with a reason', () => {
    const languageItems = itemsWithoutLanguage(
      article(1, { slug: '' }),
      article(2),
      article(3, { slug: '../x' }),
    );
    const { entries, withoutId } = collect({ languages: [languageItems] });
    expect(entries.map(({ id }) => id)).toEqual(['a-2']);
    expect(withoutId).toEqual([
      { item: languageItems.get(1), problem: 'has no id: the field slug is ""' },
      {
        item: languageItems.get(3),
        problem: expect.stringContaining('has an id with a "." or ".." path segment'),
      },
    ]);
  });

  test('an entry for each of several items with the same id, which are reported together', () => {
    const languageItems = itemsWithoutLanguage(
      article(1, { slug: 'x' }),
      article(2),
      article(3, { slug: 'x' }),
      article(4, { slug: 'x' }),
    );
    const { entries, duplicates } = collect({ languages: [languageItems] });
    expect(entries).toHaveLength(4);
    expect([...duplicates]).toEqual([
      ['x', [languageItems.get(1), languageItems.get(3), languageItems.get(4)]],
    ]);
  });
});

describe('languages', () => {
  const japanese = [article(1, { title: 'ja' }), article(2, { title: 'ja' })];
  const english = [article(2, { title: 'en' })];
  const rule: CollectionRule = { ...articles, langs: ['ja', 'en'] };
  const langsOf = (id: number) => (id === 2 ? ['ja', 'en'] : ['ja']);
  const ja = itemsInLanguage('ja', japanese);

  test('prefix the ids, and each entry lists those of its item', () => {
    const { entries } = collect({ rule, langsOf, languages: [ja, itemsInLanguage('en', english)] });
    expect(entries.map(({ id, computed }) => ({ id, ...computed }))).toEqual([
      { id: 'ja/a-1', _lang: 'ja', _fallback: false, _langs: { current: 'ja', available: ['ja'] } },
      { id: 'ja/a-2', _lang: 'ja', _fallback: false, _langs: { current: 'ja', available: ['ja', 'en'] } },
      { id: 'en/a-2', _lang: 'en', _fallback: false, _langs: { current: 'en', available: ['ja', 'en'] } },
    ]);
  });

  test('with fallback mark entries in the main language, which is their current one', () => {
    const { entries } = collect({ rule, langsOf, languages: [itemsInLanguage('en', english, japanese)] });
    expect(entries.map(({ id, computed }) => ({ id, ...computed }))).toEqual([
      { id: 'en/a-2', _lang: 'en', _fallback: false, _langs: { current: 'en', available: ['ja', 'en'] } },
      { id: 'en/a-1', _lang: 'en', _fallback: true, _langs: { current: 'ja', available: ['ja'] } },
    ]);
  });

  test('default to the requested one if those of an item are not known', () => {
    const languages = [itemsInLanguage('en', [], japanese)];
    const { entries } = collect({ rule, langsOf: () => [], languages });
    expect(entries[0]?.computed._langs).toEqual({ current: 'en', available: [] });
  });

  test('are omitted if there is only one, or those of an item are not known', () => {
    const single = collect({ langsOf, languages: [itemsWithoutLanguage(article(1))] });
    expect(single.entries.map(({ id, computed }) => ({ id, computed }))).toEqual([
      { id: 'a-1', computed: {} },
    ]);
    expect(collect({ rule, languages: [ja] }).entries[0]?.computed).toEqual({});
  });

  test('that the collection does not have add no entries', () => {
    expect(ids(collect({ rule: { ...rule, langs: ['en'] }, languages: [ja] }))).toEqual([]);
    expect(ids(collect({ rule, languages: [itemsWithoutLanguage(...japanese)] }))).toEqual([]);
    expect(ids(collect({ rule: articles, languages: [ja] }))).toEqual(['a-1', 'a-2']);
  });
});

describe('neighbours', () => {
  const order = compileOrder(models, 'article', 'kind');
  const near = (...items: WireContent[]) =>
    collect({ order, languages: [itemsWithoutLanguage(...items)] }).entries.map(
      ({ id, computed: { _prev, _next } }) => [_prev?.id ?? null, id, _next?.id ?? null],
    );

  test('are the entries before and after in the order', () => {
    expect(near(article(1, { kind: 'c' }), article(2, { kind: 'a' }), article(3, { kind: 'b' }))).toEqual([
      [null, 'a-2', 'a-3'],
      ['a-2', 'a-3', 'a-1'],
      ['a-3', 'a-1', null],
    ]);
  });

  test('have the content id, the title and the id of their entries', () => {
    const { entries } = collect({ order, languages: [itemsWithoutLanguage(article(1), article(2))] });
    expect(entries[0]?.computed).toEqual({ _prev: null, _next: { _id: 2, _title: 'Article 2', id: 'a-2' } });
    expect(entries[1]?.computed).toEqual({ _prev: { _id: 1, _title: 'Article 1', id: 'a-1' }, _next: null });
  });

  test('of equal rank are ordered by id', () => {
    const chain = [
      [null, 'a-1', 'a-2'],
      ['a-1', 'a-2', 'a-3'],
      ['a-2', 'a-3', null],
    ];
    expect(near(article(1), article(2), article(3))).toEqual(chain);
    expect(near(article(3), article(1), article(2))).toEqual(chain);
  });

  test('are entries of the same collection and language', () => {
    const filter = compileFilter(models, 'article', { kind: { in: ['a', 'c'] } });
    const rule: CollectionRule = { ...articles, filter, langs: ['ja', 'en'] };
    const items = [article(1, { kind: 'a' }), article(2, { kind: 'b' }), article(3, { kind: 'c' })];
    const languages = [itemsInLanguage('ja', items), itemsInLanguage('en', items)];
    const { entries } = collect({ rule, order, languages });
    expect(entries.map(({ id, computed: { _next } }) => [id, _next?.id])).toEqual([
      ['ja/a-1', 'ja/a-3'],
      ['ja/a-3', undefined],
      ['en/a-1', 'en/a-3'],
      ['en/a-3', undefined],
    ]);
  });

  test('are absent without an order, and items keep their order', () => {
    const { entries } = collect({ languages: [itemsWithoutLanguage(article(3), article(1))] });
    expect(entries.map(({ id, computed }) => ({ id, computed }))).toEqual([
      { id: 'a-3', computed: {} },
      { id: 'a-1', computed: {} },
    ]);
  });
});

describe('a reference into another collection', () => {
  const pointerOf = (
    value: unknown,
    rule: CollectionRule,
    languageItems = itemsWithoutLanguage(author(8), author(9)),
  ) => {
    const items = [...languageItems.values(), article(1, { author: value })];
    const own =
      languageItems.lang === undefined
        ? itemsWithoutLanguage(...items)
        : itemsInLanguage(languageItems.lang, items);
    const references = new Map([['author', { collection: 'people', rule }]]);
    const langs = languageItems.lang === undefined ? undefined : [languageItems.lang];
    const options = { rule: { ...articles, langs }, languages: [own], targetItems: () => own, references };
    return collect(options).entries[0]?.computed;
  };

  test('is the collection and the id of its entry there', () => {
    expect(pointerOf(9, authors)).toEqual({ author: { collection: 'people', id: 'by-9' } });
    expect(pointerOf(9, { ...authors, id: undefined })).toEqual({
      author: { collection: 'people', id: '9' },
    });
  });

  test('is empty if the other collection filters its target out', () => {
    const filter = compileFilter(models, 'author', { hidden: { eq: false } });
    const languageItems = itemsWithoutLanguage(author(8, { hidden: true }), author(9, { hidden: false }));
    expect(pointerOf(8, { ...authors, filter }, languageItems)).toEqual({ author: null });
    expect(pointerOf(9, { ...authors, filter }, languageItems)).toEqual({
      author: { collection: 'people', id: 'by-9' },
    });
  });

  test('is empty if its target is missing, of another model, or has no usable id', () => {
    expect(pointerOf(7, authors)).toEqual({ author: null });
    expect(pointerOf(null, authors)).toEqual({ author: null });
    expect(pointerOf('9', authors)).toEqual({ author: null });
    expect(pointerOf(9, articles)).toEqual({ author: null });
    expect(pointerOf(9, authors, itemsWithoutLanguage(author(9, { slug: '' })))).toEqual({ author: null });
  });

  test('is in the entry’s language, if the other collection has it', () => {
    const languageItems = itemsInLanguage('en', [author(9)]);
    const pointer = { collection: 'people', id: 'en/by-9' };
    expect(pointerOf(9, { ...authors, langs: ['ja', 'en'] }, languageItems)).toEqual({ author: pointer });
    expect(pointerOf(9, { ...authors, langs: ['ja'] }, languageItems)).toEqual({ author: null });
    expect(pointerOf(9, authors, languageItems)).toEqual({ author: { ...pointer, id: 'by-9' } });
  });
});

test('entries list the items that refer to them, in each language', () => {
  const backlinkRules = planBacklinks('test', models, 'author', {
    articles: { from: 'article', by: 'author' },
  });
  const [japanese, english] = [
    itemsInLanguage('ja', [author(8), article(1, { author: 8 })]),
    itemsInLanguage('en', [author(8), article(2, { author: 8 })]),
  ];
  const { entries } = collect({ rule: authors, languages: [japanese, english], backlinkRules });
  expect(entries.map(({ id, backlinks }) => ({ id, backlinks }))).toEqual([
    { id: 'by-8', backlinks: [{ name: 'articles', depth: 0, items: [japanese.get(1)] }] },
    { id: 'by-8', backlinks: [{ name: 'articles', depth: 0, items: [english.get(2)] }] },
  ]);
});
