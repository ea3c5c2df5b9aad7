import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { sectionOf, tablesIn } from '../../docs/documents.ts';
import { openTestSite } from './test-site.ts';

type Options = Record<string, unknown>;

/** The options of one build. */
interface Build {
  readonly space?: Options;
  readonly articles?: Options;
  readonly authors?: Options;
}

const MODELS = {
  city: { name: field.text({ title: true }) },
  author: { name: field.text({ title: true }), slug: field.text(), city: field.reference('city') },
  article: {
    title: field.text({ title: true, required: true }),
    slug: field.text(),
    code: field.text(),
    category: field.select(['news', 'event']),
    body: field.flexibleText(),
    more: field.flexibleText(),
    author: field.reference('author'),
    editor: field.reference('author'),
    cover: field.media(),
  },
  event: { title: field.text({ title: true }), author: field.reference('author') },
};
/** What the CMS has, and the site may not know. */
const SERVICE = { ...MODELS, article: { ...MODELS.article, internal: field.text() } };

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>';

function openSite() {
  const text = (n: number) => ({ body: `<p onclick="x">body ${n}</p>`, more: `<p>more ${n}</p>` });
  const article = (id: number, values: Options) => {
    const { en, ...ja } = {
      slug: `slug-${id}`,
      code: `code-${id}`,
      ...text(id),
      internal: `i${id}`,
      ...values,
    } as {
      en?: Options;
    } & Options;
    return { id, model: 'article', published: { ja, ...(en && { en: { ...ja, ...en } }) } };
  };
  const site = openTestSite(
    SERVICE,
    [
      { id: 1, model: 'city', name: 'Shizuoka' },
      { id: 11, model: 'author', name: 'Mori', slug: 'mori', city: 1 },
      { id: 12, model: 'author', name: 'Berg', slug: 'berg', city: 1 },
      article(21, {
        title: 'Tea',
        category: 'news',
        author: 11,
        editor: 12,
        cover: 900,
        en: { title: 'Tea!' },
      }),
      article(22, {
        title: 'Harbour',
        category: 'event',
        author: 11,
        editor: 11,
        en: { title: 'Harbour!' },
      }),
      article(23, { title: 'Train', category: 'news', author: 12, editor: 11 }),
      { id: 24, model: 'article', draft: { ja: { title: 'Draft', slug: 'slug-24', code: 'code-24' } } },
      { id: 25, model: 'article', space: 'sub', title: 'Other space', slug: 'slug-25', code: 'code-25' },
      { id: 31, model: 'event', title: 'Festival', author: 11 },
    ],
    [{ id: 900, file: 'a.svg', alt: { ja: 'Tea' } }],
    {
      spaces: ['sub'],
      keys: [
        { key: 'published', reads: 'published' },
        { key: 'published-sub', reads: 'published', spaces: ['sub'] },
        { key: 'drafts', reads: 'drafts' },
        { key: 'drafts-sub', reads: 'drafts', spaces: ['sub'] },
      ],
    },
  );
  const { service } = site;
  /** Assets are at the service, and so is another service that has less. */
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const path = String(url);
    if (path.startsWith(service.assetsUrl)) return new Response(SVG);
    if (!path.startsWith(OTHER)) return service.fetch(path, init);
    return service.fetch(path.replace(OTHER, `${service.baseUrl}/`).replace('?', '?space=sub&'), init);
  };

  /** Two collections that differ, and two others to refer to. */
  function optionsOf({ space = {}, articles = {}, authors = {} }: Build) {
    return [
      {
        articles: { model: 'article', ...articles },
        authors: { model: 'author', id: 'slug', ...authors },
        writers: { model: 'author', id: 'name' },
        people: { model: 'author', id: 'slug' },
      },
      { space: { models: MODELS, assetsUrl: service.assetsUrl, fetch, ...space } },
    ] as const;
  }
  const result = (lines: readonly string[], entries: (collection: string) => object) => {
    const failed = lines.find((line) => /Error: /.test(line));
    return failed ?? { articles: entries('articles'), authors: entries('authors') };
  };

  return {
    /** Builds with the cache and the store of the last build. */
    build: async (build: Build) => result(await site.build(...optionsOf(build)), site.entries),
    /** Builds without either. */
    async buildAnew(build: Build) {
      const { lines, entries } = await site.buildAnew(...optionsOf(build));
      return result(lines, entries);
    },
  };
}

const OTHER = 'https://other.example/v1/';

