import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { until } from '../support/until.ts';
import { startAstro } from './server.ts';
import { createSite, type Site } from './site.ts';

const SECRET = 'open sesame, little door';
const ENVIRONMENT = {
  LUID_BASE_URL: 'http://127.0.0.1:1/v1',
  LUID_ASSETS_URL: 'http://127.0.0.1:1/assets',
  LUID_API_KEY: 'key',
  LUID_PREVIEW_SECRET: SECRET,
};
/** Shows what it is and whether it is a preview. */
const heading = (name: string) => `<h1>${name} {Astro.locals.luid?.preview ? 'draft' : 'published'}</h1>`;

const configOf = (config: string) => `
  import node from '@astrojs/node';
  import { defineConfig, memoryCache } from 'astro/config';
  import luid from 'astro-luid/integration';
  import { space } from './src/space.ts';
  const preview = {
    routes: {
      '/': 'src/pages/index.astro',
      '/events': 'src/pages/events.astro',
      '/exit': 'src/pages/exit.astro',
      '/[...slug]': 'src/pages/[...slug].astro',
    },
  };
  export default defineConfig({
    adapter: node({ mode: 'standalone' }),
    cache: { provider: memoryCache() },
    integrations: [luid(space, { revalidate: true, preview })],
    ${config}
  });`;

