import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { hasBrowser, launchBrowser, openTab, watchShifts } from '../support/browser.ts';
import { createPlaygroundSite, playgroundEnvironment } from './playground-site.ts';
import { type AstroServer, startAstro } from './server.ts';
import type { Site } from './site.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SECRET = 'the tide turns at six';
/** Where to put screenshots, for a person who wants to look at them. */
const SCREENSHOTS = process.env.LUID_SCREENSHOTS;

/** Every kind of page in both languages: its path, its heading, whether it has pictures. */
const PAGES: [path: string, heading: string, pictures: boolean][] = [
  ['/', '夕暮れの港を歩く', true],
  ['/en/', 'Walking the harbour at dusk', true],
  ['/articles/', 'すべての記事', false],
  ['/en/articles/', 'All stories', false],
  ['/articles/night-train/', '夜行列車の窓', true],
  ['/en/articles/climbing-kiln/', 'The night the climbing kiln is lit', true],
  ['/articles/work-jacket/', '祖父の仕事着', true],
  ['/authors/', '書き手', true],
  ['/en/authors/', 'Writers', true],
  ['/authors/mori/', '森 ゆり', true],
  ['/en/authors/okafor/', 'Daniel Okafor', true],
  ['/categories/food/', '食', true],
  ['/en/categories/rail-and-boat/', 'Rail & boat', true],
  ['/tags/tea/', '「茶」の記事', true],
  ['/en/tags/night/', 'Stories with “night”', true],
  ['/events/', 'これからの暦', true],
  ['/en/events/', 'Coming up', true],
  ['/gallery/', '写真', true],
  ['/en/gallery/', 'Pictures', true],
  ['/gallery/small-tables/', '小さな食卓', true],
  ['/en/gallery/edges-of-the-sea/', 'Edges of the sea', true],
  ['/shop/', '店', true],
  ['/en/shop/', 'Shop', true],
  ['/about/', '港と山について', true],
  ['/en/about/', 'About Harbour & Hill', true],
];

