import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDeadLinks } from '../../scripts/docs/dead-links.mjs';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { run } from '../support/run-command.ts';
import { WAIT_LIMIT } from '../support/until.ts';
import { JAPANESE_PAGES, PAGES, textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'docs/site/dist');

beforeAll(async () => {
  // Vitest sets `DEV`, with which the site would have no search.
  const { PATH, HOME } = process.env;
  await run(process.execPath, ['scripts/run.mjs', 'docs', '--build'], {
    cwd: ROOT,
    env: { PATH, HOME },
  });
});

/** The page of the site that a document becomes. */
const builtFile = (document: string) =>
  join(DIST, document.replace(/^docs\//, '').replace(/(?:(^|\/)README)?\.md$/, '$1'), 'index.html');

test('the site has every page, and all links lead somewhere', () => {
  const files = PAGES.map(builtFile);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(findDeadLinks(DIST)).toEqual([]);
});

// The site shows the English page instead of one that is missing.
test.each(JAPANESE_PAGES)('the site has %s', async (document) => {
  const [, title] = /^title: (.+)$/m.exec(textOf(document)) ?? [];
  expect(await readFile(builtFile(document), 'utf8')).toContain(`>${title}</h1>`);
});

test('the sidebar of a Japanese page leads to the other Japanese pages, by their titles', async () => {
  const html = await readFile(join(DIST, 'ja/guides/images/index.html'), 'utf8');
  const [sidebar = ''] = /<nav class="sidebar[\s\S]*?<\/nav>/.exec(html) ?? [];
  expect(sidebar).toMatch(
    /href="\/ja\/guides\/image-placeholders\/"[^>]*>\s*<span[^>]*>画像のプレースホルダー</,
  );
  expect(sidebar).not.toMatch(/href="\/(?!ja\/)/);
});

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

describe.skipIf(!hasBrowser)('without a network', () => {
  let server: Server;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      const file = join(DIST, path.endsWith('/') ? `${path}index.html` : path);
      const body = await readFile(file).catch(() => undefined);
      response.writeHead(body ? 200 : 404, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      });
      response.end(body);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('search finds an option and opens its page', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_LIMIT);
    const elsewhere: string[] = [];
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
    await page.route('**', (route) => {
      if (route.request().url().startsWith(origin)) return route.continue();
      elsewhere.push(route.request().url());
      return route.abort();
    });
    await page.goto(origin);
    await page.locator('button[data-open-modal]').click();
    // Starlight adds it when the browser is idle.
    await page
      .locator('.pagefind-ui__search-input')
      .fill('apiKeyHeader')
      .catch((error) => {
        throw new Error(`There is no search: ${problems.join(', ') || 'no problems'}`, { cause: error });
      });
    const result = page.locator('.pagefind-ui__result-link', { hasText: 'defineSpace' }).first();
    await result.click();
    await page.waitForURL(/\/reference\/space\//);
    expect(await page.locator('h1').first().textContent()).toBe('defineSpace');
    expect(elsewhere).toEqual([]);
    await page.close();
  });

  test.each([
    ['', 'webhook', '/guides/webhooks/'],
    ['', 'troubleshooting', '/start/troubleshooting/'],
    ['/ja/', 'Webhook', '/ja/guides/webhooks/'],
  ])('search on the pages below %j for %s finds %s first', async (root, words, path) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_LIMIT);
    await page.goto(origin + root);
    await page.locator('button[data-open-modal]').click();
    await page.locator('.pagefind-ui__search-input').fill(words);
    const first = page.locator('.pagefind-ui__result-title .pagefind-ui__result-link').first();
    expect(await first.getAttribute('href')).toBe(path);
    await page.close();
  });

  test.each([1280, 390])('the widest tables fit a screen of %i pixels', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const paths = ['guides/serving', 'guides/hosts', 'comparison', 'reference/errors', 'ja/guides/deploying'];
    for (const path of paths) {
      await page.goto(`${origin}/${path}/`);
      const cut = await page.evaluate(() => {
        const right = document.querySelector('.sl-markdown-content')?.getBoundingClientRect().right ?? 0;
        const cells = [...document.querySelectorAll('.sl-markdown-content :is(td, th)')];
        return cells
          .filter(
            (cell) =>
              cell.getBoundingClientRect().right > right + 1 || cell.scrollWidth > cell.clientWidth + 2,
          )
          .map((cell) => cell.textContent);
      });
      expect(cut, path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(
        width,
      );
    }
    await page.close();
  });
});
