/** A site that uses every entry point of the package that sites import. */
export const SITE_FILES = {
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    const author = { name: field.text({ required: true }), portrait: field.media() };
    export const space = defineSpace({ models: {
      author,
      article: { title: field.text(), slug: field.text(), body: field.flexibleText(), cover: field.media(), author: field.reference('author') },
    } });
    export const untrusted = defineSpace({ models: {
      author,
      article: { title: field.text(), slug: field.text(), body: field.flexibleText({ sanitize: true }) },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) }) };`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space, untrusted } from './space.ts';
    export const collections = {
      fresh: defineLiveCollection({ loader: space.liveLoader('article', { from: 'service', id: 'slug' }) }),
      untrusted: defineLiveCollection({ loader: untrusted.liveLoader('article', { from: 'service' }) }),
    };`,
  'src/pages/[id].astro': `---
    import { Image } from 'astro:assets';
    import { getCollection, render } from 'astro:content';
    import { cacheKey } from 'astro-luid';
    import { headingsOf, LuidImage, LuidSeo, RichText } from 'astro-luid/components';
    import { mediaUrl } from 'astro-luid/media';
    export async function getStaticPaths() {
      return (await getCollection('articles')).map((article) => ({
        params: { id: article.id }, props: { article }, cacheKey: cacheKey(article),
      }));
    }
    const { article } = Astro.props;
    const { cover, author, title } = article.data;
    const { Content } = await render(article);
    ---
    <LuidSeo entry={article} siteName="Site" />
    <h1>{title}</h1><p>{author?.name}</p><Content />
    <section><RichText entry={article} /></section><p>{headingsOf(article).length} headings</p>
    {cover && <LuidImage media={cover} width={100} />}
    {cover && <Image src={cover.url} alt="" width={120} height={80} />}
    {cover && <a href={mediaUrl(cover, { width: 140 })}>large</a>}`,
  'src/pages/rss.json.ts': `
    import { getCollection } from 'astro:content';
    import { rssItems } from 'astro-luid/rss';
    export const GET = async () => Response.json(rssItems(await getCollection('articles'), { link: ({ id }) => '/' + id + '/' }));`,
  'src/components/Link.astro': '<x-link {...Astro.props}><slot /></x-link>',
  'src/pages/rich.json.ts': `
    import { experimental_AstroContainer as AstroContainer } from 'astro/container';
    import { RichText } from 'astro-luid/components';
    import Link from '../components/Link.astro';
    export const prerender = false;
    export async function GET() {
      const container = await AstroContainer.create();
      const props = { html: '<p><a href="/x">y</a></p>', components: { a: Link } };
      return Response.json(await container.renderToString(RichText, { props }).catch((error) => error.message));
    }`,
  'src/pages/key.astro': `---
    ---
    <script>
      import { cacheKey } from 'astro-luid';
      document.title = cacheKey({ id: location.pathname, digest: document.title });
    </script>`,
  'src/pages/fresh.astro': `---
    import { getLiveCollection, getLiveEntry } from 'astro:content';
    import { cacheKey } from 'astro-luid';
    export const prerender = false;
    const { entries = [], error } = await getLiveCollection('fresh');
    const { entry } = await getLiveEntry('fresh', { id: 'night-train' });
    ---
    <ul>{entries.map(({ data }) => <li>{data.title}</li>)}</ul><p>{entry?.data.author?.name}</p>
    <p>{error?.message}</p><p>{cacheKey({ id: 'a', digest: 'b' })}</p>`,
  'src/pages/untrusted.astro': `---
    import { getLiveCollection } from 'astro:content';
    export const prerender = false;
    const { error } = await getLiveCollection('untrusted');
    ---
    <p>{error?.name} {error?.message}</p>`,
};

/** An Astro config for each form of the `luid()` call. */
export const CONFIGS = {
  'luid()': configOf("import luid from 'astro-luid';", 'luid()'),
  'luid(options)': configOf("import luid from 'astro-luid';", 'luid({ poll: false })'),
  'luid(space, options)': configOf(
    "import luid from 'astro-luid/integration'; import { space } from './src/space.ts';",
    'luid(space, { poll: false })',
  ),
};

function configOf(imports: string, call: string): string {
  return `
    import node from '@astrojs/node';
    ${imports}
    export default {
      adapter: node({ mode: 'standalone' }),
      integrations: [${call}],
      // Small scripts become files too, so that their size can be measured.
      vite: { build: { assetsInlineLimit: 0 } },
    };`;
}
