import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { hasBrowser, launchBrowser } from '../browser.ts';
import { contentOf, openStore, renderMarkdown } from './hall.ts';
import { addressOf, answering } from './service.ts';
import { HTML, MARKDOWN } from './vectors.ts';

/** The HTML of each, as `render(entry)` returns it. */
async function rendered(format: 'html' | 'markdown', texts: readonly string[]): Promise<string[]> {
  const items = texts.map((body, index) => contentOf(index + 1, 'thing', { body }));
  const models = { thing: { body: field.flexibleText({ format, sanitize: true }) } };
  const { context, entries } = openStore();
  await defineSpace({ ...addressOf(answering(items)), models })
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

  /** Those that run a script when they are rendered, hovered, focused or clicked. */
  async function running(texts: readonly string[]): Promise<string[]> {
    const found = await page.evaluate(runInFrames, texts);
    return found.map((index) => texts[index] ?? 'one that escapes its frame');
  }

  test('no sanitized vector runs', async () => {
    const html = await rendered('html', HTML);
    const markdown = await rendered('markdown', [...HTML, ...MARKDOWN]);
    expect(await running([...new Set([...html, ...markdown])])).toEqual([]);
  });

  test('most vectors run without sanitizing', async () => {
    const html = await running(HTML);
    expect(html.length).toBeGreaterThan(60);
    // Without raw HTML that Markdown reads as text, and without links that Astro's Markdown itself refuses.
    const markdown = await Promise.all(MARKDOWN.map(async (text) => (await renderMarkdown(text)).html));
    expect((await running(markdown)).length).toBeGreaterThan(30);
  });
});

/** Renders each in its own frame, triggers events on all elements, and returns the indexes that set `__pwned`. */
async function runInFrames(texts: readonly string[]): Promise<number[]> {
  const triggered = new Set<number>();
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  const runIn = async (text: string, index: number) => {
    const frame = document.createElement('iframe');
    const check = () => {
      try {
        if ((frame.contentWindow as { __pwned?: unknown } | null)?.__pwned) triggered.add(index);
      } catch {
        // The frame has navigated away.
        triggered.add(index);
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
    await Promise.all(texts.slice(at, at + 50).map((text, index) => runIn(text, at + index)));
  }
  if ((window as { __pwned?: unknown }).__pwned) triggered.add(-1);
  return [...triggered];
}
