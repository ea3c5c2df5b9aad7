import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { contentOf, openStore, renderMarkdown } from './hall.ts';
import { addressOf, answering } from './service.ts';
import { HTML, MARKDOWN } from './vectors.ts';

/** What `render(entry)` would show of each. */
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

  /** Those that run something when they are shown, pointed at, focused or clicked. */
  async function running(texts: readonly string[]): Promise<string[]> {
    const found = await page.evaluate(runInFrames, texts);
    return found.map((index) => texts[index] ?? 'one that reaches out of its frame');
  }

  test('nothing of it runs', async () => {
    const html = await rendered('html', HTML);
    const markdown = await rendered('markdown', [...HTML, ...MARKDOWN]);
    expect(await running([...new Set([...html, ...markdown])])).toEqual([]);
  });

  test('while most of it would, had it not been cleaned', async () => {
    const html = await running(HTML);
    expect(html.length).toBeGreaterThan(60);
    // Without raw HTML that Markdown reads as text, and without links that Astro's Markdown itself refuses.
    const markdown = await Promise.all(MARKDOWN.map(async (text) => (await renderMarkdown(text)).html));
    expect((await running(markdown)).length).toBeGreaterThan(30);
  });
});

/** Shows each in a frame of its own, uses all that can be used, and tells in which the trap was sprung. */
async function runInFrames(texts: readonly string[]): Promise<number[]> {
  const sprung = new Set<number>();
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  const use = async (text: string, index: number) => {
    const frame = document.createElement('iframe');
    const look = () => {
      try {
        if ((frame.contentWindow as { __pwned?: unknown } | null)?.__pwned) sprung.add(index);
      } catch {
        // It went to another place.
        sprung.add(index);
      }
    };
    document.body.append(frame);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.srcdoc = `<!doctype html><body>${text}`;
    await loaded;
    look();
    for (const element of frame.contentDocument?.querySelectorAll<HTMLElement>('body *') ?? []) {
      const leads = 'protocol' in element ? String(element.protocol) : '';
      for (const type of ['mouseover', 'focus', 'toggle']) element.dispatchEvent(new Event(type));
      if (!/^(http|mailto|tel|blob|file)/.test(leads)) element.click?.();
      await turn();
      look();
    }
    for (let n = 0; n < 5; n++) await turn();
    look();
    frame.remove();
  };
  Object.assign(window, { __pwned: undefined });
  for (let at = 0; at < texts.length; at += 50) {
    await Promise.all(texts.slice(at, at + 50).map((text, index) => use(text, at + index)));
  }
  if ((window as { __pwned?: unknown }).__pwned) sprung.add(-1);
  return [...sprung];
}
