import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/index.ts';
import { type AstroServer, startAstro } from '../../e2e/server.ts';
import type { Site } from '../../e2e/site.ts';
import { runInFrames } from '../../security/run-in-frames.ts';
import { hasBrowser, launchBrowser } from '../../support/browser.ts';
import { BODIES, buildComponentSite, HOSTILE, HOSTILE_TITLE, RANDOM_TEXTS, SAME } from './component-site.ts';
import { findDifferences } from './read-html.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where to put screenshots, for a person who wants to look at them. */
const SCREENSHOTS = process.env.LUID_SCREENSHOTS;
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; require-trusted-types-for 'script'";

let site: Site;
let service: RunningEmulator;
let log: string;
beforeAll(async () => {
  ({ site, service, log } = await buildComponentSite());
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

const built = (path: string) => site.built(`client/${path}/index.html`);

const ENTRIES = Object.entries(BODIES).flatMap(([model, bodies]) =>
  Object.keys(bodies).map((id) => `${model}/${id}`),
);

describe('RichText without components', () => {
  test.each(ENTRIES)('renders %s like <Content />, byte for byte', (entry) => {
    const content = built(`content/${entry}`);
    expect(built(`entry/${entry}`)).toBe(content);
    expect(built(`html/${entry}`)).toBe(content);
  });
});

describe('RichText with components', () => {
  test('renders attributes as props and content as slot, nested too, and all else as it is', () => {
    expect(built('mapped/story/plain')).toBe(
      `<header class="heading" id="tides-time">Tides &amp; <em>time</em></header>
<p class=lead>See <x-link to="/a?x=1&amp;y=2" title="He said &quot;hi&quot;">the <b>list</b></x-link>.</p>
<figure><header class="heading" id="quoted-link">Quoted <x-link to="#tides">link</x-link></header><p>text</p></figure>
<p>One<br>two<x-image data-slot="false" src="a.jpg" alt hidden="true"></x-image>three<!-- a note --></p><x-code text="

  a &amp;lt; b
    c
"></x-code>
<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table><video controls muted src="v.mp4"></video>`,
    );
  });

  test('closes what is not closed where browsers do', () => {
    expect(built('mapped/story/unclosed')).toBe(
      '<p>a <b>b <i>c</i></b><i> d</i></p><p>e</p><header class="heading">f<ul><li>g</li><li>h</li></ul></header>',
    );
  });

  test('leaves scripts, styles, templates, SVG and MathML as they are', () => {
    const content = built('content/story/raw');
    expect(built('mapped/story/raw')).toBe(
      content.replace('<p><a>no href</a></p>', '<p><x-link>no href</x-link></p>'),
    );
  });

  test('renders sanitized text and Markdown', () => {
    expect(built('mapped/comment/clean')).toBe(
      '<header class="heading" id="user-content-config">config</header><p>Hello <x-link>you</x-link> ' +
        '<x-link to="#user-content-config">there</x-link></p>',
    );
    const markdown = built('mapped/note/markdown');
    expect(markdown).toContain(
      '<header class="heading" id="a-styled-head--more">A <em>styled</em> <code>head</code>',
    );
    expect(markdown).toContain('<x-link to="https://x.example/?a=1&amp;b=2">link</x-link>');
    expect(markdown).toContain('<td><x-link to="/two">2</x-link></td>');
    expect(markdown).toMatch(/<x-code text="<code><span class=&quot;line&quot;>/);
    expect(markdown).toMatch(/<x-image data-slot="false" [^>]*src="https:\/\/x\.example\/a\.png"/);
  });

  test('`headingsOf` returns the headings of `render()`, for entries and for HTML', () => {
    const headings = site.json<Record<string, { render: unknown[] }>>('client/headings.json');
    expect(headings.plain?.render).toHaveLength(2);
    expect(headings.markdown?.render).toHaveLength(3);
    for (const [id, { render, ...others }] of Object.entries(headings)) {
      expect([id, others]).toEqual([id, { entry: render, html: render }]);
    }
  });

  test('a wrong component is a type error', async () => {
    expect(await site.astro(['check'])).toMatch(/- 0 errors/);
  });

  test('an unknown element is an error that names the nearest one', () => {
    expect(site.json('client/typo.json')).toEqual({
      name: 'LuidConfigError',
      message: expect.stringMatching(
        /RichText has a component for "heading2", which is not an element of a text\n.*Did you mean 'h2'\?/,
      ),
    });
  });
});

interface Rendered {
  readonly content: string;
  readonly same: string;
  readonly bare: string;
  readonly props: string;
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  let rendered: Rendered[];

  beforeAll(async () => {
    rendered = site.json<Rendered[]>('client/hostile.json');
    browser = await launchBrowser();
    page = await browser.newPage();
    const url = 'https://site.example/';
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(url);
    await page.unroute(url);
    await page.context().setOffline(true);
  });
  afterAll(() => browser?.close());

  test('text that components render as it is means the same as <Content />', async () => {
    const pairs = rendered.map(({ content, same }) => [content, same] as const);
    const differences = await page.evaluate(
      `(${findDifferences})(${JSON.stringify(pairs)}, ${JSON.stringify(SAME)})`,
    );
    expect(differences).toEqual([]);
    // Few texts are so malformed that components cannot render them.
    expect(log).toContain('RichText: the HTML is too malformed for components');
    const changed = rendered.filter(({ content, same }) => content !== same);
    expect(changed.length).toBeGreaterThan(300);
  });

  test('no text runs code that does not run in <Content />', async () => {
    const payloads = rendered.slice(0, HOSTILE.length - RANDOM_TEXTS);
    const running = async (texts: readonly string[]) => new Set(await page.evaluate(runInFrames, texts));
    const inContent = await running(payloads.map(({ content }) => content));
    expect(inContent.size).toBeGreaterThan(50);
    const inert = payloads.filter((_, index) => !inContent.has(index));
    const ways = inert.flatMap(({ content, ...others }) => Object.values(others)).filter((text) => text);
    const texts = [...new Set(ways)];
    const found = await running(texts);
    const executed = new Set(texts.filter((_, index) => found.has(index)));
    let suspects = inert.filter((texts) => Object.values(texts).some((text) => executed.has(text)));
    // Some code runs only after a while, in <Content /> too.
    for (let round = 0; round < 5 && suspects.length > 0; round++) {
      const late = await running(suspects.map(({ content }) => content));
      suspects = suspects.filter((_, index) => !late.has(index));
    }
    expect(suspects).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('a page with LuidSeo and RichText, in a browser with a strict CSP', () => {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.route('https://site.example/**', (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/a.svg')
        return route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        });
      const headers = { 'content-security-policy': CSP };
      return route.fulfill({ contentType: 'text/html', body: built(path), headers });
    });
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
        violations.push(violatedDirective),
      );
    });
    await page.goto('https://site.example/full/article');
  });
  afterAll(() => browser?.close());

  const values = (selector: string, name: string) =>
    page.locator(selector).evaluateAll((found, key) => found.map((one) => one.getAttribute(key)), name);

  test('reports no violation and no error', async () => {
    expect(await page.evaluate(() => Reflect.get(window, 'violations'))).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(window, '__pwned'))).toBeUndefined();
    expect(errors).toEqual([]);
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'components.png'), fullPage: true });
  });

  test('the head contains hostile text as text', async () => {
    expect(await page.title()).toBe(HOSTILE_TITLE);
    expect(await values('meta[property="og:title"]', 'content')).toEqual([HOSTILE_TITLE]);
    expect(await values('link[rel=canonical]', 'href')).toEqual(['https://site.example/full/article/']);
    expect(await values('link[rel=alternate]', 'hreflang')).toEqual(['en', 'de', 'x-default']);
    const [json = ''] = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(JSON.parse(json)).toMatchObject({ '@type': 'Article', headline: HOSTILE_TITLE });
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('head > *:not(meta, title, link, script)').count()).toBe(0);
  });

  test('the text is complete', async () => {
    expect(await page.locator('h2 a').getAttribute('href')).toBe('/harbour');
    expect(await page.locator('p a').evaluate((link) => link.getAttributeNames())).toEqual(['href']);
    expect(await page.locator('pre').textContent()).toBe('const a = 1;');
    expect(await page.locator('td').allTextContents()).toEqual(['Umi', 'Squid']);
  });

  test('axe finds nothing', async () => {
    await page.evaluate(readFileSync(AXE, 'utf8'));
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});

describe('in live pages', () => {
  let server: AstroServer;
  beforeAll(async () => {
    const env = {
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published',
    };
    server = await startAstro(['preview'], site.folder, env);
  });
  afterAll(() => server?.close());

  test.each(['story/plain', 'story/unclosed', 'story/raw', 'comment/clean'])(
    '%s is the same as built',
    async (entry) => {
      const id = entry.split('/')[1];
      for (const way of ['content', 'entry', 'mapped'])
        expect(await server.page(`/live/${way}/${id}`)).toBe(built(`${way}/${entry}`));
    },
  );
});
