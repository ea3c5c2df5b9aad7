import node from '@astrojs/node';
import sitemap from '@astrojs/sitemap';
import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { sitemapSerialize } from 'astro-luid/sitemap';
import { to, toPage } from './src/languages.ts';
import { space } from './src/space.ts';

export default defineConfig({
  site: process.env.SITE_URL ?? 'http://localhost:4321',
  // Pages are built; only the preview of drafts is rendered on demand.
  output: 'static',
  adapter: node({ mode: 'standalone' }),
  integrations: [
    luid(space, {
      preview: { routes: { '/[...lang]/articles/[id]': 'src/pages/[...lang]/articles/[id].astro' } },
    }),
    sitemap({
      i18n: { defaultLocale: 'ja', locales: { ja: 'ja', en: 'en' } },
      filter: (page) => !page.endsWith('/drafts/'),
      serialize: sitemapSerialize({
        articles: ({ data }) => to(data._lang, 'articles', data.slug),
        authors: ({ data }) => to(data._lang, 'authors', data.slug),
        categories: ({ data }) => to(data._lang, 'categories', data.slug),
        galleries: ({ data }) => to(data._lang, 'gallery', data.slug),
        pages: ({ data }) => toPage(data._lang, data.slug),
      }),
    }),
  ],
  experimental: { incrementalBuild: true },
});
