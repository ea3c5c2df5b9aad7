import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDeadLinks } from '../../scripts/docs/dead-links.mjs';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import type { Site } from '../e2e/site.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { run } from '../support/run-command.ts';
import { WAIT_LIMIT } from '../support/until.ts';
import { CODE, createSiteFrom, TUTORIAL } from './document-sites.ts';
import { blocksOf, textOf } from './documents.ts';
import { packagesOf, stagesOf, stepsOf } from './tutorial-stages.ts';

const ROOT = join(import.meta.dirname, '../..');
const STEPS = stepsOf();
const STAGES = stagesOf(STEPS);

test('every block of code is in a site, as it is written', () => {
  const blocks = blocksOf(TUTORIAL).filter(({ language }) => CODE.has(language));
  const missing = blocks.filter(
    ({ file, code }) => !STAGES.some(({ files }) => file !== undefined && files[file] === code),
  );
  expect(missing.map(({ line }) => line)).toEqual([]);
  expect(STEPS.map(({ number }) => number)).toEqual(STEPS.map((_, at) => at + 1));
});

test('a step imports only packages that it or an earlier one installs', () => {
  const installed = new Set<string>();
  for (const step of STEPS) {
    const packages = packagesOf(step);
    for (const name of packages.installed) installed.add(name);
    expect(
      packages.imported.filter((name) => !installed.has(name)),
      `step ${step.number}`,
    ).toEqual([]);
  }
});

let service: RunningEmulator;
beforeAll(async () => {
  service = await startEmulator();
});
afterAll(() => service?.close());

/** Builds the site of a stage, and returns what Astro logged. */
async function build(site: Site): Promise<string> {
  return stripVTControlCharacters(await site.astro(['build']));
}
const warningsIn = (output: string) => output.split('\n').filter((line) => line.includes('[WARN]'));
const pagesOf = (site: Site) => {
  const client = join(site.folder, 'dist/client');
  return existsSync(client) ? client : join(site.folder, 'dist');
};

describe.each(STAGES.slice(0, -1))('the site after step $last', ({ steps, files }) => {
  let site: Site;
  beforeAll(() => {
    site = createSiteFrom(files, service);
  });
  afterAll(() => site?.remove());

  test('passes astro check, builds without a warning, and has the pages that its steps show', async () => {
    await site.astro(['check', '--minimumFailingSeverity', 'error']);
    expect(warningsIn(await build(site))).toEqual([]);
    const paths = steps.flatMap((step) => step.paths).filter((path) => !path.startsWith('/nothing/'));
    expect(paths.length).toBeGreaterThan(0);
    const missing = paths.filter(
      (path) => !existsSync(join(pagesOf(site), path.endsWith('/') ? `${path}index.html` : path)),
    );
    expect(missing).toEqual([]);
  });
});

const { contents = [] } = sampleSeed().seed as { contents: Content[] };
interface Content {
  id: number;
  model: string;
  archived?: boolean;
  published_at?: string;
  published?: Record<
    string,
    { slug: string; title?: string; name?: string; tags?: string[]; author?: number }
  >;
}
const published = (model: string) =>
  contents.flatMap(({ published, ...item }) =>
    item.model === model && published?.ja && !item.archived
      ? [{ ...item, ja: published.ja, en: published.en }]
      : [],
  );
const articles = published('article');
const timeOf = new Map(articles.map(({ ja, published_at = '' }) => [ja.slug, Date.parse(published_at)]));
/** Several articles have the same time. */
const timesOf = (slugs: readonly string[]) => slugs.map((slug) => timeOf.get(slug) ?? Number.NaN);
const newestFirst = (slugs: readonly string[]) => timesOf(slugs).sort((a, b) => b - a);
const slugsOf = (items: readonly { ja: { slug: string } }[]) => items.map(({ ja }) => ja.slug);

