import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import type { Site } from '../e2e/site.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { createSiteOf, PREVIEWS, QUICK_START } from './document-sites.ts';

const SECRET = 'a secret of more than sixteen characters';
const SLUG = 'harbour-at-dusk';
const DRAFT = '下書きの港';

let service: RunningEmulator;
let site: Site;
let server: NodeServer;
let cookie: string;
beforeAll(async () => {
  service = await startEmulator();
  site = createSiteOf([QUICK_START, PREVIEWS], service);
  await site.astro(['build']);
  service.contents.saveDraft(301, { title: DRAFT });
  server = await startNodeServer(site.folder, {
    PATH: process.env.PATH,
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'draft-key',
    LUID_PREVIEW_SECRET: SECRET,
  });
});
afterAll(async () => {
  await server?.close();
  site?.remove();
  await service?.close();
});

const get = (path: string) =>
  fetch(server.url + path, { redirect: 'manual', headers: cookie ? { cookie } : {} });
const exitIn = (html: string) =>
  /<a href="([^"]*preview-exit[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('the site of the previews guide, copied as it is, shows the draft below the bar', async () => {
  const query = new URLSearchParams({ secret: SECRET, to: `/articles/${SLUG}` });
  const entered = await get(`/_luid/preview?${query}`);
  cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const html = await (await get(entered.headers.get('location') ?? '')).text();
  expect(html).toMatch(/<body[^>]*><aside class="luid-preview"/);
  expect(html).toContain(`<h1>${DRAFT}</h1>`);
  expect(html).toContain('<meta charset="utf-8">');
});

test('leaving it leads to the page that visitors see', async () => {
  const html = await (await get(`/_luid/preview/articles/${SLUG}`)).text();
  const exit = await get(exitIn(html));
  expect(exit.status).toBe(303);
  const page = await fetch(server.url + exit.headers.get('location'));
  expect(new URL(page.url).pathname).toBe(`/articles/${SLUG}`);
  const published = await page.text();
  expect(published).toContain('<h1>夕暮れの港を歩く</h1>');
  expect(published).not.toContain('luid-preview');
});

test('leaving the preview of an article that was never published leads to the home page', async () => {
  service.contents.create({
    model: 'article',
    draft: { ja: { title: '新しい', slug: 'brand-new' } },
  });
  const html = await (await get('/_luid/preview/articles/brand-new')).text();
  expect(html).toContain('<h1>新しい</h1>');
  expect((await get(exitIn(html))).headers.get('location')).toBe('/');
});
