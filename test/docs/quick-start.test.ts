import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { blocksOf, textOf } from './documents.ts';

const DOCUMENTS = ['README.md', 'docs/start/quick-start.md'] as const;

/** The files that the quick start creates. */
const QUICK_START = ['src/space.ts', 'src/content.config.ts', 'src/pages/articles/[id].astro'];

const filesIn = (document: string) =>
  Object.fromEntries(
    blocksOf(document).flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]])),
  );

let service: RunningEmulator;
let site: Site;
beforeAll(async () => {
  service = await startEmulator();
  const { '.env': env = '', ...files } = filesIn('README.md');
  expect(Object.keys(files)).toEqual(QUICK_START);
  // Another port than the documented one, which may be in use.
  site = createSite({ ...files, '.env': env.replaceAll('http://127.0.0.1:4010', service.origin) }, {});
});
afterAll(async () => {
  site?.remove();
  await service?.close();
});

test('the README and the documentation have the same quick start, with the port of its emulator', () => {
  const [inReadme, inDocs] = DOCUMENTS.map(filesIn);
  expect(inDocs).toEqual(inReadme);
  for (const document of DOCUMENTS) expect(textOf(document)).toContain('npx luid emulator --port 4010\n');
});

test('the site of the README’s quick start builds on the bundled sample, without a warning', async () => {
  const output = stripVTControlCharacters(await site.astro(['build']));
  expect(output.split('\n').filter((line) => line.includes('[WARN]'))).toEqual([]);
  const pages = readdirSync(join(site.folder, 'dist/articles'));
  expect(pages.length).toBeGreaterThan(50);
  const [, path = ''] = /http:\/\/localhost:4321\/(articles\/[\w-]+)/.exec(textOf('README.md')) ?? [];
  const html = site.built(`${path}/index.html`);
  expect(html).toMatch(/<h1>[^<]+<\/h1> ?<p>[^<]+<\/p> ?<img [^>]*width="720"/);
  expect(html).toContain('</h2>');
});

test.skipIf(!hasBrowser)('no page of the quick start is wider than a phone', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const html = site.built('articles/harbour-at-dusk/index.html');
    expect(html).toContain('<figure><img');
    await page.setContent(html, { waitUntil: 'networkidle' });
    const widths = await page.evaluate(() => [...document.images].map((image) => image.naturalWidth));
    expect(Math.max(...widths)).toBeGreaterThan(1000);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  } finally {
    await browser.close();
  }
});
