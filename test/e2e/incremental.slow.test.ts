import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from './site.ts';

const ARTICLES = 2_000;
const AUTHORS = 20;
/** Every article has a page, every author, the articles of one author have a second one; and there are two lists. */
const PAGES = ARTICLES + AUTHORS + ARTICLES / AUTHORS + 2;
const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

const seed = {
  languages: { main: 'ja' },
  keys: [{ key: 'k', reads: 'published' }],
  models: {
    author: { name: { type: 'text' } },
    article: { title: { type: 'text' }, author: { type: 'reference', model: 'author' } },
  },
  contents: [
    ...Array.from({ length: AUTHORS }, (_, n) => ({
      id: n + 1,
      model: 'author',
      created_at: day(n),
      published: { ja: { name: `Author ${n + 1}` } },
    })),
    ...Array.from({ length: ARTICLES }, (_, n) => ({
      id: 1000 + n,
      model: 'article',
      created_at: day(100 + n),
      published: { ja: { title: `Article ${n}`, author: 1 + (n % AUTHORS) } },
    })),
  ],
};

const FILES = {
  'astro.config.mjs': 'export default { experimental: { incrementalBuild: true } };',
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: {
      author: { name: field.text() },
      article: { title: field.text(), author: field.reference('author') },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article') }),
      authors: defineCollection({ loader: space.loader('author') }),
      titles: defineCollection({ loader: space.loader('article', { where: { author: { eq: 3 } }, fields: ['title'] }) }),
    };`,
  'src/pages/articles/[id].astro': `---
    import { getCollection } from 'astro:content';
    import { cacheKey } from 'astro-luid';
    export async function getStaticPaths() {
      const articles = await getCollection('articles');
      return articles.map((article) => ({ params: { id: article.id }, props: { article }, cacheKey: cacheKey(article) }));
    }
    const { data } = Astro.props.article;
    ---
    <h1>{data.title}</h1><p>{data.author?.name}</p><i>{process.env.BUILD}</i>`,
  'src/pages/titles/[id].astro': `---
    import { getCollection } from 'astro:content';
    import { cacheKey } from 'astro-luid';
    export async function getStaticPaths() {
      const titles = await getCollection('titles');
      return titles.map((entry) => ({ params: { id: entry.id }, props: { entry }, cacheKey: cacheKey(entry) }));
    }
    ---
    <h1>{Astro.props.entry.data.title}</h1><i>{process.env.BUILD}</i>`,
  'src/pages/lists/[id].astro': `---
    import { getCollection } from 'astro:content';
    import { collectionKey } from 'astro-luid';
    export async function getStaticPaths() {
      const [articles, authors] = await Promise.all([getCollection('articles'), getCollection('authors')]);
      return [
        {
          params: { id: 'titles' },
          props: { list: articles.map(({ data }) => data.title) },
          cacheKey: await collectionKey('articles', { fields: ['title'] }),
        },
        {
          params: { id: 'names' },
          props: { list: authors.map(({ data }) => data.name) },
          cacheKey: collectionKey(authors, { fields: ['name'] }),
        },
      ];
    }
    ---
    <ul>{Astro.props.list.map((text) => <li>{text}</li>)}</ul><i>{process.env.BUILD}</i>`,
  'src/pages/authors/[id].astro': `---
    import { getCollection } from 'astro:content';
    import { cacheKey } from 'astro-luid';
    export async function getStaticPaths() {
      const [authors, articles] = await Promise.all([getCollection('authors'), getCollection('articles')]);
      return authors.map((author) => {
        const own = articles.filter(({ data }) => String(data.author?._id) === author.id);
        return { params: { id: author.id }, props: { author, own }, cacheKey: cacheKey(author, ...own) };
      });
    }
    const { author, own } = Astro.props;
    ---
    <h1>{author.data.name}</h1><ul>{own.map(({ data }) => <li>{data.title}</li>)}</ul><i>{process.env.BUILD}</i>`,
};

let service: RunningEmulator;
let site: Site;

let builds = 0;

/** The pages that a build rendered: they hold its number, and those that it restored hold that of an earlier one. */
async function rendered(): Promise<string[]> {
  builds += 1;
  await site.astro(['build'], { BUILD: `build-${builds}` });
  const pages = ['articles', 'authors', 'lists', 'titles'].flatMap((folder) =>
    readdirSync(join(site.folder, 'dist', folder)).map((id) => `${folder}/${id}`),
  );
  expect(pages).toHaveLength(PAGES);
  return pages.filter((page) => site.built(`${page}/index.html`).includes(`<i>build-${builds}</i>`)).sort();
}

beforeAll(async () => {
  service = await startEmulator(seed, { rateLimit: false });
  site = createSite(FILES, { LUID_BASE_URL: service.baseUrl, LUID_API_KEY: 'k' });
  expect(await rendered()).toHaveLength(PAGES);
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

describe('an incremental build of 2,122 pages renders', () => {
  test('nothing if nothing changed', async () => {
    expect(await rendered()).toEqual([]);
  });

  test('exactly the pages that show an edited article', async () => {
    service.contents.edit(1007, { title: 'Edited' });
    expect(await rendered()).toEqual(['articles/1007', 'authors/8', 'lists/titles']);
    expect(site.built('articles/1007/index.html')).toContain('Edited');
    expect(site.built('authors/8/index.html')).toContain('Edited');
    expect(site.built('lists/titles/index.html')).toContain('Edited');
  });

  test('exactly the pages that embed an edited author, and none of entries that leave the author out', async () => {
    service.contents.edit(3, { name: 'Renamed' });
    const embedding = Array.from({ length: ARTICLES / AUTHORS }, (_, n) => `articles/${1002 + n * AUTHORS}`);
    expect(await rendered()).toEqual([...embedding, 'authors/3', 'lists/names'].sort());
  });
});
