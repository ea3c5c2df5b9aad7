import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningEmulator, Seed, ServerOptions } from '../../src/emulator/index.ts';
import { createTestLoader } from '../astro/loader/test-loader.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';

// The page is part of the build.
const { startEmulator, sampleSeed } = (await import(
  join(import.meta.dirname, '../../dist/emulator/index.js')
)) as typeof import('../../src/emulator/index.ts');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a page did that it must not do. */
interface Opened {
  readonly page: Page;
  /** Errors in the console and uncaught ones. */
  readonly errors: string[];
}

let browser: Browser;
let emulator: RunningEmulator;
let context: BrowserContext;

beforeAll(async () => {
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function serve(seed: unknown, options: ServerOptions = {}) {
  emulator = await startEmulator(seed, { studio: true, ...options });
}

/** Opens the studio as the terminal does, then a view. */
async function open(hash = '', theme: 'light' | 'dark' = 'light', width = 1280): Promise<Opened> {
  context = await browser.newContext({ viewport: { width, height: 860 }, colorScheme: theme });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(emulator.studioUrl ?? '');
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  if (hash) await page.evaluate((to) => location.assign(to), hash);
  return { page, errors };
}

describe.runIf(hasBrowser)('the studio with the sample', () => {
  beforeEach(async () => {
    const { seed, directory } = sampleSeed();
    await serve(seed, { directory });
  });
  afterEach(async () => {
    await context.close();
    await emulator.close();
  });

  it('removes the token from the address bar and asks for the terminal without one', async () => {
    const { page } = await open();
    expect(page.url()).toBe(`${emulator.origin}/`);
    const other = await (await browser.newContext()).newPage();
    await other.goto(emulator.origin);
    await other.getByRole('heading', { name: 'Open the studio from the terminal' }).waitFor();
    await other.context().close();
  });

  it('keeps its token when a link of another website has a wrong one', async () => {
    const { page } = await open();
    const views = () => page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.goto('about:blank');
    await page.goto(`${emulator.origin}/#token=${'a'.repeat(32)}`);
    await views();
    expect(page.url()).toBe(`${emulator.origin}/`);
    await page.reload();
    await views();
  });

  it('keeps no token that is wrong, and takes the right one afterwards', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${emulator.origin}/#token=${'a'.repeat(32)}`);
    await other.getByRole('heading', { name: 'Open the studio from the terminal' }).waitFor();
    expect(await other.evaluate(() => ({ ...localStorage }))).not.toHaveProperty('luid-studio-token');
    await other.goto('about:blank');
    await other.goto(emulator.studioUrl ?? '');
    await other.getByRole('navigation', { name: 'Views' }).waitFor();
    await other.context().close();
  });

  const VIEWS = [
    ['#/', '夕暮れの港を歩く'],
    ['#/model/article', '夕暮れの港を歩く'],
    ['#/item/301', 'Save draft'],
    ['#/item/301?tab=response', '200 OK'],
    ['#/item/999999', '999999'],
    ['#/new/article', 'Save draft'],
    ['#/media', 'harbour.jpg'],
    ['#/traffic', 'Rate limit'],
    ['#/webhooks', 'Last deliveries'],
  ] as const;

  it('adds a webhook, shows its deliveries and sends one again', async () => {
    const received: unknown[] = [];
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString());
      received.push([request.headers['x-luid-secret'], body]);
      response.writeHead(401).end('wrong secret');
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/_luid/refresh`;
    const { page, errors } = await open('#/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const form = page.getByRole('form', { name: 'New webhook' });
    await form.getByLabel('URL').fill(url);
    await form.getByLabel('Headers, one per line').fill('x-luid-secret open');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').filter({ hasText: 'is not a header' }).waitFor();
    await form.getByLabel('Headers, one per line').fill('x-luid-secret: open');
    await form.getByLabel('draft saved').uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('form', { name: url }).waitFor();
    emulator.contents.saveDraft(301, { lead: '新しい' });
    emulator.contents.publish(301);
    const deliveries = page.getByRole('region', { name: 'Last deliveries' });
    await deliveries.getByText('401 Unauthorized').waitFor();
    await deliveries.getByRole('button', { name: 'Send again: publish, content 301' }).click();
    await deliveries.getByRole('listitem').nth(1).waitFor();
    await emulator.webhooks.settled();
    const event = ['open', { event: 'publish', id: 301, model: 'article' }];
    expect(received).toEqual([event, event]);
    await page.getByRole('form', { name: url }).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(emulator.webhooks.get()).toEqual([]);
    expect(errors).toEqual([]);
    receiver.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'has no accessibility violations and no overflow in any view: %s, %i px',
    async (theme, width) => {
      emulator.webhooks.add({ url: 'http://127.0.0.1:9/_luid/refresh' });
      emulator.contents.saveDraft(301, { lead: '新しい' });
      await fetch(`${emulator.baseUrl}/contents?limit=1`, {
        headers: { 'X-SERVICE-API-KEY': 'published-key' },
      });
      const { page, errors } = await open('', theme, width);
      for (const [hash, text] of VIEWS) {
        await page.evaluate((to) => location.assign(to), hash);
        await page.getByText(text).filter({ visible: true }).first().waitFor();
        expect(await violations(page), hash).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, hash).toBeLessThanOrEqual(0);
      }
      expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
    },
  );

  it('shows the requests of a site with key, status and CDN, and counts the rate limit down', async () => {
    const { page } = await open('#/traffic');
    await page.getByText('600 of 600 left').first().waitFor();
    const headers = { 'X-SERVICE-API-KEY': 'published-key' };
    const read = () => fetch(`${emulator.baseUrl}/contents?title%5Bcontains%5D=%E6%B8%AF`, { headers });
    await read();
    await read();
    const rows = page.getByRole('row').filter({ hasText: '/v1/contents' });
    await rows.nth(1).waitFor();
    const [second, first] = await rows.allInnerTexts();
    expect(first).toMatch(/GET[\s\S]*title\[contains\]=港[\s\S]*200 OK[\s\S]*miss[\s\S]*#1 \(published\)/);
    expect(second).toContain('hit');
    await page.getByText('599 of 600 left').waitFor();
  });

  it('switches faults on that a loader sees, and off again', async () => {
    const { page } = await open('#/traffic');
    const { load, data } = createTestLoader(emulator);
    const models = { author: { name: { type: 'text' } } };
    const author = () => load('author', { models, space: { cache: false } });
    const fault = (name: string) => page.getByRole('form', { name });

    const dropped = fault('Drop the connection');
    await dropped.getByLabel('Duration').selectOption('until turned off');
    await dropped.getByRole('button').click();
    await page.getByText('1 fault is on').waitFor();
    await expect(author()).rejects.toThrow('no response');
    expect(data('201')).toBeUndefined();
    const row = page.getByRole('row').filter({ hasText: 'ended' }).first();
    await row.waitFor();
    await page.getByRole('button', { name: 'Turn all off' }).click();
    await page.getByText('1 fault is on').waitFor({ state: 'detached' });

    const failing = fault('500 Internal Server Error');
    await failing.getByLabel('Duration').selectOption('until turned off');
    await failing.getByRole('button').click();
    await page.getByText('1 fault is on').waitFor();
    await expect(author()).rejects.toThrow('500');
    await page.getByRole('button', { name: 'Turn all off' }).click();
    await page.getByText('1 fault is on').waitFor({ state: 'detached' });
    await author();
    expect(data('201')).toMatchObject({ name: '森 ゆり' });
  });

  it('shows the exact response, and code that gets the same from the API', async () => {
    const { page } = await open('#/item/301?tab=response');
    await page.getByText('200 OK').waitFor();
    await page.getByLabel('Exact text').check();
    const response = await fetch(`${emulator.baseUrl}/contents/301`, {
      headers: { 'X-SERVICE-API-KEY': 'draft-key' },
    });
    const shown = page.getByRole('region', { name: 'Body of the response' });
    await expect.poll(() => shown.textContent()).toBe(await response.text());
  });
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(async () => document.getAnimations().map((animation) => animation.finish()));
  // The policy of the page forbids scripts of others, so axe comes through the debugger.
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate<AxeResults>('axe.run({ iframes: false })');
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const SCRIPT = `<img src=x onerror="window.hacked='img'"><script>window.hacked='script'</script>`;
const ATTRIBUTE = `"><svg onload="window.hacked='svg'">`;

/** Everything that a stranger could have written into the space. The tracker is a server of the stranger's. */
const hostileSpace = (tracker: string): Seed => ({
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published-key', reads: 'published' },
    { key: `'"><script>window.hacked='key'</script>`, reads: 'drafts' },
  ],
  models: {
    page: {
      title: { type: 'text' },
      body: { type: 'flexible_text' },
      kind: { type: 'select', options: [SCRIPT, 'javascript:alert(1)'] },
      image: { type: 'media' },
      page: { type: 'reference' },
      note: { type: 'unknown' },
    },
  },
  media: [{ id: 5, file: `a${ATTRIBUTE.replaceAll('/', '')}.svg`, alt: { ja: SCRIPT, en: ATTRIBUTE } }],
  contents: [
    {
      id: 1,
      model: 'page',
      created_at: '2026-01-01T00:00:00Z',
      published: {
        ja: {
          title: SCRIPT + ATTRIBUTE,
          body: `${SCRIPT}<a href="javascript:window.hacked='link'">a</a><iframe src="javascript:parent.hacked=1"></iframe>
            <img src="${tracker}/a.gif"><link rel="stylesheet" href="${tracker}/a.css">
            <meta http-equiv="refresh" content="0;url=${tracker}/"><form action="${tracker}/"><button>x</button></form>
            <base href="${tracker}/"><style>@import "${tracker}/b.css"</style></html></body>`,
          kind: 'javascript:alert(1)',
          image: 5,
          page: 1,
          note: { __proto__: SCRIPT, text: SCRIPT },
        },
      },
    },
  ],
});

describe.runIf(hasBrowser)('hostile content', () => {
  it('does nothing in any view', async () => {
    const requests: string[] = [];
    const tracker = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(tracker, 'listening');
    await serve(hostileSpace(`http://127.0.0.1:${(tracker.address() as AddressInfo).port}`));
    emulator.contents.saveDraft(1, { title: `${ATTRIBUTE}2` });
    const { page, errors } = await open();
    const query = `/contents?${encodeURIComponent(SCRIPT)}=${encodeURIComponent(ATTRIBUTE)}`;
    await fetch(emulator.baseUrl + query, { headers: { 'X-SERVICE-API-KEY': 'published-key' } });
    for (const [hash, text] of [
      ['#/', 'svg onload'],
      ['#/model/page?search=%3Cscript%3E', 'svg onload'],
      [`#/model/${encodeURIComponent(SCRIPT)}`, 'img src'],
      ['#/item/1', 'Save draft'],
      ['#/item/1?tab=response', '200 OK'],
      ['#/item/1?lang=en', 'Save draft'],
      [`#/new/${encodeURIComponent(SCRIPT)}`, 'img src'],
      ['#/media', 'svg onload'],
      ['#/traffic', '/v1/contents'],
    ] as const) {
      await page.evaluate((to) => location.assign(to), hash);
      await page.getByText(text).filter({ visible: true }).first().waitFor();
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    }
    await page.evaluate(() => location.assign('#/item/1'));
    const preview = page.frameLocator('iframe').getByRole('button', { name: 'x' });
    await preview.scrollIntoViewIfNeeded();
    await preview.click();
    await page.frameLocator('iframe').getByRole('link', { name: 'a' }).click();
    await page.evaluate(() => location.assign('#/media'));
    await page
      .getByRole('button', { name: /svg onload/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    const frames = page
      .frames()
      .map((frame) => frame.evaluate(() => Reflect.get(window, 'hacked')).catch(() => undefined));
    expect((await Promise.all(frames)).filter((value) => value !== undefined)).toEqual([]);
    expect(errors.filter((error) => error.startsWith('dialog'))).toEqual([]);
    await context.close();
    await emulator.close();
    // A request that the policy of the page refuses is announced to the debugger but never sent.
    expect(requests).toEqual([]);
    tracker.close();
  });
});

describe.runIf(hasBrowser)('100,000 items', () => {
  beforeAll(async () => {
    const contents = Array.from({ length: 100_000 }, (_, index) => ({
      id: index + 1,
      model: 'article',
      created_at: new Date(1.7e12 + index * 60_000).toISOString(),
      published: { ja: { title: `記事 ${index + 1}`, slug: `s-${(index * 7919) % 100_000}` } },
    }));
    const models = { article: { title: { type: 'text' }, slug: { type: 'text' } } };
    await serve({ keys: [{ key: 'k', reads: 'published' }], models, contents });
  });
  afterAll(async () => {
    await context?.close();
    await emulator?.close();
  });

  it('are scrolled to the end and back, and searched, with few elements on the page', async () => {
    const { page } = await open('#/model/article');
    await page.getByText('記事 100000', { exact: true }).waitFor();
    const rows = page.getByRole('link', { name: /記事/ });
    await rows.first().focus();
    await page.keyboard.press('End');
    await page.getByText('記事 1', { exact: true }).waitFor();
    expect(await page.locator('*').count()).toBeLessThan(2_000);
    await page.keyboard.press('Home');
    await page.getByText('記事 100000', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('s-79190');
    await page.getByText('1 item', { exact: true }).first().waitFor();
    await page.getByText('記事 11', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('記事 11', { exact: true }).waitFor();
  });

  it('follow a change without losing the place', async () => {
    const { page } = await open('#/model/article');
    await page.getByText('記事 100000', { exact: true }).waitFor();
    await page.getByRole('link', { name: /記事/ }).first().focus();
    await page.keyboard.press('End');
    await page.getByText('記事 1', { exact: true }).waitFor();
    emulator.contents.edit(2, { slug: 'elsewhere', title: '記事 2' });
    emulator.contents.create({ model: 'article', published: { ja: { title: '新しい記事' } } });
    await page.getByText('100,001 items').waitFor();
    await page.getByText('記事 1', { exact: true }).waitFor();
  });
});
