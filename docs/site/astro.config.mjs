// The documentation as a site. Its pages are the Markdown files in the folder above: `npm run docs` in the repository.
import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { labelCells, linksToRoutes, withoutTitle } from './markdown.mjs';
import { SIDEBAR } from './sidebar.mjs';

export default defineConfig({
  // Where the site is published is up to who publishes it.
  ...(process.env.SITE_URL && { site: process.env.SITE_URL }),
  ...(process.env.SITE_BASE && { base: process.env.SITE_BASE }),
  trailingSlash: 'always',
  markdown: {
    processor: satteri({
      hastPlugins: [withoutTitle(), labelCells(), linksToRoutes({ base: process.env.SITE_BASE })],
      // Code and messages are quoted as they are.
      features: { smartPunctuation: false },
    }),
  },
  integrations: [
    starlight({
      title: 'astro-luid',
      description: 'A headless CMS space in Astro: typed collections, and rebuilds that cost what changed.',
      locales: { root: { label: 'English', lang: 'en' }, ja: { label: '日本語', lang: 'ja' } },
      sidebar: SIDEBAR,
      customCss: ['./src/styles/site.css'],
      markdown: { processedDirs: ['..'] },
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      credits: false,
    }),
  ],
});
