import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { dotEnv } from './dev-site.ts';
import { startAstro } from './server.ts';
import { createSite, type Site } from './site.ts';

const SECRET = 'open sesame, little door';
const DRAFT = 'A draft that nobody may see';
const ARTICLE = 301;
const SLUG = 'harbour-at-dusk';

const FILES = {
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import { defineConfig, memoryCache } from 'astro/config';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default defineConfig({
      trailingSlash: 'always',
      adapter: node({ mode: 'standalone' }),
      cache: { provider: memoryCache() },
      integrations: [luid(space, { revalidate: true, preview: true })],
    });`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      models: {
        author: { name: field.text() },
        article: { title: field.text(), slug: field.text(), author: field.reference('author') },
      },
    });`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    const live = (model, options) => defineLiveCollection({ loader: space.liveLoader(model, { ...options }) });
    export const collections = {
      articles: live('article', { id: 'slug', references: { author: 'authors' } }),
      authors: live('author', { id: 'name' }),
      people: live('author', {}),
    };`,
  'src/pages/articles/[slug].astro': `---
    import { getLiveEntry } from 'astro:content';
    import { PreviewBar } from 'astro-luid/components';
    import { space } from '../../space.ts';
    export const prerender = false;
    const draft = await space.getPreviewEntry(Astro, 'article', { id: 'slug' });
    const { entry, error } = draft ? { entry: draft } : await getLiveEntry('articles', Astro.params.slug);
    ---
    <html lang="ja"><head><meta charset="utf-8" /><title>x</title></head>
    <body><PreviewBar entry={entry} /><h1>{entry?.data.title ?? String(error)}</h1><p>{JSON.stringify(entry?.data.author)}</p></body></html>`,
};

describe("a site with trailingSlash: 'always'", () => {
  let service: RunningEmulator;
  let site: Site;
  let server: NodeServer;
  beforeAll(async () => {
    const { seed, directory } = smallSeed();
    service = await startEmulator(seed, { directory });
    site = createSite({ '.env': dotEnv(service), ...FILES }, {}, ['@astrojs/node']);
    await site.astro(['build']);
    service.contents.saveDraft(ARTICLE, { title: DRAFT });
    const env = parseEnv(dotEnv(service));
    const secrets = { LUID_PREVIEW_SECRET: SECRET, LUID_REFRESH_SECRET: SECRET };
    server = await startNodeServer(site.folder, { PATH: process.env.PATH, ...env, ...secrets });
  });
  afterAll(async () => {
    await server?.close();
    await service?.close();
    site?.remove();
  });

  const get = (path: string, cookie = '') =>
    fetch(server.url + path, { redirect: 'manual', headers: { ...(cookie && { cookie }) } });

  test('knows the names of its live collections before a page uses them', async () => {
    const html = await (await get(`/articles/${SLUG}/`)).text();
    expect(html).toMatch(
      /<p>\{&quot;collection&quot;:&quot;authors&quot;,&quot;id&quot;:&quot;.*[^\d].*&quot;\}<\/p>/,
    );
  });

  test('shows a preview whose bar has URLs that exist', async () => {
    const query = new URLSearchParams({ secret: SECRET, to: `/articles/${SLUG}` });
    const entered = await get(`/_luid/preview/?${query}`);
    expect(entered.status).toBe(303);
    const location = entered.headers.get('location') ?? '';
    expect(location).toBe(`/_luid/preview/articles/${SLUG}/`);
    const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const html = await (await get(location, cookie)).text();
    expect(html).toContain(`<h1>${DRAFT}</h1>`);
    const urls = [...html.matchAll(/"(\/_luid\/preview-(?:events|exit|bar)[^"]*)"/g)].map(
      ([, url]) => url ?? '',
    );
    expect(urls.map((url) => url.split('?', 1)[0]).sort()).toEqual([
      '/_luid/preview-bar.css',
      '/_luid/preview-bar.js',
      '/_luid/preview-events/',
      '/_luid/preview-exit/',
    ]);
    for (const url of urls) {
      const response = await get(url.replaceAll('&#38;', '&'), cookie);
      expect([url, response.status]).toEqual([url, url.includes('exit') ? 303 : 200]);
      await response.body?.cancel();
    }
  });

  test('is refreshed at the URL with a slash', async () => {
    const headers = { 'x-luid-secret': SECRET, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/_luid/refresh/`, { method: 'POST', headers, body: '{}' });
    expect(await response.json()).toMatchObject({ refreshed: true });
  });

  test('knows the names in the dev server, too', async () => {
    const dev = await startAstro(['dev'], site.folder);
    try {
      expect(await dev.page(`/articles/${SLUG}/`)).toContain('{&quot;collection&quot;:&quot;authors&quot;');
    } finally {
      await dev.close();
    }
  });
});
