import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { wire } from '../../models/content.ts';
import {
  contentOf,
  entriesOf,
  openView,
  type TestItems,
  type TestOptions,
  testCollection,
} from './open-view.ts';

const models = {
  author: { name: field.text(), hidden: field.boolean(), slug: field.text() },
  article: { slug: field.text(), author: field.reference('author'), kind: field.text() },
} as const satisfies ModelMap;

const article = (id: number, fields: Record<string, unknown> = {}) =>
  wire('article', { _title: `Article ${id}`, slug: `a-${id}`, ...fields }, id);
const author = (id: number, fields: Record<string, unknown> = {}) =>
  wire('author', { slug: `by-${id}`, ...fields }, id);

/** A collection of articles, or of another model. */
async function collect(
  content: TestItems,
  options: TestOptions & { readonly model?: string } = {},
  people?: TestOptions,
) {
  const { model = 'article', ...loaderOptions } = { id: 'slug', ...options };
  const collection = testCollection(models, model, loaderOptions, { model: 'author', id: 'slug', ...people });
  const view = await openView(collection, await contentOf(models, content));
  return { view, entries: entriesOf(view) };
}

const ids = ({ entries }: Awaited<ReturnType<typeof collect>>) => entries.map(({ id }) => id);
const computedIn = ({ entries }: Awaited<ReturnType<typeof collect>>) =>
  entries.map(({ id, computed }) => ({ id, ...computed }));

describe('a collection contains', () => {
  test('the items of its model, with the ids of its options', async () => {
    const content = { main: [article(1), author(2), article(3)] };
    const { view, entries } = await collect(content);
    expect(entries).toEqual([
      { id: 'a-1', item: content.main[0], languageItems: view.languages[0], computed: {} },
      { id: 'a-3', item: content.main[2], languageItems: view.languages[0], computed: {} },
    ]);
    expect(view.withoutId).toEqual([]);
    expect(view.duplicates).toEqual(new Map());
    expect(view.find('a-3')).toMatchObject([{ itemId: 3 }]);
    expect(view.find('a-2')).toEqual([]);
    expect(ids(await collect(content, { id: undefined }))).toEqual(['1', '3']);
  });

  test('only items that match its filter, also by fields of referenced content', async () => {
    const main = [
      article(1, { author: 8 }),
      article(2, { author: 9 }),
      author(8, { hidden: true }),
      author(9, { hidden: false }),
    ];
    expect(ids(await collect({ main }, { where: { 'author.hidden': { eq: false } } }))).toEqual(['a-2']);
  });

  test('no entry for an item without a usable id, which is reported with a reason', async () => {
    const main = [article(1, { slug: '' }), article(2), article(3, { slug: '../x' })];
    const { view } = await collect({ main });
    expect(view.all.map(({ id }) => id)).toEqual(['a-2']);
    expect(view.withoutId).toEqual([
      { item: main[0], problem: 'has no id: the field slug is ""' },
      { item: main[2], problem: expect.stringContaining('has an id with a "." or ".." path segment') },
    ]);
    expect(view.skipped).toEqual(new Set([1, 3]));
  });

  test('an entry for each of several items with the same id, which are reported together', async () => {
    const main = [
      article(1, { slug: 'x' }),
      article(2),
      article(3, { slug: 'x' }),
      article(4, { slug: 'x' }),
    ];
    const { view } = await collect({ main });
    expect(view.size).toBe(4);
    expect(view.find('x').map(({ itemId }) => itemId)).toEqual([1, 3, 4]);
    expect([...view.duplicates.keys()]).toEqual(['x']);
  });
});

describe('languages', () => {
  const japanese = [article(1, { title: 'ja' }), article(2, { title: 'ja' })];
  const english = [article(2, { title: 'en' })];
  const content = { main: japanese, sub: english };

  test('prefix the ids, and each entry lists those of its item', async () => {
    expect(computedIn(await collect(content, { langs: ['ja', 'en'] }))).toEqual([
      { id: 'ja/a-1', _lang: 'ja', _fallback: false, _langs: { current: 'ja', available: ['ja'] } },
      { id: 'ja/a-2', _lang: 'ja', _fallback: false, _langs: { current: 'ja', available: ['ja', 'en'] } },
      { id: 'en/a-2', _lang: 'en', _fallback: false, _langs: { current: 'en', available: ['ja', 'en'] } },
    ]);
  });

  test('with fallback mark entries in the main language, which is their current one', async () => {
    expect(computedIn(await collect(content, { langs: ['en'], fallback: true }))).toEqual([
      { id: 'en/a-2', _lang: 'en', _fallback: false, _langs: { current: 'en', available: ['ja', 'en'] } },
      { id: 'en/a-1', _lang: 'en', _fallback: true, _langs: { current: 'ja', available: ['ja'] } },
    ]);
  });

  test('are no part of entries without these options', async () => {
    expect(computedIn(await collect(content))).toEqual([{ id: 'a-1' }, { id: 'a-2' }]);
  });
});

