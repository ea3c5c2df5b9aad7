import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/index.ts';
import { defineSpace, field, LuidConfigError } from '../../../src/index.ts';
import { createLoaderContext } from '../../security/loader-context.ts';
import { startService } from './test-loader.ts';

const MODELS = {
  author: { name: field.text({ required: true, title: true }), bio: field.multiline() },
  category: { name: field.text({ title: true }) },
  article: {
    title: field.text({ required: true, title: true }),
    featured: field.boolean(),
    author: field.reference('author'),
    category: field.reference('category'),
    about: field.reference(),
    related: field.repeat({ article: field.reference('article') }),
    sections: field.combination({ hero: { link: field.reference(['article', 'author']) } }),
  },
} as const;
const NOW = Date.UTC(2026, 5, 1);
/** More than fit into one page: a small space is read in full each time, but its entries are not made again. */
const FILLERS = Array.from({ length: 150 }, (_, n) => ({ id: 1000 + n, model: 'category', name: `c${n}` }));

let service: RunningEmulator | undefined;
let store: ReturnType<typeof createLoaderContext>;
let written: string[] = [];

beforeEach(async () => {
  await service?.close();
  service = await startService(MODELS, [
    { id: 1, model: 'author', name: 'Mori' },
    { id: 2, model: 'author', name: 'Sato' },
    { id: 3, model: 'author', name: 'Abe' },
    { id: 5, model: 'category', name: 'Food' },
    { id: 11, model: 'article', title: 'Tea', author: 1, category: 5 },
    {
      id: 12,
      model: 'article',
      title: 'Rice',
      featured: true,
      author: 2,
      related: [{ article: 13 }, { article: 13 }],
      sections: [{ luid: 'hero', fields: { link: 3 } }],
    },
    { id: 13, model: 'article', title: 'Salt', featured: true, author: 1, about: 3 },
    ...FILLERS,
  ]);
  service.clock.set(NOW);
  store = createLoaderContext();
});
afterAll(() => service?.close());

const running = () => service as RunningEmulator;

/** The articles that an author lists. */
function articlesOf(id: string): number[] {
  const authors = store.entries() as unknown as { id: string; data: { articles: { _id: number }[] } }[];
  return authors.flatMap((author) => (author.id === id ? author.data.articles.map(({ _id }) => _id) : []));
}

/** Loads a collection as a build in a new process would. Remembers what is written to the store. */
async function load(model: keyof typeof MODELS, options: object, space: object = {}): Promise<string> {
  const defined = defineSpace({
    baseUrl: running().baseUrl,
    apiKey: 'published-key',
    draftApiKey: 'draft-key',
    languages: { main: 'ja', sub: ['en'] },
    models: MODELS,
    ...space,
  });
  const { context, lines } = store;
  written = [];
  lines.length = 0;
  const spied = {
    ...context.store,
    set: (entry: { id: string }) => {
      written.push(entry.id);
      return context.store.set(entry as never);
    },
    delete: (id: string) => {
      written.push(`-${id}`);
      context.store.delete(id);
    },
  };
  await defined.loader(model as 'author', options as never).load({ ...context, store: spied } as never);
  return lines.join('\n');
}

const dataOf = (id: number | string) =>
  store.entries().find((entry) => entry.id === String(id))?.data as unknown as Record<
    string,
    readonly Listed[]
  >;
type Listed = { readonly _id: number; readonly [luid: string]: unknown };
const idsIn = (id: number | string, name = 'articles') => (dataOf(id)[name] ?? []).map(({ _id }) => _id);

const ARTICLES = { from: 'article', by: 'author' };

