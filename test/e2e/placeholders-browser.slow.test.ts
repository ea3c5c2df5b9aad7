import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, type Seed, startEmulator } from '../../src/emulator/index.ts';
import { disc, landscape } from '../images/drawn-images.ts';
import { hasBrowser, launchBrowser, watchShifts } from '../support/browser.ts';
import { createSite, type Site } from './site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where to put screenshots, for a person who wants to look at them. */
const SCREENSHOTS = process.env.LUID_SCREENSHOTS;

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    const directives = ["default-src 'none'", 'img-src ' + new URL(process.env.LUID_ASSETS_URL).origin];
    export default {
      integrations: [luid(space, { poll: false })],
      ...(process.env.TEST_OUT && { outDir: process.env.TEST_OUT }),
      ...(process.env.TEST_CSP ? { security: { csp: { directives } } } : { build: { inlineStylesheets: 'never' } }),
    };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    const placeholder = process.env.TEST_PLACEHOLDER !== 'off';
    export const space = defineSpace({
      models: {
        article: {
          title: field.text(), slug: field.text(),
          cover: placeholder ? field.media({ dimensions: true, placeholder: true }) : field.media({ dimensions: true }),
          body: field.flexibleText({ images: { width: 300, ...(placeholder && { placeholder }) } }),
        },
      },
    });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) }),
    };`,
  'src/pages/[id].astro': `---
    import { getCollection, render } from 'astro:content';
    import { LuidImage, LuidPicture } from 'astro-luid/components';
    export async function getStaticPaths() {
      return (await getCollection('articles')).map((entry) => ({ params: { id: entry.id }, props: { entry } }));
    }
    const { entry } = Astro.props;
    const { Content } = await render(entry);
    ---
    <!doctype html>
    <html lang="en">
      <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>{entry.data.title}</title></head>
      <body>
        <main>
          <h1>{entry.data.title}</h1>
          <p><LuidImage media={entry.data.cover} width={450} priority id="image" /></p>
          <p><LuidPicture media={entry.data.cover} width={300} id="picture" /></p>
          <p><LuidImage media={entry.data.cover} width={200} height={200} id="square" /></p>
          <p><LuidImage media={entry.data.cover} width={200} placeholder={false} id="none" /></p>
          <Content />
        </main>
      </body>
    </html>`,
  'src/pages/control.astro': `
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8" /><title>Control</title></head>
    <body><h1 style="color: red">Styled</h1><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" /></body></html>`,
};

