import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { contentOf, createLoaderContext, renderMarkdown } from './loader-context.ts';
import { runInFrames } from './run-in-frames.ts';
import { connectionTo, serveItems } from './stub-service.ts';
import { HTML_PAYLOADS, MARKDOWN_PAYLOADS } from './xss-payloads.ts';

/** The HTML of `render(entry)` for each text. */
async function renderAll(format: 'html' | 'markdown', texts: readonly string[]): Promise<string[]> {
  const items = texts.map((body, index) => contentOf(index + 1, 'thing', { body }));
  const models = { thing: { body: field.flexibleText({ format, sanitize: true }) } };
  const { context, entries } = createLoaderContext();
  await defineSpace({ ...connectionTo(serveItems(items)), models })
    .loader('thing', { body: 'body' })
    .load(context);
  return entries().map((entry) => entry.rendered?.html ?? 'not rendered');
}

describe.skipIf(!hasBrowser)('in a real browser', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    const site = 'https://site.example/';
    await page.route(site, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(site);
    await page.unroute(site);
    await page.context().setOffline(true);
  });
  afterAll(() => browser?.close());

  /** Texts that run code when they are displayed, hovered, focused or clicked. */
  async function findRunning(texts: readonly string[]): Promise<string[]> {
    const found = await page.evaluate(runInFrames, texts);
    return found.map((index) => texts[index] ?? 'a text that runs code outside its frame');
  }

  test('no sanitized payload runs', async () => {
    const html = await renderAll('html', HTML_PAYLOADS);
    const markdown = await renderAll('markdown', [...HTML_PAYLOADS, ...MARKDOWN_PAYLOADS]);
    expect(await findRunning([...new Set([...html, ...markdown])])).toEqual([]);
  });

  test('but most payloads run without sanitizing', async () => {
    const html = await findRunning(HTML_PAYLOADS);
    expect(html.length).toBeGreaterThan(60);
    // Some do not run: raw HTML that Markdown treats as text, and links that Astro's Markdown removes itself.
    const markdown = await Promise.all(
      MARKDOWN_PAYLOADS.map(async (text) => (await renderMarkdown(text)).html),
    );
    expect((await findRunning(markdown)).length).toBeGreaterThan(30);
  });
});
