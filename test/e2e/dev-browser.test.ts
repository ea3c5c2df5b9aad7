import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../browser.ts';
import { type DevSite, startDevSite } from './dev-site.ts';

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space, { refreshSecret: 'open sesame' })] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { article: { title: field.text(), slug: field.text() } } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
  'src/pages/index.astro': `---
    import { getCollection } from 'astro:content';
    const articles = await getCollection('articles');
    ---
    <html><head><meta charset="utf-8" /><title>x</title></head><body><ul>{articles.map(({ data }) => <li>{data.title}</li>)}</ul></body></html>`,
};

describe.skipIf(!hasBrowser)('a page that is open in a browser', () => {
  let browser: Browser;
  let site: DevSite;

  beforeAll(async () => {
    browser = await launchBrowser();
    site = await startDevSite(FILES, { CI: '' });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('shows an edit by itself, within 12 s by polling and within 1 s of the refresh endpoint', async () => {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.getByText('茶畑の朝').waitFor();

    site.service.contents.edit(302, { title: '茶畑の昼' });
    await page.getByText('茶畑の昼').waitFor({ timeout: 12_000 });

    site.service.contents.edit(302, { title: '茶畑の夜' });
    const answer = await fetch(new URL('/_luid/refresh', site.url), {
      method: 'POST',
      headers: { 'x-luid-secret': 'open sesame' },
    });
    expect(answer.status).toBe(200);
    await page.getByText('茶畑の夜').waitFor({ timeout: 1_000 });
  });
});