const FILES = {
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { author: { name: field.text() } } });`,
  'src/pages/index.astro': heading('home'),
  'src/pages/events.astro': heading('events'),
  'src/pages/exit.astro': heading('exit'),
  'src/pages/[...slug].astro': `---
    export const getStaticPaths = () => [{ params: { slug: 'about' } }, { params: { slug: 'team/a' } }];
    ---
    ${heading('{Astro.params.slug}')}`,
  'src/pages/live/[slug].astro': `---
    import Late from '../../components/Late.astro';
    export const prerender = false;
    ---
    ${heading('{Astro.params.slug}')}<Late />`,
  // Sets the cache when the response has begun.
  'src/components/Late.astro': `---
    const turns = Number(Astro.url.searchParams.get('turns'));
    for (let turn = 0; turn < turns; turn++) await null;
    Astro.cache.set({ maxAge: 3600, tags: ['a'] });
    ---
    <p>late</p>`,
  'src/pages/moved.astro': `---
    export const prerender = false;
    return Astro.redirect('/live/a');
    ---`,
  'src/pages/throws.astro': `---
    export const prerender = false;
    throw new Error('on purpose');
    ---`,
  'src/pages/500.astro': `---
    export const prerender = false;
    Astro.response.headers.set('cache-control', 'public, max-age=600');
    ---
    ${heading('error')}`,
  'src/pages/api/delete.ts': `
    export const prerender = false;
    export const GET = () => new Response('deleted');
    export const POST = GET;`,
};

/** A built site and its server. */
async function startSite(
  config: string,
  files: Record<string, string> = FILES,
): Promise<{ site: Site; server: NodeServer }> {
  const site = createSite({ 'astro.config.mjs': config, ...files }, ENVIRONMENT, ['@astrojs/node']);
  await site.astro(['build']);
  const server = await startNodeServer(site.folder, { PATH: process.env.PATH, ...ENVIRONMENT });
  return { site, server };
}

async function enter(url: string, path = '/_luid/preview'): Promise<string> {
  const response = await fetch(`${url}${path}?${new URLSearchParams({ secret: SECRET })}`, {
    redirect: 'manual',
  });
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

describe('the pages of a preview', () => {
  let site: Site;
  let server: NodeServer;
  let cookie: string;
  beforeAll(async () => {
    ({ site, server } = await startSite(configOf('')));
    cookie = await enter(server.url);
  });
  afterAll(async () => {
    await server?.close();
    site?.remove();
  });

  const get = (path: string, method = 'GET') => {
    const headers = { cookie, origin: server.url };
    return fetch(server.url + path, { redirect: 'manual', method, headers });
  };

  test.each([
    ['/_luid/preview', 'home'],
    ['/_luid/preview/', 'home'],
    ['/_luid/preview/events', 'events'],
    ['/_luid/preview/exit', 'exit'],
    ['/_luid/preview/about', 'about'],
    ['/_luid/preview/team/a', 'team/a'],
    ['/_luid/preview/live/a', 'a'],
    ['/_luid/preview/live/100%25', '100%'],
    ['/_luid/preview/live/50%25%20off', '50% off'],
  ])('are shown at %s: %s', async (path, name) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining(`<h1>${name} draft</h1>`),
    ]);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('are not shown without the cookie, nor are their twins', async () => {
    for (const path of ['/_luid/preview', '/_luid/preview/about', '/_luid/preview/live/a']) {
      expect((await fetch(server.url + path)).status, path).toBe(401);
    }
    for (const path of ['/_luid/preview-page', '/_luid/preview-page/about']) {
      expect((await fetch(server.url + path)).status, path).toBe(404);
      expect((await get(path)).status, path).toBe(404);
    }
  });

  test('stay out of the route cache although a component sets it when the response has begun', async () => {
    for (const path of ['/live/a', '/_luid/preview/live/a']) {
      for (let turns = 0; turns < 60; turns++) {
        const url = `${path}?turns=${turns}`;
        expect(await (await get(url)).text()).toContain('draft');
        const visitor = await fetch(server.url + url);
        expect(await visitor.text(), url).not.toContain('draft');
      }
    }
  });

  test('do not include endpoints, and are not sent to', async () => {
    expect(await (await get('/api/delete', 'POST')).text()).toBe('deleted');
    expect((await get('/_luid/preview/api/delete', 'POST')).status).toBe(405);
    expect((await get('/_luid/preview/live/a', 'POST')).status).toBe(405);
    expect((await get('/_luid/preview/api/delete')).status).toBe(404);
  });

  test('are not shown where a browser may read the path as that of another site', async () => {
    const paths = ['//live/a', '/%2Flive/a', '/%5Clive/a', '/live/%5Ca', '/live//a', '/%252e/live/a'];
    for (const path of paths)
      expect([path, (await get(`/_luid/preview${path}`)).status]).toEqual([path, 404]);
    expect((await get('//_luid/preview/live/a')).status).toBe(404);
  });

  test('lead to each other when they redirect', async () => {
    expect((await get('/_luid/preview/moved')).headers.get('location')).toBe('/_luid/preview/live/a');
    expect((await get('/moved')).headers.get('location')).toBe('/live/a');
  });

  test.each(['/throws', '/_luid/preview/throws'])('show an error at %s that is not cached', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining('<h1>error draft</h1>'),
    ]);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });
});

test("a site with a base and trailingSlash: 'never' has a preview of its home page", async () => {
  const { site, server } = await startSite(configOf("base: '/docs', trailingSlash: 'never',"));
  try {
    const cookie = await enter(server.url, '/docs/_luid/preview');
    const get = async (path: string) => (await fetch(server.url + path, { headers: { cookie } })).text();
    expect(await get('/docs/_luid/preview')).toContain('<h1>home draft</h1>');
    expect(await get('/docs/_luid/preview/about')).toContain('<h1>about draft</h1>');
    expect(await get('/docs/_luid/preview/live/a')).toContain('<h1>a draft</h1>');
    expect(await get('/docs/_luid/preview//live/a')).toContain('The preview has no such page');
  } finally {
    await server.close();
    site.remove();
  }
});

test('a page that is shown in place of one in another language has a preview', async () => {
  const i18n = `i18n: {
    locales: ['en', 'ja'],
    defaultLocale: 'en',
    fallback: { ja: 'en' },
    routing: { fallbackType: 'rewrite' },
  },`;
  // A rewrite of Astro prefers a page for all paths.
  const { 'src/pages/[...slug].astro': _, ...files } = FILES;
  const config = configOf(i18n).replace(/'\/\[\.\.\.slug\]'.*/, '');
  const { site, server } = await startSite(config, files);
  try {
    const cookie = await enter(server.url);
    const get = async (path: string) => (await fetch(server.url + path, { headers: { cookie } })).text();
    expect(await get('/ja/live/a')).toContain('<h1>a draft</h1>');
    expect(await get('/_luid/preview/ja/live/a')).toContain('<h1>a draft</h1>');
  } finally {
    await server.close();
    site.remove();
  }
});

test('a page that is added while a dev server runs is known to the preview', async () => {
  const files = { ...FILES, 'astro.config.mjs': configOf('').replace(/'\/\[\.\.\.slug\]'.*/, '') };
  const { 'src/pages/[...slug].astro': _, ...rest } = files;
  const site = createSite(rest, ENVIRONMENT, ['@astrojs/node']);
  const server = await startAstro(['dev'], site.folder, ENVIRONMENT);
  try {
    const cookie = await enter(server.url.replace(/\/$/, ''));
    const get = (path: string) => fetch(new URL(path, server.url), { headers: { cookie } });
    expect((await get('/_luid/preview/added')).status).toBe(404);
    expect(await (await get('/_luid/preview')).text()).toContain('home draft');
    expect((await get('/_luid/preview/live/a')).status).toBe(200);
    expect((await get('/_luid/preview//live/a')).status).toBe(404);
    site.write({
      'src/pages/added.astro': heading('added'),
      'src/pages/added-live.astro': `---\nexport const prerender = false;\n---\n${heading('added')}`,
    });
    await until(async () => (await get('/added-live')).status === 200);
    await until(async () => (await (await get('/_luid/preview/added-live')).text()).includes('added draft'));
    const prerendered = await get('/_luid/preview/added');
    expect([prerendered.status, await prerendered.text()]).toEqual([
      404,
      expect.stringContaining('This page is prerendered'),
    ]);
  } finally {
    await server.close();
    site.remove();
  }
});
