import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDeadLinks } from '../../scripts/docs/dead-links.mjs';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import type { Site } from '../e2e/site.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { createSiteOf, TUTORIAL } from './document-sites.ts';
import { blocksOf, textOf } from './documents.ts';

let service: RunningEmulator;
let site: Site;
let server: NodeServer;
let output: string;
beforeAll(async () => {
  service = await startEmulator();
  site = createSiteOf([TUTORIAL], service);
  output = stripVTControlCharacters(await site.astro(['build']));
  const { code = '' } = blocksOf(TUTORIAL).find(({ file }) => file === '.env') ?? {};
  // Another port than the documented one, which may be in use.
  const env = parseEnv(code.replaceAll('http://127.0.0.1:4010', service.origin));
  server = await startNodeServer(site.folder, { PATH: process.env.PATH, ...env });
});
afterAll(async () => {
  await server?.close();
  site?.remove();
  await service?.close();
});

const built = (path: string) => site.built(`client/${path}`);
const pagesIn = (path: string) =>
  readdirSync(join(site.folder, 'dist/client', path), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );

test('the site of the tutorial builds on the bundled sample, without a warning', () => {
  expect(output.split('\n').filter((line) => line.includes('[WARN]'))).toEqual([]);
});

test('all its links lead somewhere, in both languages', () => {
  expect(findDeadLinks(join(site.folder, 'dist/client'))).toEqual([]);
  expect(pagesIn('articles').length).toBe(108);
  expect(pagesIn('en/articles').length).toBe(108);
});

test('each step shows what it says', () => {
  expect(built('index.html').match(/<li><a href="\/articles\//g)?.length).toBe(12);
  expect(built('en/index.html')).toContain('Harbour &amp; Hill');
  expect(built('en/2/index.html')).toContain('>Newer</a>');
  const article = built('en/articles/harbour-at-dusk/index.html');
  expect(article).toContain('<h1>Walking the harbour at dusk</h1>');
  expect(article).toMatch(/<a href="\/en\/authors\/[^"]+\/">/);
  expect(article).toContain(
    '<link rel="canonical" href="https://magazine.example/en/articles/harbour-at-dusk/"',
  );
  expect(built('authors/mori/index.html')).toMatch(/<h1>森 ゆり<\/h1>[\s\S]*<a href="\/articles\//);
  expect(built('tags/sea/index.html')).toContain('<h1>sea</h1>');
  expect(built('rss.xml').match(/<item>/g)?.length).toBe(30);
  expect(built('sitemap-0.xml')).toContain('hreflang="x-default"');
});

test('a draft is shown by the URL of the tutorial', async () => {
  service.contents.saveDraft(301, { title: '下書きの港' });
  const [, query = ''] = /_luid\/preview\?(secret=[\w-]+&to=)/.exec(textOf(TUTORIAL)) ?? [];
  const entered = await fetch(`${server.url}/_luid/preview?${query}/articles/harbour-at-dusk/`, {
    redirect: 'manual',
  });
  const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const html = await (
    await fetch(server.url + entered.headers.get('location'), { headers: { cookie } })
  ).text();
  expect(html).toContain('class="luid-preview"');
  expect(html).toContain('<h1>下書きの港</h1>');
});
