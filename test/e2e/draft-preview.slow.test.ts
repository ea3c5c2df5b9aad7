import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { dotEnv } from './dev-site.ts';
import { createSite, type Site } from './site.ts';

/** Where to put screenshots, for a person who wants to look at them. */
const SCREENSHOTS = process.env.LUID_SCREENSHOTS;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const SECRET = 'open sesame, little door';
const DRAFT = 'A draft that nobody may see';
const ARTICLE = 301;
const SLUG = 'harbour-at-dusk';

/** One page is prerendered and has a twin; one is rendered on demand and cached; one shows drafts of a replica. */
const FILES = {
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import { defineConfig, memoryCache } from 'astro/config';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default defineConfig({
      adapter: node({ mode: 'standalone' }),
      cache: { provider: memoryCache() },
      integrations: [
        luid(space, {
          editUrl: 'https://cms.test/{model}/{id}',
          preview: { routes: { '/articles/[slug]': 'src/pages/articles/[slug].astro' } },
        }),
      ],
    });`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      models: {
        author: { name: field.text() },
        article: {
          title: field.text(), slug: field.text(), author: field.reference('author'),
          body: field.flexibleText(),
        },
      },
    });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) }),
    };`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      live: defineLiveCollection({ loader: space.liveLoader('article', { from: 'service', id: 'slug', body: 'body' }) }),
    };`,
  'src/pages/articles/[slug].astro': `---
    import { getCollection, render } from 'astro:content';
    import { PreviewBar } from 'astro-luid/components';
    import { space } from '../../space.ts';
    export const prerender = true;
    export async function getStaticPaths() {
      return (await getCollection('articles')).map((entry) => ({ params: { slug: entry.id }, props: { entry } }));
    }
    const entry =
      Astro.props.entry ?? (await space.getPreviewEntry(Astro, 'article', { id: 'slug', body: 'body' }));
    if (!entry) return new Response('Not found', { status: 404 });
    const { Content } = await render(entry);
    ---
    <html lang="ja"><head><meta charset="utf-8" /><title>x</title></head>
    <body><PreviewBar entry={entry} /><main><h1>{entry.data.title}</h1><Content /></main></body></html>`,
  'src/pages/live/[slug].astro': `---
    import { getLiveEntry } from 'astro:content';
    import { PreviewBar } from 'astro-luid/components';
    import { space } from '../../space.ts';
    export const prerender = false;
    const draft = await space.getPreviewEntry(Astro, 'article', { id: 'slug' });
    const { entry = draft } = draft ? {} : await getLiveEntry('live', Astro.params.slug);
    Astro.cache.set({ maxAge: 3600 });
    Astro.response.headers.set('cache-control', 'public, max-age=600');
    ---
    <html lang="ja"><head><meta charset="utf-8" /><title>x</title></head>
    <body><PreviewBar entry={entry} /><main><h1>{entry?.data.title}</h1><a href="/live/tea">tea</a></main></body></html>`,
  'src/pages/replica/[slug].astro': `---
    import { space } from '../../space.ts';
    export const prerender = false;
    const entry = await space.getPreviewEntry(Astro, 'article', { from: 'replica', refresh: '1s', id: 'slug', depth: 2 });
    ---
    <html lang="ja"><head><meta charset="utf-8" /><title>x</title></head>
    <body><main><h1>{entry ? entry.data.title : 'published only'}</h1></main></body></html>`,
  // What <ClientRouter /> does: its own script cannot be built where the package is a link.
  'src/pages/router/[slug].astro': `---
    import { PreviewBar } from 'astro-luid/components';
    export const prerender = false;
    const other = Astro.params.slug === 'one' ? 'two' : 'one';
    ---
    <html lang="en">
    <head><meta charset="utf-8" /><title>x</title><meta name="astro-view-transitions-enabled" content="true" /></head>
    <body><PreviewBar /><main><h1>{Astro.params.slug}</h1><a href={'/router/' + other}>{other}</a></main>
    <script>
      import { navigate } from 'astro:transitions/client';
      document.addEventListener('click', (event) => {
        const link = event.target.closest('main a');
        if (!link) return;
        event.preventDefault();
        navigate(link.href);
      });
    </script>
    </body></html>`,
  'src/middleware.ts': `
    export async function onRequest(context, next) {
      const response = await next();
      if (!context.isPrerendered) response.headers.set('content-security-policy', "default-src 'self'");
      return response;
    }`,
  'src/pages/index.astro':
    '<html lang="en"><head><title>Home</title></head><body><h1>Home</h1></body></html>',
  'src/pages/state.json.ts': `
    export const prerender = false;
    export const GET = ({ locals }) => Response.json(locals.luid);`,
};

describe('a preview of drafts on a Node server', () => {
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
    server = await startNodeServer(site.folder, {
      PATH: process.env.PATH,
      ...env,
      LUID_PREVIEW_SECRET: SECRET,
    });
  });
  afterAll(async () => {
    await server?.close();
    await service?.close();
    site?.remove();
  });

  const get = (path: string, cookie = '') =>
    fetch(server.url + path, { redirect: 'manual', headers: { ...(cookie && { cookie }) } });

  async function enter(to = '/'): Promise<{ cookie: string; location: string; response: Response }> {
    const response = await get(`/_luid/preview?${new URLSearchParams({ secret: SECRET, to })}`);
    const cookie = response.headers.get('set-cookie') ?? '';
    return {
      cookie: cookie.split(';', 1)[0] ?? '',
      location: response.headers.get('location') ?? '',
      response,
    };
  }

  test('is entered with the secret, by a signed cookie that expires', async () => {
    const { response, cookie } = await enter('/live/x');
    expect(response.status).toBe(303);
    expect(cookie).toMatch(/^luid-preview=\d+\.[\da-f]{128}$/);
    const all = response.headers.get('set-cookie') ?? '';
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/', `Max-Age=${8 * 3600}`])
      expect(all).toContain(part);
    expect(all).not.toContain(SECRET);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test.each([
    ['no secret', '/_luid/preview', 401],
    ['a wrong secret', '/_luid/preview?secret=wrong', 401],
    ['another site', `/_luid/preview?secret=${SECRET}&to=//evil.example`, 400],
    ['a URL', `/_luid/preview?secret=${SECRET}&to=https://evil.example/`, 400],
    ['backslashes', `/_luid/preview?secret=${SECRET}&to=/\\evil.example`, 400],
    ['a script', `/_luid/preview?secret=${SECRET}&to=javascript:alert(1)`, 400],
    ['a path that begins with dots', `/_luid/preview?secret=${SECRET}&to=/.//evil.example`, 400],
    ['a tab', `/_luid/preview?secret=${SECRET}&to=/%09/evil.example`, 400],
    ['itself', `/_luid/preview?secret=${SECRET}&to=/_luid/preview`, 400],
  ])('is not entered with %s', async (_, path, status) => {
    const response = await get(encodeURI(decodeURI(path)).replaceAll('%2509', '%09'));
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('location')).toBeNull();
  });

  test('shows the draft of a prerendered page on demand, as the page itself shows it', async () => {
    const { cookie, location } = await enter(`/articles/${SLUG}`);
    expect(location).toBe(`/_luid/preview/articles/${SLUG}`);
    const response = await get(location, cookie);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain(`<h1>${DRAFT}</h1>`);
    expect(html).toContain(`href="https://cms.test/article/${ARTICLE}"`);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const published = await (await get(`/articles/${SLUG}`, cookie)).text();
    expect(published).not.toContain(DRAFT);
    expect(published).not.toContain('luid-preview');
  });

  test('shows the draft where the route cache has the published page, and is never cached', async () => {
    const before = await (await get(`/live/${SLUG}`)).text();
    expect(before).not.toContain(DRAFT);
    expect((await get(`/live/${SLUG}`)).headers.get('x-astro-cache')).toBe('HIT');
    const { cookie, location } = await enter(`/live/${SLUG}?a=b`);
    for (let n = 0; n < 2; n++) {
      const response = await get(location, cookie);
      expect(await response.text()).toContain(`<h1>${DRAFT}</h1>`);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('x-astro-cache')).toBeNull();
    }
    const after = await get(`/live/${SLUG}`);
    expect(after.headers.get('x-astro-cache')).toBe('HIT');
    expect(await after.text()).toBe(before);
  });

  test('is refused without a valid cookie', async () => {
    const { cookie } = await enter();
    const [expiry = '', signature = ''] = cookie.slice('luid-preview='.length).split('.');
    const forged = [
      '',
      'luid-preview=',
      'luid-preview=1',
      `luid-preview=${Number(expiry) + 1}.${signature}`,
      `luid-preview=${expiry}.${'0'.repeat(128)}`,
      `luid-preview=${expiry}.${signature.toUpperCase()}`,
      `luid-preview=${Date.now() - 1000}.${signature}`,
      `luid-preview=${expiry}e9.${signature}`,
      `other=${expiry}.${signature}`,
    ];
    for (const one of forged) {
      const paths = [
        `/_luid/preview/articles/${SLUG}`,
        `/_luid/preview/live/${SLUG}`,
        '/_luid/preview-events',
      ];
      for (const path of paths) {
        const response = await get(path, one);
        expect(response.status, `${path} ${one}`).toBe(401);
        expect(await response.text()).not.toContain(DRAFT);
      }
      expect(await (await get('/state.json', one)).json()).toEqual({ preview: false });
    }
    expect(await (await get('/state.json', cookie)).json()).toMatchObject({ preview: true });
  });

  test('has no page where the site has none, and names what a prerendered page needs', async () => {
    const { cookie, location } = await enter();
    expect(location).toBe('/_luid/preview/');
    const home = await get(location, cookie);
    expect(home.status).toBe(404);
    expect(await home.text()).toContain('This page is prerendered, and does not call `getPreviewEntry`');
    for (const path of ['//evil.example/', '/_luid/preview/live/x', '/_luid/refresh', '/nowhere']) {
      expect((await get(`/_luid/preview${path}`, cookie)).status, path).toBe(404);
    }
    expect((await get('/_luid/preview/articles/nothing', cookie)).status).toBe(404);
    // Not a path that Astro can decode.
    expect((await get('/_luid/preview/articles/%E0%A4%A', cookie)).status).toBeLessThan(500);
  });

  test('ends with its exit', async () => {
    const { cookie } = await enter();
    const response = await get('/_luid/preview-exit', cookie);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
    expect(response.headers.get('set-cookie')).toMatch(/^luid-preview=deleted;.*Expires=Thu, 01 Jan 1970/);
    expect((await get('/_luid/preview-exit?to=//evil.example', cookie)).headers.get('location')).toBe('/');
  });

  test('does not end because its exit is prefetched', async () => {
    const { cookie, location } = await enter(`/articles/${SLUG}`);
    const [link] = /<a [^>]*preview-exit[^>]*>/.exec(await (await get(location, cookie)).text()) ?? [];
    expect(link).toContain('data-astro-prefetch="false"');
    // Astro's view transitions would fetch it.
    expect(link).toContain('data-astro-reload');
    const headers = { cookie, 'sec-purpose': 'prefetch' };
    const response = await fetch(`${server.url}/_luid/preview-exit`, { redirect: 'manual', headers });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([503, null]);
  });

  test('reports a saved draft to all open previews, with one check for all of them', async () => {
    const { cookie, location } = await enter(`/articles/${SLUG}`);
    await (await get(location, cookie)).text();
    const streams = await Promise.all(Array.from({ length: 5 }, () => open(cookie)));
    service.clearLog();
    const start = Date.now();
    service.contents.saveDraft(ARTICLE, { title: `${DRAFT}, again` });
    await Promise.all(streams.map((stream) => stream.next('event: change')));
    console.log(`reported after ${Date.now() - start} ms`);
    expect(await (await get(location, cookie)).text()).toContain(`<h1>${DRAFT}, again</h1>`);
    // Two heads per check, and the page.
    expect(service.log.length).toBeLessThanOrEqual(2 * 3 + 1);
    for (const stream of streams) await stream.close();
    // Nobody looks any more: one check may be running.
    await until(() => quietFor(service, 3000), 100);
    service.contents.saveDraft(ARTICLE, { title: DRAFT });
  });

  test('no response without a valid cookie contains a draft, whatever is requested', async () => {
    const random = seededRandom('preview');
    const one = <T>(values: readonly T[]) => values[random(values.length)] as T;
    const { cookie } = await enter();
    const changed = () => {
      const at = 'luid-preview='.length + random(cookie.length - 13);
      const character = one([...'0123456789abcdef.;%"= ']);
      return cookie[at] === character
        ? 'luid-preview='
        : cookie.slice(0, at) + character + cookie.slice(at + 1);
    };
    const cookies = [() => '', changed, changed, () => `${cookie.slice(0, -1)}`, () => `x${cookie}`];
    const prefixes = [
      '',
      '/_luid/preview',
      '/_luid/preview/_luid/preview',
      '/_LUID/preview',
      '//_luid/preview',
    ];
    const pages = ['/articles/', '/live/', '/replica/', '/state.json?', '/events/', '/exit/', '/bar.js/'];
    const queries = ['', '?preview=1', `?secret=${SECRET}x`, '?luid-preview=1', '?secret=&to=/'];
    for (let n = 0; n < 150; n++) {
      const path =
        one(prefixes) + one(pages) + one([SLUG, encodeURIComponent(SLUG), `${SLUG}/`]) + one(queries);
      const headers = { cookie: one(cookies)(), 'x-luid-preview': '1', 'x-forwarded-host': 'evil.example' };
      const response = await fetch(server.url + path, { redirect: 'manual', headers });
      expect(await response.text(), `${path} ${headers.cookie}`).not.toContain(DRAFT);
    }
  });

  test.skipIf(!hasBrowser)('shows a saved draft in an open browser, with a strict policy', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 700 } });
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.goto(
        `${server.url}/_luid/preview?${new URLSearchParams({ secret: SECRET, to: `/live/${SLUG}` })}`,
      );
      expect(new URL(page.url()).pathname).toBe(`/_luid/preview/live/${SLUG}`);
      await page.getByText('updates itself', { exact: false }).waitFor({ state: 'attached' });
      expect(await page.textContent('h1')).toBe(DRAFT);
      // Links stay in the preview.
      expect(await page.getAttribute('main a', 'href')).toBe('/_luid/preview/live/tea');
      const start = Date.now();
      service.contents.saveDraft(ARTICLE, { title: 'Saved while it is open' });
      await page.getByText('Saved while it is open').waitFor();
      console.log(`shown after ${Date.now() - start} ms`);
      const position = await page.$eval('.luid-preview', (bar) => getComputedStyle(bar).position);
      expect(position).toBe('sticky');
      await page.getByRole('link', { name: 'Leave the preview' }).click();
      // The page as visitors see it.
      await page.waitForURL(`${server.url}/live/${SLUG}`);
      expect((await page.context().cookies()).filter(({ name }) => name === 'luid-preview')).toEqual([]);
      // The site has no favicon.
      expect(problems.filter((problem) => !problem.includes('404 (Not Found)'))).toEqual([]);
    } finally {
      await browser.close();
      service.contents.saveDraft(ARTICLE, { title: DRAFT });
    }
  });

  test.skipIf(!hasBrowser)('goes on when <ClientRouter /> replaces the page', async () => {
    // Shows what the tests before have changed, so that it is not reported in this one.
    const { cookie, location } = await enter(`/articles/${SLUG}`);
    await (await get(location, cookie)).text();
    const browser = await launchBrowser();
    try {
      // Astro's script of the page is inline.
      const page = await (await browser.newContext({ bypassCSP: true })).newPage();
      let streams = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/_luid/preview-events')) streams += 1;
      });
      const documents: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
      });
      await page.goto(
        `${server.url}/_luid/preview?${new URLSearchParams({ secret: SECRET, to: '/router/one' })}`,
      );
      const state = () => page.getByText('updates itself', { exact: false }).waitFor({ state: 'attached' });
      await state();
      const first = [...documents];
      for (const [name, other] of [
        ['two', 'one'],
        ['one', 'two'],
      ] as const) {
        await page.getByRole('link', { name }).click();
        await page.getByRole('heading', { name }).waitFor();
        await state();
        expect(new URL(page.url()).pathname).toBe(`/_luid/preview/router/${name}`);
        expect(await page.getAttribute('main a', 'href')).toBe(`/_luid/preview/router/${other}`);
      }
      expect(documents).toEqual(first);
      expect(streams).toBe(3);
    } finally {
      await browser.close();
    }
  });

  test.skipIf(!hasBrowser)('has a bar that everybody can use', async () => {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();
      await page.goto(
        `${server.url}/_luid/preview?${new URLSearchParams({ secret: SECRET, to: `/live/${SLUG}` })}`,
      );
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'preview-bar.png') });
      await page.addScriptTag({ path: AXE });
      const { violations } = await page.evaluate(() =>
        (globalThis as never as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe.run(),
      );
      expect(violations.map(({ id }) => id)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  // Last: a replica goes on checking for changes.
  test('serves drafts from a replica too', async () => {
    const { cookie, location } = await enter(`/replica/${SLUG}`);
    expect(await (await get(location, cookie)).text()).toContain(`<h1>${DRAFT}</h1>`);
    expect(await (await get(`/replica/${SLUG}`)).text()).toContain('published only');
    expect(await (await get('/_luid/preview/replica/nothing', cookie)).text()).toContain('published only');
  });

  async function open(cookie: string) {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/_luid/preview-events`, {
      headers: { cookie },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    return {
      async next(event: string): Promise<void> {
        while (!text.includes(event)) text += new TextDecoder().decode((await reader.read()).value);
      },
      close: async () => abort.abort(),
    };
  }
});

function quietFor({ log }: RunningEmulator, milliseconds: number): boolean {
  const last = log.at(-1);
  return last === undefined || Date.now() - last.at > milliseconds;
}

test('a static build has nothing of the preview, and says why', async () => {
  const { seed, directory } = smallSeed();
  const service = await startEmulator(seed, { directory });
  service.contents.saveDraft(ARTICLE, { title: DRAFT });
  const {
    'src/live.config.ts': _,
    'src/pages/state.json.ts': __,
    'src/middleware.ts': ___,
    ...files
  } = FILES;
  const site = createSite(
    {
      '.env': dotEnv(service),
      ...files,
      'astro.config.mjs': `
        import luid from 'astro-luid/integration';
        import { space } from './src/space.ts';
        export default { integrations: [luid(space, { preview: true })] };`,
      'src/pages/live/[slug].astro': '---\nexport const getStaticPaths = () => [];\n---',
      'src/pages/replica/[slug].astro': '---\nexport const getStaticPaths = () => [];\n---',
      'src/pages/router/[slug].astro': '---\nexport const getStaticPaths = () => [];\n---',
    },
    { LUID_PREVIEW_SECRET: SECRET },
  );
  try {
    const log = await site.astro(['build']);
    expect(log).toContain('`preview` has no effect without an adapter');
    const page = site.built(`articles/${SLUG}/index.html`);
    expect(page).not.toContain(DRAFT);
    expect(page).not.toMatch(/preview|<script|<link/);
  } finally {
    await service.close();
    site.remove();
  }
});