describe.skipIf(!hasBrowser)('placeholders, in a browser with a strict content security policy', () => {
  let service: RunningEmulator;
  let browser: Browser;
  let site: Site;
  let files: string;
  let strict: { server: Server; url: string };
  let own: { server: Server; url: string };

  beforeAll(async () => {
    files = mkdtempSync(join(tmpdir(), 'astro-luid-drawn-'));
    await landscape().jpeg().toFile(join(files, 'landscape.jpg'));
    await disc().png().toFile(join(files, 'disc.png'));
    service = await startEmulator(seed(), { directory: files, rateLimit: false });
    for (const [id, name] of [
      [1, 'landscape.jpg'],
      [2, 'disc.png'],
    ] as const) {
      service.contents.edit(10 + id, {
        body: `<p><img src="${service.assetsUrl}/${id}/${name}" alt="In text"></p>`,
      });
    }
    const env = {
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published',
    };
    site = createSite(FILES, env);
    await site.astro(['build']);
    await site.astro(['build'], { TEST_CSP: '1', TEST_OUT: 'dist-csp' });
    await site.astro(['build'], { TEST_PLACEHOLDER: 'off', TEST_OUT: 'dist-off' });
    const assets = new URL(service.assetsUrl).origin;
    const policy = `default-src 'none'; img-src 'self' ${assets}; style-src 'self'`;
    strict = await serve(join(site.folder, 'dist'), { 'content-security-policy': policy });
    own = await serve(join(site.folder, 'dist-csp'), {});
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    strict?.server.close();
    own?.server.close();
    await service?.close();
    site?.remove();
    rmSync(files, { recursive: true, force: true });
  });

  /** Opens a page whose images are loaded only after `release`. */
  async function open(url: string) {
    const page = await browser.newPage({ viewport: { width: 600, height: 1500 } });
    const released = Promise.withResolvers<void>();
    await page.route(`${service.assetsUrl}/**`, async (route) => {
      await released.promise;
      await route.continue();
    });
    const violations: string[] = [];
    await page.exposeFunction('reportViolation', (directive: string) => violations.push(directive));
    await page.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (event) =>
        Reflect.get(window, 'reportViolation')(event.effectiveDirective),
      ),
    );
    const shifts = await watchShifts(page);
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.readyState !== 'loading' && document.styleSheets.length > 0);
    const release = async () => {
      released.resolve();
      await page.waitForFunction(() =>
        [...document.images].every((image) => image.complete && image.naturalWidth > 0),
      );
      await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    };
    return { page, violations, shifts, release };
  }

  test.each(['the header', "Astro's own policy"])(
    'show the image until it is loaded, under %s',
    async (which) => {
      const { page, violations, shifts, release } = await open(
        `${(which === 'the header' ? strict : own).url}/landscape/`,
      );
      try {
        const before = await boxes(page);
        for (const selector of ['#image', '#picture', 'p img[alt="In text"]']) {
          const shown = await colorsOf(page, selector);
          expect(shown.sky, selector).toBeNear([156, 211, 242]);
          const [red = 0, , blue = 0] = shown.sun;
          expect(red - blue, selector).toBeGreaterThan(0);
          expect(shown.ground, selector).toBeNear([29, 74, 35]);
        }
        expect((await colorsOf(page, '#none')).sky).toEqual([255, 255, 255]);
        if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `stalled-${which.slice(-6)}.png`) });

        await release();
        expect(await boxes(page)).toEqual(before);
        expect((await colorsOf(page, '#image')).sun).toBeNear([156, 211, 242], 12);
        const loaded = await page.screenshot();
        if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `loaded-${which.slice(-6)}.png`) });
        await removePreviews(page);
        expect(await differingPixels(loaded, await page.screenshot())).toBe(0);
        expect(await shifts()).toEqual([]);
        expect(violations).toEqual([]);
        expect(await page.locator('script').count()).toBe(0);
      } finally {
        await page.close();
      }
    },
  );

  test('show the part that a cropped image shows', async () => {
    const { page } = await open(`${strict.url}/landscape/`);
    const value = (selector: string) => page.locator(selector).getAttribute('data-luid-placeholder');
    expect(await value('#square')).toMatch(/^([a-zZ][\dA-F]){27}$/);
    expect(await value('#square')).not.toBe(await value('#image'));
    expect(await value('#picture')).toBe(await value('#image'));
    await page.close();
  });

  test('are not shown for an image with transparent parts', async () => {
    const { page, violations, release } = await open(`${strict.url}/disc/`);
    expect(await page.locator('[data-luid-placeholder]').count()).toBe(0);
    const image = page.locator('#image');
    expect(await image.evaluate((one) => getComputedStyle(one).backgroundImage)).toBe('none');
    await release();
    const corner = await pixel(await image.screenshot(), 5, 5);
    expect(corner).toEqual([255, 255, 255]);
    expect(violations).toEqual([]);
    await page.close();
  });

  test('leave the alternative text readable if the image cannot be loaded', async () => {
    const page = await browser.newPage({ viewport: { width: 600, height: 1500 } });
    await page.route(`${service.assetsUrl}/**`, (route) => route.abort());
    await page.goto(`${strict.url}/landscape/`);
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'failed.png') });
    const style = await page.locator('#image').evaluate((one) => {
      const { color, textShadow } = getComputedStyle(one);
      return { color, textShadow };
    });
    expect(style.color).toBe('rgb(0, 0, 0)');
    expect(style.textShadow).toContain('rgb(255, 255, 255)');
    await page.close();
  });

  test('are accessible', async () => {
    const { page, release } = await open(`${strict.url}/landscape/`);
    for (const state of ['stalled', 'loaded']) {
      if (state === 'loaded') await release();
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      expect(violations.map(({ id }) => id)).toEqual([]);
    }
    await page.close();
  });

  test('use nothing of what the policy forbids, which a page with a style and a data URL does', async () => {
    const { page, violations } = await open(`${strict.url}/control/`);
    await expect.poll(() => [...violations].sort()).toEqual(['img-src', 'style-src-attr']);
    await page.close();
  });

  test('are no byte of a site without the option', () => {
    const folder = join(site.folder, 'dist-off');
    const built = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const { parentPath, name } of built) {
      const text = readFileSync(join(parentPath, name), 'utf8');
      expect(text, name).not.toMatch(/luid-|thumbhash/i);
    }
    const withoutPreviews = (html: string) =>
      html.replace(/ data-luid-placeholder="\w+"/g, '').replace(/<link rel="stylesheet"[^>]*>/g, '');
    const on = readFileSync(join(site.folder, 'dist/landscape/index.html'), 'utf8');
    const off = readFileSync(join(folder, 'landscape/index.html'), 'utf8');
    expect(off).toContain('id="image"');
    expect(withoutPreviews(on)).toBe(withoutPreviews(off));
  });
});

