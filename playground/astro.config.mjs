import node from '@astrojs/node';
import sitemap from '@astrojs/sitemap';
import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { space } from './src/space.ts';

export default defineConfig({
  site: process.env.SITE_URL ?? 'http://localhost:4321',
  // Pages are built; only the preview of drafts is rendered on demand.
  output: 'static',
  adapter: node({ mode: 'standalone' }),
  integrations: [
    luid(space),
    sitemap({
      i18n: { defaultLocale: 'ja', locales: { ja: 'ja', en: 'en' } },
      filter: (page) => !page.includes('/preview'),
    }),
  ],
  experimental: { incrementalBuild: true },
});
