import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, openTab, type Tab } from '../support/browser.ts';
import { type DevSite, startDevSite } from './dev-site.ts';

const page = (head: string) => `---
  import { getCollection } from 'astro:content';
  const articles = await getCollection('articles');
  ---
  <html>
    <head><meta charset="utf-8" /><title>Articles</title><link rel="icon" href="data:," />${head}</head>
    <body>{articles.map(({ data }) => <p>{data.title}</p>)}</body>
  </html>`;

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space, { poll: false, editUrl: 'https://cms.test/{model}/{id}' })] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      models: {
        author: { name: field.text() },
        article: { title: field.text(), slug: field.text(), author: field.reference('author') },
      },
    });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }),
      author: defineCollection({ loader: space.loader('author') }),
    };`,
  'src/pages/index.astro': page(''),
  'src/pages/harbour.astro': page('<meta name="luid-entry" content="article:301" />'),
};

describe.skipIf(!hasBrowser)('the toolbar app in a browser', () => {
  let browser: Browser;
  let site: DevSite;
  beforeAll(async () => {
    browser = await launchBrowser();
    site = await startDevSite(FILES);
    await openFirstTab();
  });
  afterEach(() => closeTabs());
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const closeTabs = () => Promise.all(browser.contexts().map((context) => context.close()));

  /** For what it loaded before anyone came, Astro makes the first tab load again. */
  async function openFirstTab() {
    await openTab(browser, site.url);
    await closeTabs();
  }

  /** A tab with the app's window open. */
  async function openApp(path: string) {
    const tab = await openTab(browser, new URL(path, site.url));
    return { tab, app: await toggle(tab) };
  }

  test('shows the last sync, the number of entries and that they are published, and no link without an entry', async () => {
    const { tab, app } = await openApp('/');
    await app.getByText(/^Published content · last sync \d+ s ago$/).waitFor();
    expect(await app.getByRole('row').allInnerTexts()).toEqual(['articles (article)\t3', 'author\t2']);
    expect(await app.getByRole('link').count()).toBe(0);
    expect(tab.errors).toEqual([]);
  });

  test('links to the page’s entry in the CMS', async () => {
    const { tab, app } = await openApp('/harbour');
    await tab.page.context().route('https://cms.test/**', (route) => route.fulfill({ body: 'the CMS' }));
    const opened = tab.page.context().waitForEvent('page');
    await app.getByRole('link', { name: 'Edit article:301 in the CMS' }).click();
    const cms = await opened;
    await cms.getByText('the CMS').waitFor();
    expect(cms.url()).toBe('https://cms.test/article/301');
    expect(tab.errors).toEqual([]);
  });

  test('refreshes with a button', async () => {
    const { tab, app } = await openApp('/');
    site.service.contents.edit(302, { title: '茶畑の昼' });
    site.service.contents.create({ model: 'author', published: { ja: { name: '林' } } });
    await app.getByRole('button', { name: 'Refresh now' }).click();
    await tab.page.getByText('茶畑の昼').waitFor();
    await (await toggle(tab)).getByRole('row', { name: 'author 3' }).waitFor();
    expect(tab.errors).toEqual([]);
  });

  test('shows why a refresh failed, until one succeeds', async () => {
    const { tab, app } = await openApp('/');
    const back = site.service.faults.add({ kind: { status: 401 }, times: Number.POSITIVE_INFINITY });
    await app.getByRole('button', { name: 'Refresh now' }).click();
    await app.getByText(/401/).waitFor();
    back();
    site.service.contents.edit(302, { title: '茶畑の夜' });
    await app.getByRole('button', { name: 'Refresh now' }).click();
    await tab.page.getByText('茶畑の夜').waitFor();
    await (await toggle(tab)).getByText(/last sync/).waitFor();
    expect(await app.getByText(/401/).count()).toBe(0);
    expect(tab.errors).toEqual([]);
  });

  test('shows what is loaded also after a change of astro.config', async () => {
    site.write({ 'astro.config.mjs': `${FILES['astro.config.mjs']} // changed` });
    await site.printed(/server restarted/);
    await openFirstTab();
    const { app } = await openApp('/');
    await app.getByText(/^Published content · last sync \d+ s ago$/).waitFor();
    await app.getByRole('row', { name: 'articles (article) 3' }).waitFor();
  });
});

/** Opens the app's window, as a person would: the bar comes up under the pointer. */
async function toggle({ page }: Tab) {
  const bar = page.locator('#dev-bar');
  const button = bar.getByRole('button', { name: 'Content' });
  // A page that Astro loads again in between has its bar down.
  for (let attempt = 1; ; attempt++) {
    await bar.hover();
    const clicked = await button.click({ timeout: 5_000 }).then(
      () => true,
      (error: Error) => {
        if (attempt === 5) throw error;
        return false;
      },
    );
    if (clicked) break;
  }
  return page.locator('astro-dev-toolbar-app-canvas[data-app-id="astro-luid"]');
}
