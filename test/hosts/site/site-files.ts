import type { Seed } from '../../../src/emulator/index.ts';
import type { Adapter } from './adapters.ts';

export const REFRESH_SECRET = 'open sesame, little door';
export const PREVIEW_SECRET = 'show me the drafts, please';

/** The content of the site: an article that is published, and one that is a draft too. */
export const SEED = {
  languages: { main: 'ja', sub: [] },
  keys: [
    { key: 'published-key', reads: 'published' },
    { key: 'drafts-key', reads: 'drafts' },
  ],
  models: { article: { title: { type: 'text', title: true }, cover: { type: 'media' } } },
  media: [{ id: 900, file: 'a.jpg', alt: { ja: 'A' } }],
  contents: [1, 2, 3].map((id) => ({
    id,
    model: 'article',
    created_at: `2026-01-0${id}T00:00:00Z`,
    published: { ja: { title: `Title ${id}`, cover: 900 } },
    ...(id === 2 && { draft: { ja: { title: 'Draft 2', cover: 900 } } }),
  })),
} satisfies Seed;

const CONFIG = `
  import { defineConfig } from 'astro/config';
  import luid from 'astro-luid/integration';
  import { adapter, provider } from './adapter.mjs';
  import { space } from './src/space.ts';
  export default defineConfig({
    adapter,
    cache: { provider },
    integrations: [luid(space, { revalidate: true, preview: true })],
  });`;

const SPACE = `
  import { defineSpace, field } from 'astro-luid';
  import { storage } from './storage.ts';
  export const space = defineSpace({
    languages: { main: 'ja' },
    cache: storage ? { storage } : { dir: process.env.LUID_CACHE_DIR },
    network: { retries: 0 },
    models: { article: { title: field.text({ title: true }), cover: field.media() } },
  });`;

/** One site for all hosts, but for its adapter. Each page contains what it shows as `<b>…</b>`. */
export function siteFiles({ files }: Adapter): Record<string, string> {
  return {
    ...files,
    'astro.config.mjs': CONFIG,
    'src/space.ts': SPACE,
    'src/content.config.ts': `
      import { defineCollection } from 'astro:content';
      import { space } from './space';
      export const collections = { built: defineCollection({ loader: space.loader('article') }) };`,
    'src/live.config.ts': `
      import { defineLiveCollection } from 'astro:content';
      import { space } from './space';
      export const collections = {
        articles: defineLiveCollection({ loader: space.liveLoader('article', { refresh: process.env.LUID_SITE_REFRESH ?? '2s' }) }),
        fresh: defineLiveCollection({ loader: space.liveLoader('article', { from: 'service' }) }),
      };`,
    'src/pages/static.astro': `---
      import { getCollection } from 'astro:content';
      import { LuidImage } from 'astro-luid/components';
      export const prerender = true;
      const [first] = (await getCollection('built')).sort((a, b) => a.data._id - b.data._id);
      ---
      <b>{first.data.title}</b><LuidImage media={first.data.cover} width={120} height={80} />`,
    'src/pages/articles/[id].astro': `---
      import { getLiveEntry } from 'astro:content';
      export const prerender = false;
      const { entry, error, cacheHint } = await getLiveEntry('articles', Astro.params.id);
      if (!entry) return new Response(null, { status: error?.name === 'LiveEntryNotFoundError' ? 404 : 503 });
      Astro.cache.set({ ...cacheHint, maxAge: 86400 });
      ---
      <b>{entry.data.title}</b>`,
    'src/pages/list.astro': `---
      import { getLiveCollection } from 'astro:content';
      export const prerender = false;
      const { entries, error, cacheHint } = await getLiveCollection('articles', { order: '_id' });
      if (error) return new Response(null, { status: 503 });
      Astro.cache.set({ ...cacheHint, maxAge: 86400 });
      ---
      <b>{entries.map(({ data }) => data.title).join(', ')}</b>`,
    'src/pages/fresh/[id].astro': `---
      import { getLiveEntry } from 'astro:content';
      export const prerender = false;
      const { entry } = await getLiveEntry('fresh', Astro.params.id);
      if (!entry) return new Response(null, { status: 503 });
      ---
      <b>{entry.data.title}</b>`,
    'src/pages/drafts/[id].astro': `---
      import { PreviewBar } from 'astro-luid/components';
      import { space } from '../../space';
      export const prerender = false;
      const entry = await space.getPreviewEntry(Astro, 'article', { depth: 1 });
      ---
      <PreviewBar /><b>{entry?.data.title ?? 'no draft'}</b>`,
  };
}
