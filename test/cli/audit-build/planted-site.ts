/** A space whose items were all edited at the same time. */
const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
const times = (n: number) => ({ created_at: day(n), published_at: day(n), updated_at: day(20) });

export const plantedSeed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [{ key: 'k', reads: 'published' }],
  models: {
    author: { name: { type: 'text' } },
    article: {
      title: { type: 'text' },
      slug: { type: 'text' },
      lead: { type: 'multiline' },
      date: { type: 'datetime' },
      author: { type: 'reference', model: 'author' },
    },
  },
  contents: [
    { id: 1, model: 'author', ...times(1), published: { ja: { name: 'Mori Yuri' } } },
    { id: 2, model: 'author', ...times(2), published: { ja: { name: 'Onishi Go' } } },
    ...['Harbour', 'Kiln', 'Night'].map((name, n) => ({
      id: 11 + n,
      model: 'article',
      ...times(11 + n),
      published: {
        ja: {
          title: `${name} ja`,
          slug: name.toLowerCase(),
          lead: `About ${name}`,
          date: day(11 + n),
          author: 1 + (n % 2),
        },
        en: { title: `${name} en`, slug: name.toLowerCase(), lead: `On ${name}` },
      },
    })),
  ],
};

/** A route with one page, at `/NAME/`. */
const page = (key: string, html: string) => `---
    import { getCollection } from 'astro:content';
    import { cacheKey, collectionKey } from 'astro-luid';
    export async function getStaticPaths() {
      const articles = (await getCollection('articles')).sort((a, b) => a.data._id - b.data._id);
      return [{ params: { page: undefined }, props: { articles }, cacheKey: ${key} }];
    }
    const { articles } = Astro.props;
    ---
    ${html}`;

/** A route with a page per entry, at `/NAME/SLUG/`. */
const pages = (collection: string, key: string, html: string, more = '') => `---
    import { getCollection, getEntry } from 'astro:content';
    import { cacheKey, collectionKey } from 'astro-luid';
    export async function getStaticPaths() {
      const entries = await getCollection('${collection}');
      return entries.map((entry) => ({ params: { id: entry.id }, props: { entry }, cacheKey: ${key} }));
    }
    const { entry } = Astro.props;
    ${more}
    ---
    ${html}`;

const TITLES = '<ul>{articles.map(({ data }) => <li>{data.title}</li>)}</ul>';

export const PLANTED_FILES = {
  'package.json': '{ "type": "module" }',
  'astro.config.mjs': 'export default { experimental: { incrementalBuild: true } };',
  '.gitignore': 'node_modules\ndist\n.astro\n',
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ languages: { main: 'ja', sub: ['en'] }, models: {
      author: { name: field.text() },
      article: {
        title: field.text(), slug: field.text(), lead: field.multiline(), date: field.datetime(),
        author: field.reference('author'),
      },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }),
      translations: defineCollection({ loader: space.loader('article', { id: 'slug', lang: 'en' }) }),
      authors: defineCollection({ loader: space.loader('author') }),
    };`,

  // Pages whose keys forget something.
  'src/pages/field/[...page].astro': page(
    "collectionKey(articles, { fields: ['title'] })",
    '<ul>{articles.map(({ data }) => <li>{data.title}: {data.lead}</li>)}</ul>',
  ),
  'src/pages/sidebar/[id].astro': pages(
    'authors',
    'cacheKey(entry)',
    '<h1>{entry.data.name}</h1><aside>{articles.map(({ data }) => <p>{data.title}</p>)}</aside>',
    "const articles = (await getCollection('articles')).sort((a, b) => a.data._id - b.data._id);",
  ),
  'src/pages/embedded/[id].astro': pages(
    'articles',
    'entry.id + entry.data._updated_at.toISOString()',
    '<h1>{entry.data.title}</h1><p>{entry.data.author?.name}</p>',
  ),
  'src/pages/by-id/[id].astro': pages('articles', 'entry.id', '<h1>{entry.data.title}</h1>'),
  'src/pages/added/[...page].astro': page('cacheKey(...articles.slice(0, 3))', TITLES),
  'src/pages/removed/[...page].astro': page(
    'Math.max(...articles.map(({ data }) => Number(data._updated_at)))',
    TITLES,
  ),
  'src/pages/order/[...page].astro': page(
    "collectionKey(articles, { fields: ['title'] })",
    '<ul>{articles.toSorted((a, b) => b.data.date - a.data.date).map(({ data }) => <li>{data.title}</li>)}</ul>',
  ),
  'src/pages/language/[id].astro': pages(
    'articles',
    'cacheKey(entry)',
    '<h1>{entry.data.title}</h1><p>{translation?.data.title}</p>',
    "const translation = await getEntry('translations', entry.id);",
  ),

  // Pages whose keys are right.
  'src/pages/right/[...page].astro': page(
    "collectionKey(articles, { fields: ['title', 'slug', 'author.name'] })",
    '<ul>{articles.map(({ data }) => <li><a href={data.slug}>{data.title}</a> {data.author?.name}</li>)}</ul>',
  ),
  'src/pages/whole/[id].astro': pages(
    'articles',
    'cacheKey(entry)',
    '<h1>{entry.data.title}</h1><p>{entry.data.lead} {entry.data.author?.name}</p>',
  ),
  // What differs in every build is not an omission.
  'src/pages/stamped/[...page].astro': page(
    "collectionKey(articles, { fields: ['title'] })",
    `${TITLES}<p>Built at {new Date().toISOString()} <b data-id={Math.random()}>now</b></p>`,
  ),
  'src/pages/unstable/[...page].astro': page('Math.random()', TITLES),
};