describe('the finished site', () => {
  let site: Site;
  let output: string;
  let server: NodeServer;
  beforeAll(async () => {
    site = createSiteFrom(STAGES.at(-1)?.files ?? {}, service);
    output = await build(site);
    await run(join(ROOT, 'node_modules/.bin/pagefind'), ['--site', 'dist/client'], { cwd: site.folder });
    // The last one that is for the emulator.
    const { code = '' } =
      blocksOf(TUTORIAL).findLast(({ file, code }) => file === '.env' && code.includes('LUID_BASE_URL')) ??
      {};
    // Another port than the documented one, which may be in use.
    const env = parseEnv(code.replaceAll('http://127.0.0.1:4010', service.origin));
    server = await startNodeServer(site.folder, { PATH: process.env.PATH, ...env });
  });
  afterAll(async () => {
    await server?.close();
    site?.remove();
  });

  const built = (path: string) => site.built(`client/${path}`);
  const slugsIn = (html: string) =>
    [...html.matchAll(/href="(?:\/en)?\/articles\/([^/"]+)\/"/g)].map(([, slug = '']) => slug);
  /** The list has these articles and no others, the newest first. */
  const expectList = (slugs: readonly string[], items: readonly { ja: { slug: string } }[]) => {
    expect([...slugs].sort()).toEqual(slugsOf(items).sort());
    expect(timesOf(slugs)).toEqual(newestFirst(slugs));
  };
  const foldersIn = (path: string) =>
    readdirSync(join(pagesOf(site), path), { withFileTypes: true }).filter((entry) => entry.isDirectory());

  test('builds without a warning, and all its links lead somewhere', () => {
    expect(warningsIn(output)).toEqual([]);
    expect(findDeadLinks(pagesOf(site))).toEqual([]);
  });

  test.each(['ja', 'en'] as const)('lists the articles of the service in order, in %s', (lang) => {
    const root = lang === 'ja' ? '' : 'en/';
    const pages = ['', ...Array.from({ length: 8 }, (_, at) => `${at + 2}/`)];
    const listed = pages.flatMap((page) => slugsIn(built(`${root}${page}index.html`)));
    expectList(listed, articles);
    expect(foldersIn(`${root}articles`).length).toBe(articles.length);
  });

  test('shows each article in its language, or in Japanese with a notice', () => {
    const escaped = (text = '') => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
    for (const { ja, en } of articles) {
      expect(built(`articles/${ja.slug}/index.html`)).toContain(`<h1>${escaped(ja.title)}</h1>`);
      const english = built(`en/articles/${ja.slug}/index.html`);
      expect(english).toContain(`<h1>${escaped((en ?? ja).title)}</h1>`);
      expect(english.includes('not translated yet')).toBe(!en);
    }
  });

  test('has the articles of each tag and author', () => {
    const tags = new Set(articles.flatMap(({ ja }) => ja.tags ?? []));
    expect(
      foldersIn('tags')
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...tags].sort());
    for (const tag of tags) {
      const tagged = articles.filter(({ ja }) => ja.tags?.includes(tag));
      expectList(slugsIn(built(`tags/${tag}/index.html`)), tagged);
    }
    for (const { id, ja } of published('author')) {
      const html = built(`authors/${ja.slug}/index.html`);
      expect(html).toContain(`<h1>${ja.name}</h1>`);
      const written = articles.filter((article) => article.ja.author === id);
      expectList(slugsIn(html), written);
      expectList(slugsIn(built(`en/authors/${ja.slug}/index.html`)), written);
    }
  });

  test('has a feed of the newest articles, and a sitemap with translations', () => {
    const items = [...built('rss.xml').matchAll(/<guid[^>]*>[^<]*\/articles\/([^/<]+)\//g)];
    const slugs = items.map(([, slug = '']) => slug);
    expect(timesOf(slugs)).toEqual(newestFirst(slugsOf(articles)).slice(0, 30));
    expect(built('sitemap-0.xml')).toContain('hreflang="x-default"');
    expect(built('en/articles/harbour-at-dusk/index.html')).toContain(
      '<link rel="canonical" href="https://magazine.example/en/articles/harbour-at-dusk/"',
    );
  });

  test('shows a draft by the URL of the tutorial, and a page for what does not exist', async () => {
    service.contents.saveDraft(301, { title: '下書きの港' });
    const [path = ''] = /\/_luid\/preview\?[^`]+/.exec(textOf(TUTORIAL)) ?? [];
    const entered = await fetch(server.url + path, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const html = await (
      await fetch(server.url + entered.headers.get('location'), { headers: { cookie } })
    ).text();
    expect(html).toContain('class="luid-preview"');
    expect(html).toContain('<h1>下書きの港</h1>');
    const missing = await fetch(`${server.url}/nothing/here/`);
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('見つかりません')]);
  });

  test.skipIf(!hasBrowser)('works in a browser: pages fit a phone, images load, search finds', async () => {
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    page.setDefaultTimeout(WAIT_LIMIT);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    for (const path of ['/', '/en/articles/harbour-at-dusk/', '/authors/mori/', '/tags/']) {
      await page.goto(server.url + path, { waitUntil: 'load' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
      const first = page.locator('main img').first();
      if (path !== '/tags/')
        await expect
          .poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
    }
    await page.goto(`${server.url}/en/search/`);
    await page.locator('.pagefind-ui__search-input').fill('harbour');
    const found = page
      .locator('.pagefind-ui__result-link', { hasText: 'Walking the harbour at dusk' })
      .first();
    await found.click();
    await page.waitForURL(/\/en\/articles\/harbour-at-dusk\//);
    expect(errors).toEqual([]);
    await browser.close();
  });
});
