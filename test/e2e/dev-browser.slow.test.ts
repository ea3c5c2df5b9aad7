import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, openTab, type Tab } from '../support/browser.ts';
import { type DevSite, startDevSite } from './dev-site.ts';

const SECRET = 'open sesame, little door';

const LIST = `---
  import { getCollection } from 'astro:content';
  const articles = await getCollection('articles');
  ---`;

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space, { refreshSecret: '${SECRET}' })] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { article: { title: field.text(), slug: field.text() } } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
  'src/pages/index.astro': `${LIST}
    <html>
      <head><meta charset="utf-8" /><title>Articles</title><link rel="icon" href="data:," /></head>
      <body>{articles.map(({ data }) => <p>{data.title}</p>)}</body>
    </html>`,
};

describe.skipIf(!hasBrowser)('a page that is open in a browser', () => {
  let browser: Browser;
  let site: DevSite;
  let tab: Tab;
  beforeAll(async () => {
    browser = await launchBrowser();
    site = await startDevSite(FILES, { CI: '' });
    tab = await openSettled(browser, site);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('shows an edit by itself with the default polling', async () => {
    site.service.contents.edit(302, { title: '茶畑の昼' });
    await tab.page.getByText('茶畑の昼').waitFor();
    expect(tab.errors).toEqual([]);
  });

  test('shows an edit after the response of the refresh endpoint, without another sync', async () => {
    const title = '茶畑の夕';
    site.service.contents.edit(302, { title });
    const asked = performance.now();
    expect((await site.refresh(SECRET)).status).toBe(200);
    const answered = performance.now();
    const back = site.service.faults.add({ kind: 'reset', times: Number.POSITIVE_INFINITY });
    await tab.page.getByText(title).waitFor();
    const shown = performance.now();
    back();
    console.log(
      `Shown ${Math.round(shown - asked)} ms after POST, ${Math.round(shown - answered)} ms after its response`,
    );
    expect(tab.errors).toEqual([]);
  });

  test('reloads once per edit, and not if a refresh finds no change', async () => {
    await showEdit(site, tab, '茶畑の宵');
    const loads = tab.loads();
    for (const title of ['茶畑の夜', '茶畑の夜更け']) {
      await site.refresh(SECRET);
      site.service.contents.edit(302, { title });
      await site.refresh(SECRET);
      await tab.page.getByText(title, { exact: true }).waitFor();
    }
    expect(tab.loads() - loads).toBe(2);
  });

  test('shows an edit in every tab', async () => {
    const other = await openTab(browser, site.url);
    site.service.contents.edit(302, { title: '茶畑の暁' });
    await site.refresh(SECRET);
    await Promise.all([tab, other].map(({ page }) => page.getByText('茶畑の暁').waitFor()));
    await other.page.close();
  });
});

describe.skipIf(!hasBrowser)('an open page that is a bare fragment, without the toolbar', () => {
  let browser: Browser;
  let site: DevSite;
  let tab: Tab;
  beforeAll(async () => {
    const files = {
      ...FILES,
      'astro.config.mjs': FILES['astro.config.mjs']
        .replace('export default {', 'export default { devToolbar: { enabled: false },')
        .replace('luid(space, {', 'luid(space, { poll: 1000,'),
      'src/pages/index.astro': `${LIST}<meta charset="utf-8" />{articles.map(({ data }) => <p>{data.title}</p>)}`,
    };
    browser = await launchBrowser();
    site = await startDevSite(files);
    tab = await openSettled(browser, site);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('shows an edit after a refresh', async () => {
    site.service.contents.edit(302, { title: '茶畑の昼' });
    expect((await site.refresh(SECRET)).status).toBe(200);
    await tab.page.getByText('茶畑の昼').waitFor();
    expect(await tab.page.locator('astro-dev-toolbar').count()).toBe(0);
  });

  test('stays during an outage of the service, and then shows what was edited meanwhile', async () => {
    await showEdit(site, tab, '茶畑の宵');
    const loads = tab.loads();
    const back = site.service.faults.add({ kind: 'reset', times: Number.POSITIVE_INFINITY });
    await site.printed(/Cannot check for changes/);
    site.service.contents.edit(302, { title: '茶畑の夜' });
    expect(await tab.page.getByText('茶畑の宵').count()).toBe(1);
    expect(tab.loads()).toBe(loads);

    const late = await openTab(browser, site.url);
    expect(await late.page.getByText('茶畑の宵').count()).toBe(1);

    back();
    await Promise.all([tab, late].map(({ page }) => page.getByText('茶畑の夜').waitFor()));
    expect(tab.loads()).toBe(loads + 1);
  });
});

/** A tab that nothing is under way for. */
async function openSettled(browser: Browser, { url }: DevSite): Promise<Tab> {
  // For what it loaded before anyone came, Astro makes the first tab load again.
  const first = await openTab(browser, url);
  await first.page.close();
  return openTab(browser, url);
}

/** Edits and waits until the tab shows it. A reload that was under way before has happened then. */
async function showEdit(site: DevSite, tab: Tab, title: string): Promise<void> {
  site.service.contents.edit(302, { title });
  expect((await site.refresh(SECRET)).status).toBe(200);
  await tab.page.getByText(title, { exact: true }).waitFor();
}
