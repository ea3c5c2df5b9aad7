import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { hasBrowser, launchBrowser, watchShifts } from '../support/browser.ts';
import { createPlaygroundSite, playgroundEnvironment } from './playground-site.ts';
import { type AstroServer, startAstro } from './server.ts';
import type { Site } from './site.ts';

/** Where to put screenshots, for a person who wants to look at them. */
const SCREENSHOTS = process.env.LUID_SCREENSHOTS;

const VIEWS = [360, 768, 1440].flatMap((width) => [1, 2].map((density) => ({ width, density })));

/** A picture as the browser shows it. */
interface Shown {
  readonly alt: string;
  /** Part of the text, or its cover. */
  readonly isTold: boolean;
  readonly loading: string;
  /** How wide it must be to fill its place, in pixels of the screen: what is cut off at the sides is not seen. */
  readonly needed: number;
  readonly picked: string;
  readonly offers: { url: string; width: number }[];
  readonly isLoaded: boolean;
}

describe.skipIf(!hasBrowser)('pictures of the playground, in a browser', () => {
  let service: RunningEmulator;
  let browser: Browser;
  let server: AstroServer;
  let site: Site;

  beforeAll(async () => {
    const { seed, directory } = sampleSeed();
    service = await startEmulator(seed, { directory });
    service.contents.edit(301, { body: longBody(service.assetsUrl) }, { lang: 'ja' });
    site = createPlaygroundSite(service);
    await site.astro(['build']);
    server = await startAstro(['preview'], site.folder, playgroundEnvironment(service));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await service?.close();
    site?.remove();
  });

  describe.each(VIEWS)('on a screen of $width px with a density of $density', ({ width, density }) => {
    test.each(['/', '/articles/harbour-at-dusk/'])('%s', async (path) => {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        deviceScaleFactor: density,
      });
      try {
        const page = await context.newPage();
        const requested: string[] = [];
        page.on('request', (request) => requested.push(request.url()));
        const shifts = await watchShifts(page);
        await page.goto(new URL(path, server.url).href, { waitUntil: 'networkidle' });

        const far = await farPictures(page);
        for (const url of far) expect(requested).not.toContain(url);
        if (path !== '/') expect(far.length).toBeGreaterThan(0);

        await scrollThrough(page);
        const pictures = await shownPictures(page);
        expect(pictures.length).toBeGreaterThan(2);
        for (const [
          index,
          { alt, isTold, loading, needed, picked, offers, isLoaded },
        ] of pictures.entries()) {
          const sharp = offers.find((offer) => offer.width >= needed) ?? offers.at(-1);
          expect({ picked, isLoaded }).toEqual({ picked: sharp?.url, isLoaded: true });
          // Beside a headline a picture says nothing more; in a text it does.
          if (isTold) expect(alt).not.toBe('');
          expect(loading).toBe(index === 0 ? 'eager' : 'lazy');
        }
        expect(await shifts()).toEqual([]);
        const previews = await previewsOf(page);
        expect(previews.length).toBe(pictures.length);
        for (const preview of previews) expect(preview).toContain('radial-gradient');
        expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
        if (SCREENSHOTS) {
          const name = `${path === '/' ? 'index' : 'article'}-${width}-${density}.png`;
          await page.evaluate(() => window.scrollTo(0, 0));
          await page.screenshot({ path: join(SCREENSHOTS, name), fullPage: true });
        }
      } finally {
        await context.close();
      }
    });
  });
});

/** A text that is much longer than a screen, with pictures in it and at its end. */
function longBody(assetsUrl: string): string {
  const words = `<p>${'氷を積む音、笑い声、そして波の音。'.repeat(12)}</p>`;
  const picture = (path: string, rest = '') => `<p><img src="${assetsUrl}/${path}" ${rest}></p>`;
  return [
    words,
    picture('902/tea-field.jpg', 'alt="茶畑"'),
    words.repeat(20),
    picture('903/night-train.jpg', 'alt="夜の山" width="1600" height="1000"'),
    words,
    picture('901/harbour.jpg?width=800&amp;height=800&amp;fit=crop', 'alt="港、四角"'),
  ].join('');
}

/** Whatever the browser might load of pictures that are several screens away. */
function farPictures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter((image) => image.getBoundingClientRect().top > 4_500)
      .flatMap((image) => [image.src, ...image.srcset.split(', ').map((offer) => offer.split(' ')[0] ?? '')]),
  );
}

/** What is behind each picture until it is loaded. */
function previewsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter((image) => image.getClientRects().length > 0)
      .map((image) => getComputedStyle(image).backgroundImage),
  );
}

/** To the end, as a reader would, and until everything that came into view is there. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += 400) {
      window.scrollTo(0, top);
      await new Promise(requestAnimationFrame);
    }
  });
  await page.waitForFunction(() =>
    [...document.images]
      .filter((image) => image.getClientRects().length > 0)
      .every((image) => image.complete && image.currentSrc),
  );
}

function shownPictures(page: Page): Promise<Shown[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter((image) => image.getClientRects().length > 0)
      .map((image) => {
        const source = image.closest('picture')?.querySelector('source') ?? image;
        const { width, height } = image.getBoundingClientRect();
        const ratio = image.naturalWidth / image.naturalHeight;
        const filled =
          getComputedStyle(image).objectFit === 'cover' ? Math.max(width, height * ratio) : width;
        return {
          alt: image.alt,
          isTold: image.closest('picture, .text') !== null,
          loading: image.loading,
          // The sides of a picture are whole pixels, so that its ratio is not quite that of its place.
          needed: Math.floor(filled) * window.devicePixelRatio,
          picked: image.currentSrc,
          offers: source.srcset.split(', ').map((offer) => {
            const [url = '', width = ''] = offer.split(' ');
            return { url, width: Number.parseInt(width, 10) };
          }),
          isLoaded: image.naturalWidth > 0,
        };
      }),
  );
}