const prefixed = (prefix: string) => (item: { _id: number }) => `${prefix}${item._id}`;
const backlinks = (list: Options) => ({
  authors: { backlinks: { list: { from: 'article', by: 'author', ...list } } },
});
const withoutCode = ({ code, ...rest }: typeof MODELS.article) => rest;
const withBody = (options: Options) => ({
  space: {
    models: { ...MODELS, article: { ...MODELS.article, body: field.flexibleText(options as never) } },
  },
  articles: { body: 'body' },
});
const requiring = (luid: 'code' | 'cover', more: Options = {}) => ({
  ...more,
  models: {
    ...MODELS,
    article: {
      ...MODELS.article,
      cover: field.media({ required: luid === 'cover' }),
      code: field.text({ required: luid === 'code' }),
    },
  },
});

/** Options that change entries, each with two builds that differ in it alone. */
const CHANGES: Readonly<Record<string, readonly (readonly [what: string, before: Build, after: Build])[]>> = {
  // defineSpace
  baseUrl: [['another service', {}, { space: { baseUrl: OTHER.slice(0, -1) } }]],
  assetsUrl: [
    [
      'another host',
      { space: { dimensions: true } },
      { space: { dimensions: true, assetsUrl: 'https://assets.example' } },
    ],
  ],
  apiKey: [['a key that sees another space', {}, { space: { apiKey: 'published-sub' } }]],
  draftApiKey: [
    [
      'a key that sees another space',
      { articles: { drafts: true } },
      { articles: { drafts: true }, space: { draftApiKey: 'drafts-sub' } },
    ],
  ],
  space: [['a sub-space', {}, { space: { space: 'sub' } }]],
  languages: [
    [
      'swapped',
      { articles: { langs: ['ja', 'en'] } },
      { articles: { langs: ['ja', 'en'] }, space: { languages: { main: 'en', sub: ['ja'] } } },
    ],
  ],
  models: [
    [
      'a field less',
      { space: { strict: true } },
      { space: { strict: true, models: { ...MODELS, article: withoutCode(MODELS.article) } } },
    ],
    ['a required field', {}, { space: requiring('cover') }],
    ['another format', withBody({}), withBody({ format: 'portable_html' })],
    ['sanitized', withBody({}), withBody({ sanitize: true })],
  ],
  strict: [['undeclared fields are dropped', {}, { space: { strict: true } }]],
  dimensions: [['of every image', {}, { space: { dimensions: true } }]],
  onInvalid: [['skip', { space: requiring('cover') }, { space: requiring('cover', { onInvalid: 'skip' }) }]],

  // space.loader
  depth: [
    ['deeper', { articles: { depth: 0 } }, { articles: { depth: 1 } }],
    ['deeper by one more', { articles: { depth: 1 } }, { articles: { depth: 2 } }],
  ],
  id: [
    ['another field', { articles: { id: 'slug' } }, { articles: { id: 'code' } }],
    ['a function', {}, { articles: { id: prefixed('a') } }],
    [
      'a function that looks the same',
      { articles: { id: prefixed('a') } },
      { articles: { id: prefixed('b') } },
    ],
  ],
  body: [
    ['none', { articles: { body: 'body' } }, {}],
    ['another field', { articles: { body: 'body' } }, { articles: { body: 'more' } }],
    [
      'another field that is not in data',
      { articles: { body: 'body', fields: ['title'] } },
      { articles: { body: 'more', fields: ['title'] } },
    ],
  ],
  lang: [
    ['named', {}, { articles: { lang: 'ja' } }],
    ['another', { articles: { lang: 'ja' } }, { articles: { lang: 'en' } }],
  ],
  langs: [
    ['one more', { articles: { langs: ['ja'] } }, { articles: { langs: ['ja', 'en'] } }],
    ['one instead of a list of it', { articles: { langs: ['ja'] } }, { articles: { lang: 'ja' } }],
  ],
  fallback: [['on', { articles: { lang: 'en' } }, { articles: { lang: 'en', fallback: true } }]],
  where: [
    [
      'another value',
      { articles: { where: { category: { eq: 'news' } } } },
      { articles: { where: { category: { eq: 'event' } } } },
    ],
    [
      'through a reference',
      { articles: { where: { 'author.name': { eq: 'Mori' } } } },
      { articles: { where: { 'author.name': { eq: 'Berg' } } } },
    ],
  ],
  references: [
    ['of Astro', {}, { articles: { references: { author: 'authors' } } }],
    [
      'into another collection',
      { articles: { references: { author: 'authors' } } },
      { articles: { references: { author: 'writers' } } },
    ],
    [
      'into another collection with the same options',
      { articles: { references: { author: 'authors' } } },
      { articles: { references: { author: 'people' } } },
    ],
    [
      'into a collection with other ids',
      { articles: { references: { author: 'authors' } } },
      { articles: { references: { author: 'authors' } }, authors: { id: 'name' } },
    ],
    [
      'into a collection that lacks an entry',
      { articles: { references: { author: 'authors' } } },
      { articles: { references: { author: 'authors' } }, authors: { where: { name: { eq: 'Mori' } } } },
    ],
  ],
  neighbours: [
    ['in no order', { articles: { neighbours: { order: 'title' } } }, {}],
    [
      'in another order',
      { articles: { neighbours: { order: 'title' } } },
      { articles: { neighbours: { order: 'code' } } },
    ],
  ],
  fields: [
    [
      'with the one that is rendered',
      { articles: { body: 'body', fields: ['title'] } },
      { articles: { body: 'body', fields: ['title', 'body'] } },
    ],
    ['fewer', {}, { articles: { fields: ['title', 'author'] } }],
    ['others', { articles: { fields: ['title', 'code'] } }, { articles: { fields: ['title', 'slug'] } }],
  ],
  backlinks: [
    ['a list', {}, backlinks({})],
    [
      'another name',
      backlinks({}),
      { authors: { backlinks: { articles: { from: 'article', by: 'author' } } } },
    ],
  ],
  maxEmbedded: [['too few', { articles: { depth: 2 } }, { articles: { depth: 2, maxEmbedded: 1 } }]],
  drafts: [['on', {}, { articles: { drafts: true } }]],

  // backlinks
  from: [['another model', backlinks({}), backlinks({ from: 'event' })]],
  by: [['another field', backlinks({}), backlinks({ by: 'editor' })]],
  'backlinks.where': [['some', backlinks({}), backlinks({ where: { category: { eq: 'news' } } })]],
  order: [['another', backlinks({ order: 'title' }), backlinks({ order: '-title' })]],
  limit: [['fewer', backlinks({}), backlinks({ limit: 1 })]],
  'backlinks.depth': [['deeper', backlinks({}), backlinks({ depth: 1 })]],
};

