/**
 * Sites with the same pages: one page per article, with its author, images, text and blocks, and a front page.
 * They differ in the loader and in which pages Astro can reuse.
 */

const articlePage = (head: string, article: string) => `---
${head}
---
<html lang="en"><head><meta charset="utf-8" /><title>{title}</title></head><body><main>
${article}
</main></body></html>`;

const frontPage = (name: string) => `---
import { getCollection } from 'astro:content';
const articles = await getCollection('articles');
---
<html lang="en"><head><title>All</title></head><body>
<ul>{articles.map((article) => <li><a href={\`/articles/\${article.id}/\`}>{article.data.title}</a></li>)}</ul>
<p>${name}</p></body></html>`;

export const INCREMENTAL = 'export default { experimental: { incrementalBuild: true } };';

/** The article with hand-written image tags. */
const plainArticle = (source: string, body = '<Content />') => `
<h1>{title}</h1>
<img src={\`\${${source}(data.cover)}?width=720\`} width="720" height="480" alt="" />
<p><img src={\`\${${source}(author.portrait)}?width=96\`} width="96" height="96" alt="" />{author.name}</p>
${body}
{data.blocks.map(({ luid, fields }) => luid === 'quote'
  ? <blockquote>{fields.text}</blockquote>
  : <figure><img src={\`\${${source}(fields.image)}?width=720\`} width="720" height="480" alt="" /><figcaption>{fields.caption}</figcaption></figure>)}`;

/** A loader as in Astro's documentation; every build renders all pages. */
export const handWritten = {
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    const articles = {
      name: 'articles',
      async load({ store, generateDigest, renderMarkdown }) {
        const items = [];
        for (let total = 1; items.length < total; ) {
          const query = new URLSearchParams({ model: 'article', depth: '1', limit: '100', offset: String(items.length), 'body[format]': 'markdown' });
          const response = await fetch(process.env.LUID_BASE_URL + '/contents?' + query, { headers: { 'X-SERVICE-API-KEY': process.env.LUID_API_KEY } });
          if (!response.ok) throw new Error('Unexpected status ' + response.status);
          const page = await response.json();
          items.push(...page.data);
          total = page.total;
        }
        store.clear();
        for (const item of items) {
          store.set({ id: String(item._id), data: item, body: item.body, rendered: await renderMarkdown(item.body), digest: generateDigest(item) });
        }
      },
    };
    export const collections = { articles: defineCollection({ loader: articles }) };`,
  'src/pages/index.astro': frontPage('hand-written'),
  'src/pages/articles/[id].astro': articlePage(
    `import { getCollection, render } from 'astro:content';
export async function getStaticPaths() {
  return (await getCollection('articles')).map((article) => ({ params: { id: article.id }, props: { article } }));
}
const { article } = Astro.props;
const { data } = article;
const { author, title } = data;
const { Content } = await render(article);`,
    plainArticle('((media) => media.url)'),
  ),
};

/** The HTML of the field instead of the rendered body, so that all loaders store the same. */
export const HTML_FIELD = '<Fragment set:html={data.body} />';

/**
 * The pages for a collection of articles with HTML and one of authors, from any loader, with cache keys that cover
 * everything on a page.
 */
export const pagesWithAuthors = (body?: string) => ({
  'src/pages/index.astro': frontPage('HTML'),
  'src/pages/articles/[id].astro': articlePage(
    `import { getCollection, render } from 'astro:content';
export async function getStaticPaths() {
  const authors = new Map((await getCollection('authors')).map((author) => [author.id, author]));
  return (await getCollection('articles')).map((article) => {
    const author = authors.get(String(article.data.author));
    return { params: { id: String(Number(article.id)) }, props: { article, author: author.data }, cacheKey: article.digest + ' ' + author.digest };
  });
}
const { article, author } = Astro.props;
const { data } = article;
const { title } = data;
const { Content } = await render(article);`,
    plainArticle("((media) => media.url ?? '/files/' + media)", body),
  ),
});

const pocketBaseSite = (articleOptions: string, body?: string) => ({
  'astro.config.mjs': INCREMENTAL,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { pocketbaseLoader } from 'astro-loader-pocketbase';
    const options = { url: process.env.POCKETBASE_URL, updatedField: 'updated', localSchema: 'pb_schema.json' };
    export const collections = {
      authors: defineCollection({ loader: pocketbaseLoader({ ...options, collectionName: 'authors' }) }),
      articles: defineCollection({ loader: pocketbaseLoader({ ...options, collectionName: 'articles' ${articleOptions} }) }),
    };`,
  'pb_schema.json': JSON.stringify(
    Object.entries({
      authors: { name: 'text', portrait: 'text' },
      articles: { title: 'text', body: 'editor', cover: 'text', author: 'text', blocks: 'json' },
    }).map(([name, fields]) => ({
      name,
      type: 'base',
      fields: Object.entries({ id: 'text', ...fields, created: 'autodate', updated: 'autodate' }).map(
        ([luid, type]) => ({
          id: luid,
          name: luid,
          type,
          hidden: false,
          required: true,
          ...(luid === 'updated' && { onUpdate: true, onCreate: true }),
        }),
      ),
    })),
  ),
  ...pagesWithAuthors(body),
});

