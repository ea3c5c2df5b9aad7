import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { contentOf, createLoaderContext, renderMarkdown } from './loader-context.ts';
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

/** Displays each text in a frame, triggers events on all elements, and returns the indexes of texts that ran code. */
async function runInFrames(texts: readonly string[]): Promise<number[]> {
  const executed = new Set<number>();
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  const tryText = async (text: string, index: number) => {
    const frame = document.createElement('iframe');
    const check = () => {
      try {
        if ((frame.contentWindow as { __pwned?: unknown } | null)?.__pwned) executed.add(index);
      } catch {
        // The frame navigated to another origin.
        executed.add(index);
      }
    };
    document.body.append(frame);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.srcdoc = `<!doctype html><body>${text}`;
    await loaded;
    check();
    for (const element of frame.contentDocument?.querySelectorAll<HTMLElement>('body *') ?? []) {
      const protocol = 'protocol' in element ? String(element.protocol) : '';
      for (const type of ['mouseover', 'focus', 'toggle']) element.dispatchEvent(new Event(type));
      if (!/^(http|mailto|tel|blob|file)/.test(protocol)) element.click?.();
      await nextTask();
      check();
    }
    for (let n = 0; n < 5; n++) await nextTask();
    check();
    frame.remove();
  };
  Object.assign(window, { __pwned: undefined });
  for (let at = 0; at < texts.length; at += 50) {
    await Promise.all(texts.slice(at, at + 50).map((text, index) => tryText(text, at + index)));
  }
  if ((window as { __pwned?: unknown }).__pwned) executed.add(-1);
  return [...executed];
}
