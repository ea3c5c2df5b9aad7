import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { type CollectionOptions, type CollectionRule, entriesOf } from '../../src/entries/collection.ts';
import { compileFilter } from '../../src/entries/filter.ts';
import { compileOrder } from '../../src/entries/order.ts';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { wire } from '../models/content.ts';
import { corpusIn, corpusOf } from './test-language-items.ts';

const models = {
  author: { name: field.text(), hidden: field.boolean(), slug: field.text() },
  article: { slug: field.text(), author: field.reference('author'), kind: field.text() },
} as const satisfies ModelMap;

const everything = () => true;
const articles: CollectionRule = { model: 'article', id: 'slug', filter: everything, langs: undefined };
const authors: CollectionRule = { model: 'author', id: 'slug', filter: everything, langs: undefined };

function collect(options: Partial<CollectionOptions>) {
  return entriesOf({
    rule: articles,
    corpora: [],
    langsOf: undefined,
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

describe('a collection has', () => {
  test('the items of its model, under the ids that its rule gives them', () => {
    const corpus = corpusOf(article(1), author(2), article(3));
    const { entries, unnamed, duplicates } = collect({ corpora: [corpus] });
    expect(entries).toEqual([
      { id: 'a-1', item: corpus.get(1), corpus, extras: {} },
      { id: 'a-3', item: corpus.get(3), corpus, extras: {} },
    ]);
    expect(unnamed).toEqual([]);
    expect(duplicates).toEqual(new Map());
    expect(ids(collect({ rule: { ...articles, id: undefined }, corpora: [corpus] }))).toEqual(['1', '3']);
  });

  test('only what its filter lets through, also by what an item refers to', () => {
    const filter = compileFilter(models, 'article', { 'author.hidden': { eq: false } });
    const corpus = corpusOf(
      article(1, { author: 8 }),
      article(2, { author: 9 }),
      author(8, { hidden: true }),
      author(9, { hidden: false }),
    );
    expect(ids(collect({ rule: { ...articles, filter }, corpora: [corpus] }))).toEqual(['a-2']);
  });

  test('no entry for an item without a usable id, which is reported with the reason', () => {
    const corpus = corpusOf(article(1, { slug: '' }), article(2), article(3, { slug: '../x' }));
    const { entries, unnamed } = collect({ corpora: [corpus] });
    expect(entries.map(({ id }) => id)).toEqual(['a-2']);
    expect(unnamed).toEqual([
      { item: corpus.get(1), problem: 'has no id: the field slug is ""' },
      { item: corpus.get(3), problem: expect.stringContaining('has an id with a "." or ".." path segment') },
    ]);
  });

  test('an entry for each of several items with one id, which are reported together', () => {
    const corpus = corpusOf(
      article(1, { slug: 'x' }),
      article(2),
      article(3, { slug: 'x' }),
      article(4, { slug: 'x' }),
    );
    const { entries, duplicates } = collect({ corpora: [corpus] });
    expect(entries).toHaveLength(4);
    expect([...duplicates]).toEqual([['x', [corpus.get(1), corpus.get(3), corpus.get(4)]]]);
  });
});

describe('languages', () => {
  const japanese = [article(1, { title: 'ja' }), article(2, { title: 'ja' })];
  const english = [article(2, { title: 'en' })];
  const rule: CollectionRule = { ...articles, langs: ['ja', 'en'] };
  const langsOf = (id: number) => (id === 2 ? ['ja', 'en'] : ['ja']);
  const ja = corpusIn('ja', japanese);

  test('begin the ids, and each item says which ones it has', () => {
    const { entries } = collect({ rule, langsOf, corpora: [ja, corpusIn('en', english)] });
    expect(entries.map(({ id, extras }) => ({ id, ...extras }))).toEqual([
      { id: 'ja/a-1', _lang: 'ja', _fallback: false, _langs: { current: 'ja', available: ['ja'] } },
      { id: 'ja/a-2', _lang: 'ja', _fallback: false, _langs: { current: 'ja', available: ['ja', 'en'] } },
      { id: 'en/a-2', _lang: 'en', _fallback: false, _langs: { current: 'en', available: ['ja', 'en'] } },
    ]);
  });

  test('that are filled from the main one mark those entries, whose current language is the main one', () => {
    const { entries } = collect({ rule, langsOf, corpora: [corpusIn('en', english, japanese)] });
    expect(entries.map(({ id, extras }) => ({ id, ...extras }))).toEqual([
      { id: 'en/a-2', _lang: 'en', _fallback: false, _langs: { current: 'en', available: ['ja', 'en'] } },
      { id: 'en/a-1', _lang: 'en', _fallback: true, _langs: { current: 'ja', available: ['ja'] } },
    ]);
  });

  test('are the requested one where it is not known which an item has', () => {
    const corpora = [corpusIn('en', [], japanese)];
    const { entries } = collect({ rule, langsOf: () => [], corpora });
    expect(entries[0]?.extras._langs).toEqual({ current: 'en', available: [] });
  });

  test('are not told where there is one, or where it is not known which an item has', () => {
    const single = collect({ langsOf, corpora: [corpusOf(article(1))] });
    expect(single.entries.map(({ id, extras }) => ({ id, extras }))).toEqual([{ id: 'a-1', extras: {} }]);
    expect(collect({ rule, corpora: [ja] }).entries[0]?.extras).toEqual({});
  });

  test('that a collection does not have give no entries', () => {
    expect(ids(collect({ rule: { ...rule, langs: ['en'] }, corpora: [ja] }))).toEqual([]);
    expect(ids(collect({ rule, corpora: [corpusOf(...japanese)] }))).toEqual([]);
    expect(ids(collect({ rule: articles, corpora: [ja] }))).toEqual(['a-1', 'a-2']);
  });
});

describe('neighbours', () => {
  const order = compileOrder(models, 'article', 'kind');
  const near = (...items: WireContent[]) =>
    collect({ order, corpora: [corpusOf(...items)] }).entries.map(({ id, extras: { _prev, _next } }) => [
      _prev?.id ?? null,
      id,
      _next?.id ?? null,
    ]);

  test('are the entries before and after in the order', () => {
    expect(near(article(1, { kind: 'c' }), article(2, { kind: 'a' }), article(3, { kind: 'b' }))).toEqual([
      [null, 'a-2', 'a-3'],
      ['a-2', 'a-3', 'a-1'],
      ['a-3', 'a-1', null],
    ]);
  });

  test('have the content id, the title and the id of their entries', () => {
    const { entries } = collect({ order, corpora: [corpusOf(article(1), article(2))] });
    expect(entries[0]?.extras).toEqual({ _prev: null, _next: { _id: 2, _title: 'Article 2', id: 'a-2' } });
    expect(entries[1]?.extras).toEqual({ _prev: { _id: 1, _title: 'Article 1', id: 'a-1' }, _next: null });
  });

  test('of equal rank are in the order of their ids, however they arrive', () => {
    const chain = [
      [null, 'a-1', 'a-2'],
      ['a-1', 'a-2', 'a-3'],
      ['a-2', 'a-3', null],
    ];
    expect(near(article(1), article(2), article(3))).toEqual(chain);
    expect(near(article(3), article(1), article(2))).toEqual(chain);
  });

  test('are entries of the collection alone, each of its own language', () => {
    const filter = compileFilter(models, 'article', { kind: { in: ['a', 'c'] } });
    const rule: CollectionRule = { ...articles, filter, langs: ['ja', 'en'] };
    const items = [article(1, { kind: 'a' }), article(2, { kind: 'b' }), article(3, { kind: 'c' })];
    const corpora = [corpusIn('ja', items), corpusIn('en', items)];
    const { entries } = collect({ rule, order, corpora });
    expect(entries.map(({ id, extras: { _next } }) => [id, _next?.id])).toEqual([
      ['ja/a-1', 'ja/a-3'],
      ['ja/a-3', undefined],
      ['en/a-1', 'en/a-3'],
      ['en/a-3', undefined],
    ]);
  });

  test('are absent where no order is wanted, and items stay as they came', () => {
    const { entries } = collect({ corpora: [corpusOf(article(3), article(1))] });
    expect(entries.map(({ id, extras }) => ({ id, extras }))).toEqual([
      { id: 'a-3', extras: {} },
      { id: 'a-1', extras: {} },
    ]);
  });
});

describe('a reference into another collection', () => {
  const pointerOf = (value: unknown, rule: CollectionRule, corpus = corpusOf(author(8), author(9))) => {
    const items = [...corpus.values(), article(1, { author: value })];
    const own = corpus.lang === undefined ? corpusOf(...items) : corpusIn(corpus.lang, items);
    const references = new Map([['author', { collection: 'people', rule }]]);
    const langs = corpus.lang === undefined ? undefined : [corpus.lang];
    return collect({ rule: { ...articles, langs }, corpora: [own], references }).entries[0]?.extras;
  };

  test('is the collection and the id that its entry has there', () => {
    expect(pointerOf(9, authors)).toEqual({ author: { collection: 'people', id: 'by-9' } });
    expect(pointerOf(9, { ...authors, id: undefined })).toEqual({
      author: { collection: 'people', id: '9' },
    });
  });

  test('is empty where the other collection filters its target out', () => {
    const filter = compileFilter(models, 'author', { hidden: { eq: false } });
    const corpus = corpusOf(author(8, { hidden: true }), author(9, { hidden: false }));
    expect(pointerOf(8, { ...authors, filter }, corpus)).toEqual({ author: null });
    expect(pointerOf(9, { ...authors, filter }, corpus)).toEqual({
      author: { collection: 'people', id: 'by-9' },
    });
  });

  test('is empty where its target is missing, of another model, or has no usable id', () => {
    expect(pointerOf(7, authors)).toEqual({ author: null });
    expect(pointerOf(null, authors)).toEqual({ author: null });
    expect(pointerOf('9', authors)).toEqual({ author: null });
    expect(pointerOf(9, articles)).toEqual({ author: null });
    expect(pointerOf(9, authors, corpusOf(author(9, { slug: '' })))).toEqual({ author: null });
  });

  test('is of the entry’s language, where the other collection has it', () => {
    const corpus = corpusIn('en', [author(9)]);
    const pointer = { collection: 'people', id: 'en/by-9' };
    expect(pointerOf(9, { ...authors, langs: ['ja', 'en'] }, corpus)).toEqual({ author: pointer });
    expect(pointerOf(9, { ...authors, langs: ['ja'] }, corpus)).toEqual({ author: null });
    expect(pointerOf(9, authors, corpus)).toEqual({ author: { ...pointer, id: 'by-9' } });
  });
});
