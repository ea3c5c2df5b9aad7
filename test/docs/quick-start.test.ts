import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { blocksOf } from './documents.ts';

/** The files that the quick start creates. */
const QUICK_START = ['src/space.ts', 'src/content.config.ts', 'src/pages/articles/[id].astro'];

let service: RunningEmulator;
let site: Site;
beforeAll(async () => {
  service = await startEmulator();
  const blocks = blocksOf('README.md').filter(({ file }) => QUICK_START.includes(file ?? ''));
  const { keys } = sampleSeed().seed as { keys: { key: string; reads: string }[] };
  const published = keys.find(({ reads }) => reads === 'published');
  site = createSite(Object.fromEntries(blocks.map(({ file, code }) => [file, code])), {
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: published?.key,
  });
});
afterAll(async () => {
  site?.remove();
  await service?.close();
});

test('the site of the README’s quick start builds on the bundled sample, without a warning', async () => {
  const output = stripVTControlCharacters(await site.astro(['build']));
  expect(output.split('\n').filter((line) => line.includes('[WARN]'))).toEqual([]);
  const pages = readdirSync(join(site.folder, 'dist/articles'));
  expect(pages.length).toBeGreaterThan(50);
  const html = site.built(`articles/${pages[0]}/index.html`);
  expect(html).toMatch(/<h1>[^<]+<\/h1> ?<p>[^<]+<\/p> ?<img [^>]*width="720"/);
  expect(html).toContain('</h2>');
});