describe('neighbours', () => {
  const near = async (...main: WireContent[]) =>
    (await collect({ main }, { neighbours: { order: 'kind' } })).entries.map(
      ({ id, computed: { _prev, _next } }) => [_prev?.id ?? null, id, _next?.id ?? null],
    );

  test('are the entries before and after in the order', async () => {
    const items = [article(1, { kind: 'c' }), article(2, { kind: 'a' }), article(3, { kind: 'b' })];
    expect(await near(...items)).toEqual([
      [null, 'a-2', 'a-3'],
      ['a-2', 'a-3', 'a-1'],
      ['a-3', 'a-1', null],
    ]);
  });

  test('have the content id, the title and the id of their entries', async () => {
    const main = [article(1), article(2)];
    const { entries } = await collect({ main }, { neighbours: { order: 'kind' } });
    expect(entries[0]?.computed).toEqual({ _prev: null, _next: { _id: 2, _title: 'Article 2', id: 'a-2' } });
    expect(entries[1]?.computed).toEqual({ _prev: { _id: 1, _title: 'Article 1', id: 'a-1' }, _next: null });
  });

  test('of equal rank are ordered by id', async () => {
    const chain = [
      [null, 'a-1', 'a-2'],
      ['a-1', 'a-2', 'a-3'],
      ['a-2', 'a-3', null],
    ];
    expect(await near(article(1), article(2), article(3))).toEqual(chain);
    expect(await near(article(3), article(1), article(2))).toEqual(chain);
  });

  test('are entries of the same collection and language', async () => {
    const main = [article(1, { kind: 'a' }), article(2, { kind: 'b' }), article(3, { kind: 'c' })];
    const options = {
      where: { kind: { in: ['a', 'c'] } },
      neighbours: { order: 'kind' },
      langs: ['ja', 'en'],
    };
    const { entries } = await collect({ main, sub: main }, options);
    expect(entries.map(({ id, computed: { _next } }) => [id, _next?.id])).toEqual([
      ['ja/a-1', 'ja/a-3'],
      ['ja/a-3', undefined],
      ['en/a-1', 'en/a-3'],
      ['en/a-3', undefined],
    ]);
  });

  test('are absent without an order, and items keep their order', async () => {
    expect(computedIn(await collect({ main: [article(3), article(1)] }))).toEqual([
      { id: 'a-3' },
      { id: 'a-1' },
    ]);
  });
});

describe('a reference into another collection', () => {
  const PEOPLE = { references: { author: 'people' } };
  const AUTHORS = [author(8), author(9)];
  const pointerOf = async (
    value: unknown,
    people: TestOptions = {},
    authors = AUTHORS,
    options: TestOptions = {},
  ) => {
    const items = [...authors, article(1, { author: value })];
    return (await collect({ main: items, sub: items }, { ...PEOPLE, ...options }, people)).entries[0]
      ?.computed.author;
  };

  test('is the collection and the id of its entry there', async () => {
    expect(await pointerOf(9)).toEqual({ collection: 'people', id: 'by-9' });
    expect(await pointerOf(9, { id: undefined })).toEqual({ collection: 'people', id: '9' });
  });

  test('is empty if the other collection filters its target out', async () => {
    const where = { hidden: { eq: false } };
    const authors = [author(8, { hidden: true }), author(9, { hidden: false })];
    expect(await pointerOf(8, { where }, authors)).toBeNull();
    expect(await pointerOf(9, { where }, authors)).toEqual({ collection: 'people', id: 'by-9' });
  });

  test('is empty if its target is missing, of another model, or has no usable id', async () => {
    expect(await pointerOf(7)).toBeNull();
    expect(await pointerOf(null)).toBeNull();
    expect(await pointerOf('9')).toBeNull();
    expect(await pointerOf(9, { model: 'article' })).toBeNull();
    expect(await pointerOf(9, {}, [author(9, { slug: '' })])).toBeNull();
  });

  test('is in the entry’s language, if the other collection has it', async () => {
    const english = { langs: ['en'] };
    const pointer = { collection: 'people', id: 'en/by-9' };
    expect(await pointerOf(9, { langs: ['ja', 'en'] }, AUTHORS, english)).toEqual(pointer);
    expect(await pointerOf(9, { langs: ['ja'] }, AUTHORS, english)).toBeNull();
    expect(await pointerOf(9, {}, AUTHORS, english)).toEqual({ ...pointer, id: 'by-9' });
  });
});

test('entries list the items that refer to them, in each language', async () => {
  const options = {
    model: 'author',
    langs: ['ja', 'en'],
    backlinks: { articles: { from: 'article', by: 'author' } },
  };
  const main = [author(8), article(1, { author: 8 })];
  const sub = [author(8), article(2, { author: 8 })];
  const { entries } = await collect({ main, sub }, options);
  expect(entries.map(({ id, backlinks }) => ({ id, backlinks }))).toEqual([
    { id: 'ja/by-8', backlinks: [{ name: 'articles', depth: 0, maxEmbedded: 2000, items: [main[1]] }] },
    { id: 'en/by-8', backlinks: [{ name: 'articles', depth: 0, maxEmbedded: 2000, items: [sub[1]] }] },
  ]);
});