function seed(): Seed {
  const article = (id: number, slug: string) => ({
    id: 10 + id,
    model: 'article',
    created_at: '2026-01-01T00:00:00Z',
    published: { en: { title: slug, slug, cover: id } },
  });
  return {
    languages: { main: 'en', sub: [] },
    keys: [{ key: 'published', reads: 'published' }],
    models: {
      article: {
        title: { type: 'text', title: true },
        slug: { type: 'text' },
        cover: { type: 'media' },
        body: { type: 'flexible_text' },
      },
    },
    media: [
      { id: 1, file: 'landscape.jpg', alt: { en: 'A landscape' } },
      { id: 2, file: 'disc.png', alt: { en: 'A disc' } },
    ],
    contents: [article(1, 'landscape'), article(2, 'disc')],
  } as unknown as Seed;
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.css': 'text/css' };

async function serve(folder: string, headers: Record<string, string>) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '/index.html');
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', ...headers }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function boxes(page: Page): Promise<unknown[]> {
  return page.evaluate(() => [...document.images].map((image) => image.getBoundingClientRect().toJSON()));
}

function removePreviews(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const image of document.images) image.removeAttribute('data-luid-placeholder');
  });
}

/** What is seen in three places of the landscape. */
async function colorsOf(page: Page, selector: string) {
  const screenshot = await page.locator(selector).screenshot({ animations: 'disabled' });
  const { width, height } = await sharp(screenshot).metadata();
  const at = (x: number, y: number) => pixel(screenshot, Math.floor(x * width), Math.floor(y * height));
  return { sky: await at(0.05, 0.05), sun: await at(0.97, 0.1), ground: await at(0.5, 0.97) };
}

async function pixel(png: Buffer, left: number, top: number): Promise<number[]> {
  const image = sharp(png).removeAlpha().extract({ left, top, width: 1, height: 1 });
  return [...(await image.raw().toBuffer())];
}

async function differingPixels(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((png) => sharp(png).removeAlpha().raw().toBuffer()));
  return a?.length === b?.length ? (a ?? []).filter((value, index) => value !== b?.[index]).length : -1;
}

expect.extend({
  /** Each channel differs by at most `limit`. */
  toBeNear(received: number[], wanted: number[], limit = 40) {
    const pass = received.every((value, index) => Math.abs(value - (wanted[index] ?? 0)) <= limit);
    return { pass, message: () => `${received} is not within ${limit} of ${wanted}` };
  },
});
declare module 'vitest' {
  interface Matchers {
    toBeNear(wanted: number[], limit?: number): void;
  }
}