describe.skipIf(!hasBrowser)('the magazine, in a browser', () => {
  let service: RunningEmulator;
  let site: Site;
  let server: AstroServer;
  let browser: Browser;

  beforeAll(async () => {
    const { seed, directory } = sampleSeed();
    service = await startEmulator(seed, { directory, rateLimit: false });
    site = createPlaygroundSite(service);
    await site.astro(['build']);
    const env = { ...playgroundEnvironment(service), LUID_PREVIEW_SECRET: SECRET };
    [server, browser] = await Promise.all([startAstro(['preview'], site.folder, env), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await service?.close();
    site?.remove();
  });

  const address = (path: string) => new URL(path, server.url).href;

  describe.each([
    { width: 1280, colorScheme: 'light' as const, pages: PAGES },
    { width: 390, colorScheme: 'dark' as const, pages: PAGES.slice(0, 6) },
  ])('$width px wide, $colorScheme', ({ width, colorScheme, pages }) => {
    let context: BrowserContext;
    beforeAll(async () => {
      context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    });
    afterAll(() => context?.close());

    test.each(pages)('%s', async (path, heading, pictures) => {
      const { page, problems } = await watched(context);
      const shifts = await watchShifts(page);
      expect((await page.goto(address(path)))?.status()).toBe(200);
      expect(await page.locator('html').getAttribute('lang')).toBe(path.startsWith('/en/') ? 'en' : 'ja');
      expect(await page.locator('h1').allTextContents()).toEqual([heading]);

      await scrollThrough(page);
      const shown = await picturesOf(page);
      expect(shown.length > 0).toBe(pictures);
      for (const picture of shown) expect(picture).toEqual({ ...picture, loaded: true, sized: true });

      expect(await shifts()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
      expect(await seriousFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
      expect(await seriousFaults(page, ['color-contrast'])).toEqual([]);
      await page.emulateMedia({ colorScheme });
      expect(problems([server.url, service.assetsUrl])).toEqual([]);
      if (SCREENSHOTS) {
        await page.evaluate(() => window.scrollTo(0, 0));
        const name = `${path.replaceAll('/', '_')}${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(SCREENSHOTS, name), fullPage: true });
      }
      await page.close();
    });
  });

  test('an unknown URL is a 404 in both languages', async () => {
    const page = await browser.newPage();
    expect((await page.goto(address('/articles/island-library/')))?.status()).toBe(404);
    expect(await page.locator('[lang=en]').allTextContents()).toContainEqual(
      expect.stringContaining('not to be found'),
    );
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  describe('the head of a page', () => {
    test('has its canonical URL, its translation and an image that exists', async () => {
      const page = await browser.newPage();
      await page.goto(address('/articles/harbour-at-dusk/'));
      const values = (selector: string, name: string) =>
        page.locator(selector).evaluateAll((found, key) => found.map((one) => one.getAttribute(key)), name);
      const site = 'http://localhost:4321';
      expect(await values('link[rel=canonical]', 'href')).toEqual([`${site}/articles/harbour-at-dusk/`]);
      expect(await values('link[hreflang=en][rel=alternate]', 'href')).toEqual([
        `${site}/en/articles/harbour-at-dusk/`,
      ]);
      expect(await values('meta[name=description]', 'content')).toEqual([
        '漁を終えた船が戻るころ、港はいちばん静かで、いちばんにぎやかになる。',
      ]);
      const [image] = await values('meta[property="og:image"]', 'content');
      const picture = await fetch(image ?? '');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      await page.close();
    });

    test('has no translation link if there is no translation', async () => {
      const html = await server.page('/articles/night-train/');
      expect(html).not.toContain('hreflang="en" href="http');
      expect(html).toMatch(/<a href="\/en\/" lang="en"/);
    });
  });

  test('the language switch links to the same article, and back', async () => {
    const page = await browser.newPage();
    await page.goto(address('/articles/ash-glaze/'));
    await page.getByRole('link', { name: 'English' }).click();
    expect(new URL(page.url()).pathname).toBe('/en/articles/ash-glaze/');
    expect(await page.locator('h1').textContent()).toBe('When ash becomes colour');
    await page.getByRole('link', { name: '日本語' }).click();
    expect(await page.locator('h1').textContent()).toBe('灰が色になるまで');
    await page.close();
  });

  test('events have Japanese time', async () => {
    const html = await server.page('/en/events/');
    expect(html).toMatch(/datetime="2026-11-07T01:00:00.000Z"[\s\S]{0,900}10:00–16:00/);
  });

  test('feeds and sitemap list pages that exist', async () => {
    const japanese = await server.page('/rss.xml');
    expect(japanese.match(/<item>/g)).toHaveLength(30);
    expect(japanese).toContain('<link>http://localhost:4321/articles/harbour-at-dusk/</link>');
    expect(japanese).toMatch(
      /<content:encoded>&lt;p&gt;[\s\S]*<enclosure url="http[^"]*" length="0" type="image\/jpeg"\/>/,
    );
    expect(await server.page('/en/rss.xml')).toContain('<language>en</language>');
    expect(await server.page('/sitemap-index.xml')).toContain('sitemap-0.xml');
    const map = await server.page('/sitemap-0.xml');
    expect(map).toContain('<loc>http://localhost:4321/articles/night-train/</loc>');
    expect(map).not.toContain('preview');
    const [harbour = ''] =
      /<url><loc>[^<]*\/\/[^/]+\/articles\/harbour-at-dusk\/<[\s\S]*?<\/url>/.exec(map) ?? [];
    expect(harbour).toContain('<lastmod>2026-10-20T');
    expect(harbour).toContain('hreflang="en" href="http://localhost:4321/en/articles/harbour-at-dusk/"');
    expect(harbour).toMatch(/<image:loc>http[^<]*harbour\.jpg<\/image:loc>/);
  });

  describe('the preview', () => {
    const enter = (to: string) => address(`/_luid/preview?secret=${encodeURIComponent(SECRET)}&to=${to}`);
    const ARTICLE = '/_luid/preview/articles/night-train/';

    test('requires the secret', async () => {
      for (const path of ['/drafts', ARTICLE, '/_luid/preview?secret=wrong', '/_luid/preview?secret=']) {
        const answer = await fetch(address(path));
        expect([path, answer.status, answer.headers.get('set-cookie')]).toEqual([path, 401, null]);
        expect(await answer.text()).not.toContain('その先');
      }
    });

    test('is never cached', async () => {
      const headers = await cookieOf(enter('/'));
      for (const path of ['/drafts', ARTICLE]) {
        const shown = await fetch(address(path), { headers });
        expect([path, shown.status, shown.headers.get('cache-control')]).toEqual([
          path,
          200,
          'private, no-store',
        ]);
      }
      expect((await fetch(address('/_luid/preview/articles/nothing/'), { headers })).status).toBe(404);
    });

    test('lists and shows drafts, follows them while they are open, and can be left', async () => {
      const context = await browser.newContext();
      const { page, problems } = await watched(context);
      await page.goto(enter('/drafts'));
      expect(page.url()).not.toContain('secret');
      expect(await page.getByRole('link', { name: '島の図書船' }).count()).toBe(1);
      expect(await seriousFaults(page)).toEqual([]);

      await page.getByRole('link', { name: '夜行列車の窓、その先' }).click();
      expect(await page.locator('h1').textContent()).toBe('夜行列車の窓、その先');
      expect(await page.getByText('Draft preview').isVisible()).toBe(true);
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
      await scrollThrough(page);
      for (const picture of await picturesOf(page)) expect(picture.loaded).toBe(true);
      expect(await seriousFaults(page)).toEqual([]);
      const published = await context.newPage();
      await published.goto(address('/articles/night-train/'));
      expect(await fontsOf(page)).toEqual(await fontsOf(published));
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'preview.png') });

      service.contents.saveDraft(303, { lead: 'たった今の下書き' }, { lang: 'ja' });
      await page.getByText('たった今の下書き').first().waitFor();
      expect(problems([server.url, service.assetsUrl])).toEqual([]);

      await page.getByRole('link', { name: 'Leave the preview' }).click();
      await page.waitForURL(address('/articles/night-train/'));
      expect((await page.goto(address(ARTICLE)))?.status()).toBe(401);
      await context.close();
    });

    test('shows drafts of the other language', async () => {
      const headers = await cookieOf(enter('/'));
      service.contents.saveDraft(301, { title: 'Dusk, not yet published' }, { lang: 'en' });
      const path = '/_luid/preview/en/articles/harbour-at-dusk/';
      const page = async () => (await fetch(address(path), { headers })).text();
      await expect.poll(page).toMatch(/<h1[^>]*>Dusk, not yet published</);
    });
  });

  test('in astro dev an open page shows an edit, and its preview looks the same', async () => {
    const env = {
      ...playgroundEnvironment(service),
      LUID_REFRESH_SECRET: SECRET,
      LUID_PREVIEW_SECRET: SECRET,
    };
    const dev = await startAstro(['dev', '--ignore-lock'], site.folder, env);
    try {
      const { page, errors } = await openTab(browser, new URL('/articles/tea-field-morning/', dev.url));
      service.contents.edit(302, { title: '茶畑の夕方' }, { lang: 'ja' });
      const headers = { 'x-luid-secret': SECRET };
      expect((await fetch(new URL('/_luid/refresh', dev.url), { method: 'POST', headers })).ok).toBe(true);
      await page.waitForFunction(() => document.querySelector('h1')?.textContent === '茶畑の夕方');
      expect(errors).toEqual([]);

      const fonts = await fontsOf(page);
      const enter = new URL(
        `/_luid/preview?secret=${encodeURIComponent(SECRET)}&to=/articles/tea-field-morning/`,
        dev.url,
      );
      await page.goto(enter.href);
      expect(new URL(page.url()).pathname).toBe('/_luid/preview/articles/tea-field-morning/');
      expect(await fontsOf(page)).toEqual(fonts);
      await page.close();
    } finally {
      await dev.close();
    }
  });
});

/** A tab, and what must not have happened in it: errors, failed requests, requests to other hosts. */
async function watched(context: BrowserContext) {
  const page = await context.newPage();
  const errors: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('requestfailed', (request) => {
    // A page that is left ends its stream of changes, and whatever has not arrived.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') errors.push(`failed: ${request.url()}: ${reason}`);
  });
  page.on('request', (request) => requested.push(request.url()));
  const problems = (hosts: string[]) => [
    ...errors,
    ...requested.filter((url) => !hosts.some((host) => url.startsWith(host))),
  ];
  return { page, problems };
}

async function cookieOf(url: string): Promise<{ cookie: string }> {
  const answer = await fetch(url, { redirect: 'manual' });
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** To the end, as a reader would, and until every picture that came into view is there. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += 600) {
      window.scrollTo(0, top);
      await new Promise(requestAnimationFrame);
    }
  });
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getClientRects().length === 0),
  );
}

/** Shows whether a page has its styles. */
function fontsOf(page: Page): Promise<string[]> {
  return page
    .locator('body, main h1, main .lead')
    .evaluateAll((found) =>
      found.map((one) => getComputedStyle(one).fontFamily + getComputedStyle(one).fontSize),
    );
}

/** The pictures that can be seen. */
function picturesOf(page: Page) {
  return page.evaluate(() =>
    [...document.images]
      .filter((image) => image.getClientRects().length > 0)
      .map((image) => ({
        src: image.src,
        loaded: image.naturalWidth > 0,
        sized: image.hasAttribute('alt') && image.width > 0 && image.hasAttribute('height'),
      })),
  );
}

/** What axe finds serious or critical, and where: by all of its rules, or by some. */
async function seriousFaults(page: Page, rules?: string[]): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