/** Options that decide how content is read, not what becomes of it. */
const NO_EFFECT: Readonly<Record<string, Options>> = {
  cache: {},
  verify: { verify: 'always' },
  onError: { onError: 'stale' },
  network: { network: { concurrency: 2 } },
  fetch: {},
  clock: {},
  apiKeyHeader: { apiKeyHeader: 'x-service-api-key' },
  // The emulator expects another header.
  service: { service: 'nilto', apiKeyHeader: 'x-service-api-key' },
};

const optionsIn = (page: string, heading: string) => {
  const [table = []] = tablesIn(sectionOf(`docs/reference/${page}.md`, heading));
  return table.map(([option = '']) => option.replaceAll('`', ''));
};

test('every option of a space, a loader and a list of backlinks is tested here', () => {
  const ofLists = optionsIn('loader', 'backlinks').map((name) =>
    optionsIn('loader', 'Options').includes(name) ? `backlinks.${name}` : name,
  );
  const documented = [...optionsIn('space', 'Options'), ...optionsIn('loader', 'Options'), ...ofLists];
  expect([...Object.keys(CHANGES), ...Object.keys(NO_EFFECT)].toSorted()).toEqual(documented.toSorted());
});

describe.each(Object.entries(CHANGES))(
  'after a change of %s, everything is as in a first build',
  (_option, cases) => {
    test.each(cases)('%s', async (_what, before, after) => {
      const site = openSite();
      const [first, second] = [await site.buildAnew(before), await site.buildAnew(after)];
      expect(second).not.toEqual(first);
      expect(await site.build(before)).toEqual(first);
      expect(await site.build(after)).toEqual(second);
      expect(await site.build(before)).toEqual(first);
    });
  },
);

test('`strict` is part of what entries are made of: undeclared fields disappear and return with it', async () => {
  const site = openSite();
  const internal = async (strict: boolean) => {
    const built = (await site.build({ space: { strict } })) as {
      articles: Record<string, { data: Options }>;
    };
    return Object.values(built.articles).map(({ data }) => data.internal);
  };
  expect(await internal(false)).toEqual(['i21', 'i22', 'i23', '']);
  expect(await internal(true)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await internal(false)).toEqual(['i21', 'i22', 'i23', '']);
});

test.each(Object.entries(NO_EFFECT))('a change of %s changes no entry', async (_option, space) => {
  const site = openSite();
  const before = await site.build({});
  expect(await site.build({ space })).toEqual(before);
});
