import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { run } from '../support/run-command.ts';
import { installExample } from './example.ts';
import { type NodeServer, startNodeServer } from './node-server.ts';
import { createFolder, pack, shellEnvironment, writeFiles } from './pack.ts';

const SECRET = 'open sesame, little door';
/** Authors and articles of the sample, newest first: 301 by 206, 368 by 202, 307 by 207. */
const [TANAKA, HARBOUR, TRAIN, LAUNCH] = [202, 301, 368, 329];
/** Content that is not on the front page, and an event that is. */
const [KILN_OPENING, SOBA_FESTIVAL, ROOMS, TEA_TIN] = [601, 607, 702, 851];

/** A page with one entry by `where`, and nothing else. */
const LEAD_PAGE = `---
import { getLiveEntry } from 'astro:content';
const { entry } = await getLiveEntry('stories', { where: { featured: { eq: true } }, order: '-_published_at', lang: 'ja' });
if (entry) Astro.cache.set({ ...entry.cacheHint, maxAge: 3600 });
---
<p>{entry?.data.title}</p>`;

/** The same site as part of another server. */
const SERVER = `
import { createServer } from 'node:http';
import { handler } from './dist-middleware/server/entry.mjs';
createServer((request, response) => handler(request, response, () => response.end('not of the site')))
  .listen(process.env.PORT, '127.0.0.1', function () {
    console.log('listening on http://127.0.0.1:' + this.address().port);
  });`;

const inBoth = (...paths: string[]) => paths.flatMap((path) => [path, `/en${path}`]);

const PAGES = [
  '/lead',
  ...inBoth(
    '/',
    '/about/',
    '/articles/',
    '/articles/harbour-at-dusk/',
    '/articles/one-car-train/',
    '/articles/ash-glaze/',
    '/articles/launch-day/',
    '/authors/',
    '/authors/onishi/',
    '/authors/tanaka/',
    '/authors/shiraishi/',
    '/categories/travel/',
    '/categories/rail-and-boat/',
    '/categories/town/',
    '/tags/night/',
    '/tags/tea/',
    '/events/',
    '/gallery/',
    '/gallery/rooms-with-work/',
    '/gallery/edges-of-the-sea/',
    '/shop/',
    '/rss.xml',
  ),
];

const { folder, remove } = createFolder();
const project = join(folder, 'site');
let service: RunningEmulator;
let server: NodeServer;

const environment = (more: NodeJS.ProcessEnv = {}) =>
  shellEnvironment({
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published-key',
    LUID_REFRESH_SECRET: SECRET,
    ...more,
  });
const astro = (...args: string[]) =>
  run(join(project, 'node_modules/.bin/astro'), args, { cwd: project, env: environment() });

beforeAll(async () => {
  const { seed, directory } = sampleSeed();
  service = await startEmulator(seed, { directory });
  await installExample('live', project, await pack(folder));
  writeFiles(project, { 'src/pages/lead.astro': LEAD_PAGE, 'server.mjs': SERVER });
  await astro('build');
  server = await startNodeServer(project, environment());
});
afterAll(async () => {
  await server?.close();
  await service?.close();
  remove();
});

let lastRendering = 0;

async function get(path: string) {
  const response = await fetch(server.url + path);
  const cached = response.headers.get('x-astro-cache');
  if (cached === 'MISS') lastRendering = performance.now();
  return { status: response.status, cached, html: await response.text() };
}

async function refresh() {
  const headers = { 'content-type': 'application/json', 'x-luid-secret': SECRET };
  const response = await fetch(`${server.url}/_luid/refresh`, { method: 'POST', headers });
  return response.json();
}

/** If a page changes in the second after it was rendered, its tags are invalidated once more at the end of it. */
const JUST_RENDERED = 1000;
let renderings = 0;

/**
 * Changes content while all pages are in the cache. Returns the pages that were rendered again, and expects that the
 * others are as they would be rendered.
 */