describe('backlinks', () => {
  test('are the items that refer to an entry, newest first, with references as ids', async () => {
    await load('author', { backlinks: { articles: ARTICLES } });
    expect(idsIn(1)).toEqual([13, 11]);
    expect(idsIn(2)).toEqual([12]);
    expect(dataOf(3)).toMatchObject({ name: 'Abe', articles: [] });
    expect(dataOf(1).articles?.[1]).toMatchObject({
      title: 'Tea',
      author: 1,
      category: 5,
      _created_at: expect.any(Date),
    });
  });

  test('embed content up to their own depth, whatever that of the collection', async () => {
    await load('author', { depth: 0, backlinks: { articles: { ...ARTICLES, depth: 1 } } });
    expect(dataOf(1).articles?.[1]).toMatchObject({
      author: { _id: 1, name: 'Mori' },
      category: { name: 'Food' },
    });
    // Circular: the author’s article embeds the author, who has no backlinks there.
    expect(dataOf(1).articles?.[0]?.author).not.toHaveProperty('articles');
    await load('author', { depth: 2, backlinks: { articles: ARTICLES } });
    expect(dataOf(1).articles?.[1]).toMatchObject({ author: 1, category: 5 });
  });

  test('are found by fields in groups, in blocks, and by those that accept any model', async () => {
    await load('author', {
      backlinks: {
        heroes: { from: 'article', by: 'sections.hero.link' },
        subjects: { from: 'article', by: 'about' },
      },
    });
    expect([idsIn(3, 'heroes'), idsIn(3, 'subjects')]).toEqual([[12], [13]]);
    expect([idsIn(1, 'heroes'), idsIn(1, 'subjects')]).toEqual([[], []]);
    store = createLoaderContext();
    for (const by of ['related.article', 'related[].article']) {
      await load('article', { backlinks: { referring: { from: 'article', by } } });
      expect([11, 12, 13].map((id) => idsIn(id, 'referring'))).toEqual([[], [], [12]]);
    }
  });

  test('have the filter, the order and the limit of the options', async () => {
    const lists = {
      featured: { ...ARTICLES, where: { featured: { eq: true } } },
      inFood: { ...ARTICLES, where: { 'category.name': { eq: 'Food' } } },
      oldest: { ...ARTICLES, order: '_created_at', limit: 1 },
    };
    await load('author', { backlinks: lists });
    expect(Object.keys(lists).map((name) => idsIn(1, name))).toEqual([[13], [11], [11]]);
  });

  test('are in data with `fields`, beside neighbours', async () => {
    await load('author', { fields: [], neighbours: { order: 'name' }, backlinks: { articles: ARTICLES } });
    expect(dataOf(2)).not.toHaveProperty('name');
    expect(dataOf(2)).toMatchObject({ _prev: { _id: 1 }, articles: [{ _id: 12, title: 'Rice' }] });
  });

  test('are drafts too, where the collection has drafts', async () => {
    running().contents.create({ model: 'article', draft: { ja: { title: 'Plan', author: 3 } } } as never);
    await load('author', { backlinks: { articles: ARTICLES } });
    expect(idsIn(3)).toEqual([]);
    await load('author', { drafts: true, backlinks: { articles: ARTICLES } });
    expect(dataOf(3).articles).toMatchObject([{ title: 'Plan' }]);
  });

  test('are in the language of the entry, with its fallback', async () => {
    running().contents.edit(1, { name: 'Mori (en)' }, { lang: 'en' });
    running().contents.edit(2, { name: 'Sato (en)' }, { lang: 'en' });
    running().contents.edit(11, { title: 'Tea (en)', author: 2 }, { lang: 'en' });
    const backlinks = { articles: { ...ARTICLES, order: '_id' } };
    const lists = () => store.entries().map(({ id }) => [id, idsIn(id)]);
    await load('author', { langs: ['ja', 'en'], backlinks });
    expect(Object.fromEntries(lists())).toEqual({
      'ja/1': [11, 13],
      'ja/2': [12],
      'ja/3': [],
      'en/1': [],
      'en/2': [11],
    });
    expect(dataOf('en/2').articles).toMatchObject([{ title: 'Tea (en)' }]);
    store = createLoaderContext();
    await load('author', { lang: 'en', fallback: true, backlinks });
    expect(Object.fromEntries(lists())).toEqual({ 1: [13], 2: [11, 12], 3: [] });
  });

  test('cost no request', async () => {
    const requests = async (options: object) => {
      store = createLoaderContext();
      running().clearLog();
      await load('author', options);
      return running().log.length;
    };
    expect(await requests({ backlinks: { articles: { ...ARTICLES, depth: 2 } } })).toBe(await requests({}));
  });

  test("that do not match their model are an error, or not listed with onInvalid: 'skip'", async () => {
    running().contents.edit(11, { title: '' });
    const options = { backlinks: { articles: ARTICLES } };
    await expect(load('author', options)).rejects.toThrow('article.title: 1 item');
    await load('author', options, { onInvalid: 'skip' });
    expect(store.entries().map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(articlesOf('1')).toEqual([13]);
  });

  test("that do not match their model do not count towards their limit with onInvalid: 'skip'", async () => {
    const newest = { ...ARTICLES, order: '_id', limit: 1 };
    await load('author', { backlinks: { articles: newest } });
    expect(articlesOf('1')).toEqual([11]);
    running().contents.edit(11, { title: '' });
    await load('author', { backlinks: { articles: newest } }, { onInvalid: 'skip' });
    expect(articlesOf('1')).toEqual([13]);
  });
});

describe('after a change, an incremental load writes', () => {
  const { contents } = { contents: () => running().contents };
  const lists = { articles: { ...ARTICLES, order: '_id' as const } };

  test.each<[string, string, () => void, string[]]>([
    [
      'the author before and the author after',
      'an article has another author',
      () => contents().edit(11, { author: 2 }),
      ['1', '2'],
    ],
    [
      'one entry',
      'an article gets an author',
      () => contents().edit(12, { author: 3, title: 'x' }),
      ['2', '3'],
    ],
    ['one entry', 'an article loses its author', () => contents().edit(11, { author: null }), ['1']],
    ['one entry', 'an article is edited', () => contents().edit(12, { title: 'Rice 2' }), ['2']],
    ['one entry', 'an article is deleted', () => contents().remove(12), ['2']],
    ['one entry', 'an article is archived', () => contents().archive(12), ['2']],
    [
      'one entry',
      'an article is created',
      () => void contents().create({ model: 'article', published: { ja: { title: 'New', author: 3 } } }),
      ['3'],
    ],
    ['one entry', 'an author is edited', () => contents().edit(3, { bio: 'x' }), ['3']],
    ['nothing', 'content is edited that no list shows', () => contents().edit(1000, { name: 'x' }), []],
  ])('%s if %s', async (_what, _when, change, expected) => {
    await load('author', { backlinks: lists });
    change();
    const log = await load('author', { backlinks: lists });
    expect(written.sort()).toEqual(expected);
    expect(log).toContain('made again');
  });

  test.each<[string, object, () => void, string[]]>([
    ['what a list embeds was renamed', { depth: 1 }, () => contents().edit(5, { name: 'Meals' }), ['1']],
    ['what that embeds was renamed', { depth: 2 }, () => contents().edit(1, { name: 'x' }), ['1', '2']],
    ['what a list only refers to was renamed', {}, () => contents().edit(5, { name: 'Meals' }), []],
    ['what a list refers to was deleted', {}, () => contents().remove(5), ['1']],
    ['an item beyond the limit changed', { limit: 1 }, () => contents().edit(13, { title: 'x' }), []],
    [
      'an item within the limit has no author any more',
      { limit: 1 },
      () => contents().edit(11, { author: null }),
      ['1'],
    ],
    [
      'an item does not match the filter',
      { where: { featured: { eq: true } } },
      () => contents().edit(11, { title: 'x' }),
      [],
    ],
    [
      'an item matches the filter now',
      { where: { featured: { eq: true } } },
      () => contents().edit(11, { featured: true }),
      ['1'],
    ],
    [
      'an item matches through a reference',
      { where: { 'category.name': { eq: 'Food' } } },
      () => contents().edit(5, { name: 'Meals' }),
      ['1'],
    ],
  ])('exactly what shows it: %s', async (_when, more, change, expected) => {
    const options = { depth: 0, backlinks: { articles: { ...lists.articles, ...more } } };
    await load('author', options);
    change();
    const log = await load('author', options);
    expect(written.sort()).toEqual(expected);
    expect(log).toContain('made again');
  });

  test('the same entries in the language that changed alone', async () => {
    for (const id of [1, 2]) running().contents.edit(id, { name: `en ${id}` }, { lang: 'en' });
    for (const id of [11, 12, 13]) running().contents.edit(id, { title: 'en', author: 1 }, { lang: 'en' });
    const options = { langs: ['ja', 'en'], fallback: true, backlinks: lists };
    await load('author', options);
    running().contents.edit(11, { author: 2 }, { lang: 'en' });
    expect(await load('author', options)).toContain('made again');
    expect(written.sort()).toEqual(['en/1', 'en/2']);
    expect(idsIn('en/2')).toEqual([11]);
  });

  test('several changes in a row, each from what the one before left', async () => {
    const options = { neighbours: { order: 'name' }, backlinks: lists };
    await load('author', options);
    for (const [author, expected] of [
      [2, ['1', '2']],
      [3, ['2', '3']],
      [1, ['1', '3']],
    ] as const) {
      running().contents.edit(11, { author });
      expect(await load('author', options)).toContain('made again');
      expect([...written].sort()).toEqual(expected);
    }
    expect(idsIn(1)).toEqual([11, 13]);
  });

  test('the entries whose lists differ, if the options of a list changed', async () => {
    await load('author', { backlinks: lists });
    await load('author', { backlinks: { articles: { ...lists.articles, limit: 1 } } });
    expect(written).toEqual(['1']);
  });

  test('everything if the name of a list changed', async () => {
    await load('author', { backlinks: lists });
    await load('author', { backlinks: { works: lists.articles } });
    expect(written).toEqual(['1', '2', '3']);
  });
});

describe('a definition is refused', () => {
  const space = defineSpace({ models: MODELS, baseUrl: 'http://example.test/v1', apiKey: 'x' });
  const define = (backlinks: unknown) => () => space.loader('author', { backlinks } as never);

  test.each<[string, unknown, string, string]>([
    ['that is no object', 'articles', 'backlinks must be an object such as', ''],
    ['of a list that is no object', { articles: 'article' }, 'backlinks must be an object such as', ''],
    [
      'without from',
      { articles: { by: 'author' } },
      'backlinks.articles.from is missing',
      'author, category, article',
    ],
    [
      'without by',
      { articles: { from: 'article' } },
      'backlinks.articles.by is missing',
      'Use one of author, about, sections.hero.link',
    ],
    [
      'with another model',
      { articles: { from: 'artcle', by: 'author' } },
      "backlinks.articles: from names 'artcle', which is not declared",
      "Did you mean 'article'?",
    ],
    [
      'with a field that is not declared',
      { articles: { from: 'article', by: 'auhtor' } },
      "backlinks.articles: by names 'auhtor', which is not a reference field of article",
      "Did you mean 'author'?",
    ],
    [
      'with a field that is no reference',
      { articles: { from: 'article', by: 'title' } },
      "by names 'title', which is not a reference field of article",
      'Use one of author',
    ],
    [
      'with a group',
      { articles: { from: 'article', by: 'sections.hero' } },
      "by names 'sections.hero', which is not a reference field",
      'sections.hero.link',
    ],
    [
      'with a field of another model',
      { articles: { from: 'article', by: 'category' } },
      "by names 'category', which refers to category, not to author",
      'Use one of author',
    ],
    [
      'with a model that cannot refer to it',
      { tags: { from: 'category', by: 'name' } },
      "by names 'name', which is not a reference field of category",
      'category has no field that can refer to author',
    ],
    [
      'named like a field',
      { name: ARTICLES },
      'backlinks.name: author has a field of that name',
      'Choose another name',
    ],
    [
      'named like a system property',
      { _prev: ARTICLES },
      'backlinks._prev: the name must not be empty, or begin with _',
      'Choose another name',
    ],
    ['without a name', { '': ARTICLES }, "backlinks.['']: the name must not be empty", ''],
    [
      'with an unknown option',
      { articles: { ...ARTICLES, sort: 'title' } },
      "backlinks.articles: unknown option 'sort'",
      'from, by, where, order, limit, depth',
    ],
    [
      'with a limit of 0',
      { articles: { ...ARTICLES, limit: 0 } },
      'limit must be a whole number of at least 1, got 0',
      '',
    ],
    [
      'with a depth of 11',
      { articles: { ...ARTICLES, depth: 11 } },
      'depth must be a whole number from 0 to 10, got 11',
      '',
    ],
    [
      'with an order by a field of another model',
      { articles: { ...ARTICLES, order: 'name' } },
      "backlinks.articles: order names 'name', which is not a field of article",
      '',
    ],
    [
      'with a filter by a field of another model',
      { articles: { ...ARTICLES, where: { bio: { eq: 'x' } } } },
      "backlinks.articles: where names 'bio', which is not a field of article",
      '',
    ],
    ['whose name would break a log', { 'a\u001b[2J': { from: 'article' } }, '.by is missing', ''],
  ])('%s', (_what, backlinks, message, hint) => {
    expect(define(backlinks)).toThrow(LuidConfigError);
    expect(define(backlinks)).toThrow(message);
    expect(define(backlinks)).toThrow(hint);
    expect(define(backlinks)).not.toThrow('\u001b');
    expect(define(backlinks)).toThrow('loader("author")');
  });

  test('a path with brackets where there is no repeat', () => {
    const wrong = () =>
      space.loader('article', { backlinks: { x: { from: 'article', by: 'author[]' } } } as never);
    expect(wrong).toThrow("by names 'author[]', which is not a reference field of article");
  });
});