/** astro-loader-pocketbase and Astro's incremental build. */
export const pocketBase = pocketBaseSite(", contentFields: 'body'");
export const pocketBaseWithoutBody = pocketBaseSite('', HTML_FIELD);

/** The same with astro-luid: HTML, no dimensions, and authors in a collection of their own. */
const likePocketBase = (articleOptions: string, body?: string) => ({
  'astro.config.mjs': INCREMENTAL,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { defineSpace, field } from 'astro-luid';
    const space = defineSpace({
      network: { requestsPerMinute: Infinity },
      models: {
        author: { name: field.text({ required: true }), portrait: field.media() },
        article: {
          title: field.text({ required: true }),
          body: field.flexibleText({ format: 'html' }),
          cover: field.media(),
          author: field.reference('author'),
          blocks: field.combination({ quote: { text: field.multiline() }, picture: { image: field.media(), caption: field.text() } }),
        },
      },
    });
    export const collections = {
      authors: defineCollection({ loader: space.loader('author', { depth: 0 }) }),
      articles: defineCollection({ loader: space.loader('article', ${articleOptions}) }),
    };`,
  ...pagesWithAuthors(body),
});

export const oursAsPocketBase = likePocketBase("{ depth: 0, body: 'body' }");
export const oursWithoutBody = likePocketBase('{ depth: 0 }', HTML_FIELD);

export const ours = {
  'astro.config.mjs': INCREMENTAL,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { defineSpace, field } from 'astro-luid';
    const space = defineSpace({
      dimensions: true,
      network: { requestsPerMinute: Infinity },
      models: {
        author: { name: field.text({ required: true }), portrait: field.media() },
        article: {
          title: field.text({ required: true }),
          body: field.flexibleText({ format: 'markdown' }),
          cover: field.media(),
          author: field.reference('author'),
          blocks: field.combination({ quote: { text: field.multiline() }, picture: { image: field.media(), caption: field.text() } }),
        },
      },
    });
    export const collections = { articles: defineCollection({ loader: space.loader('article', { body: 'body' }) }) };`,
  'src/components/Quote.astro': '<blockquote>{Astro.props.text}</blockquote>',
  'src/components/Picture.astro': `---
import { LuidImage } from 'astro-luid/components';
---
<figure><LuidImage media={Astro.props.image} width={720} /><figcaption>{Astro.props.caption}</figcaption></figure>`,
  'src/pages/index.astro': frontPage('astro-luid'),
  'src/pages/articles/[id].astro': articlePage(
    `import { getCollection, render } from 'astro:content';
import { cacheKey } from 'astro-luid';
import { Blocks, LuidImage } from 'astro-luid/components';
import Picture from '../../components/Picture.astro';
import Quote from '../../components/Quote.astro';
export async function getStaticPaths() {
  return (await getCollection('articles')).map((article) => ({ params: { id: article.id }, props: { article }, cacheKey: cacheKey(article) }));
}
const { article } = Astro.props;
const { data } = article;
const { author, title } = data;
const { Content } = await render(article);`,
    `
<h1>{title}</h1>
<LuidImage media={data.cover} width={720} />
<p><LuidImage media={author.portrait} layout="fixed" width={96} height={96} />{author.name}</p>
<Content />
<Blocks blocks={data.blocks} components={{ quote: Quote, picture: Picture }} />`,
  ),
};