async function renderedAgain(change: () => void): Promise<string[]> {
  for (const path of PAGES) await get(path);
  for (const path of PAGES) expect([path, (await get(path)).cached]).toEqual([path, 'HIT']);
  await expect.poll(() => performance.now() - lastRendering).toBeGreaterThan(JUST_RENDERED);
  change();
  expect(await refresh()).toMatchObject({ refreshed: true });
  const missed: string[] = [];
  renderings += 1;
  for (const path of PAGES) {
    const { cached, html } = await get(path);
    if (cached === 'MISS') missed.push(path);
    // A query is part of the key in the cache.
    const rendered = await get(`${path}?rendering=${renderings}`);
    expect(rendered.cached).toBe('MISS');
    expect(html, path).toBe(rendered.html);
  }
  return missed.sort();
}

describe('the whole magazine is served', () => {
  test.each([
    ['/', '<h1', '夕暮れの港を歩く'],
    ['/en/', '<h1', 'Walking the harbour at dusk'],
    ['/about/', '港と山について'],
    ['/en/about/', '<html lang="en">'],
    ['/articles/', 'すべての記事', '一両だけの列車', '/categories/food/', '/tags/sea/'],
    ['/en/articles/harbour-at-dusk/', 'Tsuyoshi Onishi', '<picture', '/en/categories/from-the-sea/'],
    ['/authors/', '田中 航', '白石 澪'],
    ['/en/authors/onishi/', 'Walking the harbour at dusk'],
    // Articles of the parts of a category are its own.
    ['/categories/travel/', '一両だけの列車'],
    ['/en/tags/night/', 'Stories with “night”', 'A train of one car'],
    ['/events/', '秋の窯出し市', '2026年10月'],
    ['/en/gallery/', 'Pictures by'],
    ['/gallery/edges-of-the-sea/', '海のふち', '撮影', '<figcaption'],
    ['/en/shop/', 'A bowl for one', '¥'],
    ['/rss.xml', '<language>ja</language>', '/articles/harbour-at-dusk/'],
    ['/en/rss.xml', '<language>en</language>', '/en/articles/harbour-at-dusk/'],
  ])('%s', async (path, ...contents) => {
    const { status, html } = await get(path);
    expect(status).toBe(200);
    for (const content of contents) expect(html).toContain(content);
  });

  test('every link leads to a page', async () => {
    const found = new Set(['/']);
    for (const path of found) {
      const { status, html } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const [, link] of html.matchAll(/href="(\/[^"#]*)/g)) found.add(link as string);
    }
    expect([...found].filter((path) => path.startsWith('/articles/'))).toHaveLength(109);
  });

  test('other pages do not exist, and that is not cached', async () => {
    for (const path of ['/articles/none/', '/de/shop/', '/tags/none/', '/front/', '/a/b/']) {
      for (const _ of [1, 2]) expect(await get(path)).toMatchObject({ status: 404, cached: null });
    }
  });
});

describe('a change renders exactly the pages again that show it', () => {
  test('a renamed author: their page, their articles and everything else that embeds them', async () => {
    const missed = await renderedAgain(() => service.contents.edit(TANAKA, { name: '田中 海' }));
    expect(missed).toEqual(
      inBoth(
        '/',
        '/articles/harbour-at-dusk/',
        '/articles/one-car-train/',
        '/authors/',
        '/authors/tanaka/',
        '/categories/rail-and-boat/',
        '/categories/travel/',
        '/events/',
      ).sort(),
    );
    expect((await get('/articles/one-car-train/')).html).toContain('田中 海');
    expect(server.log()).toMatch(/\[astro-luid\] 1 item changed: \d+ cache tags invalidated/);
  });

  test('a new article, and its removal: the lists that contain it, and its neighbour', async () => {
    let id = 0;
    const shown = ['/articles/', '/articles/harbour-at-dusk/', '/authors/shiraishi/', '/rss.xml'];
    const missed = await renderedAgain(() => {
      id = service.contents.create({
        model: 'article',
        published_at: '2026-10-25T01:00:00Z',
        published: { ja: { title: '新しい橋', slug: 'new-bridge', author: 207 } },
      });
    });
    expect(missed).toEqual(shown);
    expect((await get('/articles/new-bridge/')).cached).toBe('MISS');
    expect((await get('/articles/new-bridge/')).cached).toBe('HIT');

    expect(await renderedAgain(() => service.contents.remove(id))).toEqual(shown);
    expect((await get('/articles/new-bridge/')).status).toBe(404);
  });

  /** Where an article is shown with its times, in both languages. */
  const withTrain = inBoth(
    '/',
    '/articles/',
    '/articles/harbour-at-dusk/',
    '/articles/one-car-train/',
    '/authors/tanaka/',
    '/categories/rail-and-boat/',
    '/categories/travel/',
    '/rss.xml',
    '/tags/night/',
  );

  test('a new title: also the neighbours that show the title, in this language', async () => {
    const missed = await renderedAgain(() => service.contents.edit(TRAIN, { title: '二両の列車' }));
    expect(missed).toEqual([...withTrain, '/articles/ash-glaze/'].sort());
  });

  test('a new body: not the neighbours, which show the title only', async () => {
    const missed = await renderedAgain(() => service.contents.edit(TRAIN, { body: '<p>新しい本文</p>' }));
    expect(missed).toEqual(withTrain.toSorted());
    expect((await get('/articles/one-car-train/')).html).toContain('<p>新しい本文</p>');
  });

  test('an entry found by where: only if another one is the first', async () => {
    const featured = await renderedAgain(() => service.contents.edit(LAUNCH, { featured: true }));
    expect(featured).not.toContain('/lead');
    expect(featured).toContain('/articles/launch-day/');
    const before = (await get('/lead')).html;
    const missed = await renderedAgain(() => service.contents.edit(HARBOUR, { featured: false }));
    expect(missed).toContain('/lead');
    expect(missed).not.toContain('/articles/one-car-train/');
    expect(before).toContain('夕暮れの港を歩く');
    expect((await get('/lead')).html).toContain('進水の日');
  });

  test.each([
    ['an event', KILN_OPENING, { title: '朝市' }, ['/events/']],
    ['an event on the front page', SOBA_FESTIVAL, { title: '蕎麦の夕べ' }, ['/', '/events/']],
    ['a gallery', ROOMS, { intro: '道具のある部屋。' }, ['/gallery/', '/gallery/rooms-with-work/']],
    ['an item of the shop, which is another space', TEA_TIN, { price: '1,800' }, ['/shop/']],
  ])('%s', async (_, id, edit, shown) => {
    expect(await renderedAgain(() => service.contents.edit(id, edit))).toEqual(inBoth(...shown).sort());
  });
});

test('a change is shown without a request to refresh, after the interval', async () => {
  const { html } = await get('/authors/shiraishi/');
  expect(html).not.toContain('船大工。');
  service.contents.edit(207, { bio: '船大工。' });
  const bio = async () => (await get('/authors/shiraishi/')).html;
  await expect.poll(bio).toContain('船大工。');
});

test('in middleware mode, pages are served and revalidated too', async () => {
  const config = readFileSync(join(project, 'astro.config.mjs'), 'utf8');
  writeFiles(project, { 'middleware.config.mjs': config.replace("'standalone'", "'middleware'") });
  await astro('build', '--config', 'middleware.config.mjs', '--outDir', 'dist-middleware');
  const standalone = server;
  server = await startNodeServer(project, environment(), 'server.mjs');
  try {
    expect((await get('/authors/tanaka/')).cached).toBe('MISS');
    expect((await get('/authors/tanaka/')).cached).toBe('HIT');
    service.contents.edit(TANAKA, { name: '田中 空' });
    // The server may have noticed the edit by itself already.
    expect(await refresh()).toMatchObject({ refreshed: true });
    const page = await get('/authors/tanaka/');
    expect(page.cached).toBe('MISS');
    expect(page.html).toContain('田中 空');
  } finally {
    await server.close();
    server = standalone;
  }
});

test('a server that is started while the service is down serves the content of the last one', async () => {
  await refresh();
  const pages = new Map<string, string>();
  for (const path of PAGES) pages.set(path, (await get(path)).html);
  await server.close();
  await service.close();
  server = await startNodeServer(project, environment());
  for (const path of PAGES) {
    const { status, html } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).toBe(pages.get(path));
  }
});
