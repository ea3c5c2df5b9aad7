import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EditMessage, StatusMessage } from '../../src/astro/dev/toolbar-messages.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { type DevSite, startDevSite } from './dev-site.ts';
import { createSite } from './site.ts';

const SECRET = 'a secret of the test';

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    const poll = process.env.TEST_POLL ?? false;
    export default { integrations: [luid(space, { poll, editUrl: 'https://cms.test/{model}/{id}' })] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: {
      author: { name: field.text({ required: true }) },
      article: { title: field.text(), slug: field.text(), body: field.flexibleText(), author: field.reference('author') },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      drafts: defineLiveCollection({ loader: space.liveLoader('article', { from: 'service', id: 'slug', drafts: true, body: 'body' }) }),
    };`,
  'src/pages/index.astro': `---
    import { getCollection } from 'astro:content';
    const articles = await getCollection('articles');
    ---
    <html><head><meta name="luid-entry" content="article:301" /></head>
    <body>{articles.map(({ data }) => <p>{data.title} by {data.author?.name}</p>)}</body></html>`,
  'src/pages/draft/[slug].astro': `---
    import { getLiveEntry, render } from 'astro:content';
    export const prerender = false;
    const { entry, error, cacheHint } = await getLiveEntry('drafts', Astro.params.slug);
    const Content = entry && (await render(entry)).Content;
    ---
    {entry ? <h1>{entry.id}: {entry.data.title}</h1> : <h1>{error.name}: {error.message}</h1>}
    {Content && <article><Content /></article>}
    <p>{cacheHint?.tags.join(' ')}</p>`,
};

describe('astro dev, refreshed by the endpoint', () => {
  let site: DevSite;
  beforeAll(async () => {
    site = await startDevSite(FILES, { LUID_REFRESH_SECRET: SECRET });
    await site.page('/');
  });
  afterAll(() => site?.close());

  test('shows an edit after the response', async () => {
    site.service.contents.edit(301, { title: 'The harbour, edited' }, { lang: 'ja' });
    expect(await site.page('/')).not.toContain('The harbour, edited');
    const response = await site.refresh(SECRET);
    expect(await response.json()).toEqual({ refreshed: true });
    await site.shows('/', 'The harbour, edited by 森 ゆり');
  });

  test('shows an edit of embedded content', async () => {
    site.service.contents.edit(201, { name: 'Mori' }, { lang: 'ja' });
    expect((await site.refresh(SECRET)).status).toBe(200);
    await site.shows('/', 'by Mori');
  });

  test('refuses a wrong secret without a request to the service', async () => {
    site.service.clearLog();
    expect((await site.refresh('wrong')).status).toBe(401);
    expect(site.service.log).toEqual([]);
  });

  test('reports an outage of the service, and keeps the previous content', async () => {
    const back = site.service.faults.add({ kind: { status: 401 }, times: 100 });
    const response = await site.refresh(SECRET);
    expect([response.status, await response.json()]).toMatchObject([502, { refreshed: false }]);
    back();
    expect(await site.page('/')).toContain('by Mori');
    expect((await site.refresh(SECRET)).status).toBe(200);
  });

  test('reports that a broken content config prevents a refresh', async () => {
    const config = 'src/content.config.ts';
    // A busy machine may miss that a file has changed, so it is written until the change is seen.
    const answers = async (status: number, text: string) => {
      const refresh = async () => {
        site.write({ [config]: text });
        return (await site.refresh(SECRET)).status;
      };
      await expect.poll(refresh, { interval: 2000 }).toBe(status);
    };
    await answers(502, `${FILES[config]} throw new Error('broken');`);
    await site.printed(/Astro ran no loader/);
    await answers(200, FILES[config]);
  });

  test('serves the toolbar app in a form that browsers can load', async () => {
    const html = await site.page('/');
    expect(html).toContain('luid-entry');
    const entry = await site.page('/@id/astro:toolbar:internal');
    const [, path = ''] = /import\("([^"]*toolbar-app\.js[^"]*)"\)/.exec(entry) ?? [];
    const code = await site.page(path);
    expect(code).toContain('Refresh now');
    expect(code).not.toMatch(/from\s*["']node:/);
  });

  test('refreshes on request of the toolbar, and sends it the status', async () => {
    const [, token = ''] = /wsToken = "([^"]+)"/.exec(await site.page('/@vite/client')) ?? [];
    const socket = new WebSocket(`${site.url.replace('http', 'ws')}?token=${token}`, 'vite-hmr');
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    const heard: { event?: string; data?: Partial<StatusMessage & EditMessage> }[] = [];
    let isSynced = false;
    const done = new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const message = JSON.parse(String(data)) as (typeof heard)[number];
        heard.push(message);
        isSynced ||= Boolean(message.data?.lastSync && message.data.refreshing === false);
        if (isSynced && heard.some(({ event }) => event === 'astro-luid:edit')) resolve();
      });
    });
    site.service.contents.edit(303, { title: 'By the toolbar' }, { lang: 'ja' });
    for (const [event, data] of [
      ['astro-luid:refresh', {}],
      ['astro-luid:request', { entry: 'article:301' }],
    ]) {
      socket.send(JSON.stringify({ type: 'custom', event, data }));
    }
    await done;
    socket.close();
    expect(heard.find(({ event }) => event === 'astro-luid:edit')?.data?.url).toBe(
      'https://cms.test/article/301',
    );
    expect(heard.findLast(({ event }) => event === 'astro-luid:status')?.data).toMatchObject({
      collections: [{ name: 'articles', model: 'article', entries: 3 }],
      reads: 'published',
    });
    await site.shows('/', 'By the toolbar');
  });

  test('shows a draft at the next request, through the live loader', async () => {
    site.service.contents.saveDraft(
      301,
      { title: 'A draft', body: '<p>Not yet <b>published</b></p>' },
      { lang: 'ja' },
    );
    const first = await site.page('/draft/harbour-at-dusk');
    expect(first).toContain('harbour-at-dusk: A draft');
    expect(first).toContain('<p>Not yet <b>published</b></p>');
    expect(first).toContain('luid:article luid:article:301 luid:author luid:author:201');
    site.service.contents.saveDraft(301, { title: 'A better draft' }, { lang: 'ja' });
    expect(await site.page('/draft/harbour-at-dusk')).toContain('harbour-at-dusk: A better draft');
    expect(await site.page('/')).not.toContain('A better draft');
  });

  test('returns the error to a live page, and undefined for a missing entry', async () => {
    expect(await site.page('/draft/nothing')).toContain('LiveEntryNotFoundError');
    site.service.faults.add({ kind: { status: 401 } });
    const html = await site.page('/draft/harbour-at-dusk');
    expect(html).toContain('LuidRequestError');
    expect(html).not.toContain('draft-key');
  });
});

describe('astro dev, polling', () => {
  let site: DevSite;
  beforeAll(async () => {
    site = await startDevSite(FILES, { TEST_POLL: '1s' });
    await site.page('/');
  });
  afterAll(() => site?.close());

  test('shows an edit by itself', async () => {
    site.service.contents.edit(302, { title: 'Tea, edited' }, { lang: 'ja' });
    await site.shows('/', 'Tea, edited');
  });

  test('has no endpoint without a secret', async () => {
    expect((await fetch(new URL('/_luid/refresh', site.url), { method: 'POST' })).status).toBe(404);
  });

  test('survives an outage of the service, and then shows what was edited meanwhile', async () => {
    const back = site.service.faults.add({ kind: { status: 503 }, times: 1000 });
    await site.printed(/Cannot check for changes/);
    site.service.contents.edit(302, { title: 'Tea, edited again' }, { lang: 'ja' });
    expect(await site.page('/')).toContain('Tea, edited');
    back();
    await site.shows('/', 'Tea, edited again');
    expect(site.log().match(/Cannot check for changes/g)).toHaveLength(1);
    expect(site.log()).not.toMatch(/published-key|draft-key/);
  });

  test('shows what was edited while it restarted', async () => {
    const back = site.service.faults.add({ kind: { status: 503 }, times: 1000 });
    site.service.contents.edit(302, { title: 'Tea, while away' }, { lang: 'ja' });
    site.write({ 'astro.config.mjs': `${FILES['astro.config.mjs']} // changed` });
    await site.printed(/server restarted/);
    back();
    await site.shows('/', 'Tea, while away');
  });
});

describe('astro build', () => {
  test('warns about drafts, and once about one key for both kinds', async () => {
    const { seed, directory } = smallSeed();
    const service = await startEmulator(seed, { directory });
    const { 'src/live.config.ts': _live, 'src/pages/draft/[slug].astro': _page, ...files } = FILES;
    const config = files['src/content.config.ts'].replace("id: 'slug'", "id: 'slug', drafts: true");
    const site = createSite(
      { ...files, 'src/content.config.ts': config },
      {
        LUID_BASE_URL: service.baseUrl,
        LUID_ASSETS_URL: service.assetsUrl,
        LUID_API_KEY: 'draft-key',
        LUID_DRAFT_API_KEY: 'draft-key',
      },
    );
    try {
      const log = await site.astro(['build']);
      expect(log).toContain('This build shows drafts in articles');
      expect(log).toMatch(/LUID_API_KEY .* and LUID_DRAFT_API_KEY .* are the same key/);
      expect(log).not.toContain('draft-key');
      expect(site.built('index.html')).toContain('夜行列車の窓、その先');
    } finally {
      site.remove();
      await service.close();
    }
  });
});
