import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { startAstro } from './server.ts';
import { createSite, type Site } from './site.ts';

const SPACE = (options = '') => `
  import { defineSpace, field } from 'astro-luid';
  export const space = defineSpace({
    network: { retries: 0 }, ${options}
    models: { author: { name: field.text() }, article: { title: field.text(), author: field.reference('author') } },
  });`;
const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space, { poll: '1s' })] };`,
  'src/space.ts': SPACE(),
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article') }) };`,
  'src/pages/index.astro': `---
import { getCollection } from 'astro:content';
const articles = await getCollection('articles');
---
{articles.map(({ data }) => <p>{data.title}</p>)}`,
};

const { seed, directory } = smallSeed();
let service: RunningEmulator;
let site: Site;
let env: Record<string, string>;
const start = (port?: number) =>
  startEmulator(seed, { directory, rateLimit: false, ...(port !== undefined && { port }) });

/** One build with the service in reach; then the service is gone. */
beforeAll(async () => {
  service = await start();
  env = { LUID_BASE_URL: service.baseUrl, LUID_ASSETS_URL: service.assetsUrl, LUID_API_KEY: 'published-key' };
  site = createSite(FILES, env);
  await site.astro(['build']);
  await service.close();
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

test('a build fails with the reason, the URL and both ways to build from the cache', async () => {
  const { message } = (await site.astro(['build']).catch((error: unknown) => error)) as Error;
  expect(message).toContain(`[GET] ${env.LUID_BASE_URL}/contents?`);
  expect(message).toMatch(/: connection refused\s+→ Is the service running/);
  expect(message).toMatch(
    /→ There is cached content: `LUID_OFFLINE=1` builds with it once, `onError: "stale"` whenever/,
  );
  expect(message).not.toMatch(/\.\.\s/);
  expect(message).not.toContain('published-key');
});

test('both ways build from the cache', async () => {
  const offline = await site.astro(['build'], { LUID_OFFLINE: '1' });
  expect(offline).toContain('articles: ');
  site.write({ 'src/space.ts': SPACE(`onError: 'stale',`) });
  const stale = await site.astro(['build']);
  expect(stale).toMatch(/\[WARN\] .*Content: Service unavailable; using cached content \(\d+ \w+ old\)/);
  expect(site.built('index.html')).toContain('<p>');
  site.write({ 'src/space.ts': SPACE() });
});

test('a build without cached content does not mention it', async () => {
  const empty = createSite(FILES, env);
  const { message } = (await empty.astro(['build']).catch((error: unknown) => error)) as Error;
  empty.remove();
  expect(message).toMatch(/: connection refused/);
  expect(message).not.toContain('LUID_OFFLINE');
});

test('astro dev starts from the cache with a warning, and catches up once the service is back', async () => {
  const server = await startAstro(['dev', '--ignore-lock'], site.folder, env);
  try {
    await server.printed(/Service unavailable; using cached content \(\d+ \w+ old\)/);
    const before = await server.page('/');
    expect(before).toMatch(/<p[^>]*>/);
    expect(server.log()).toMatch(/articles: \d+ entries, \d+ added/);

    service = await start(Number(new URL(env.LUID_BASE_URL ?? '').port));
    service.contents.edit(301, { title: 'Written meanwhile' }, { lang: 'ja' });
    await server.printed(/Checking for changes works again/);
    await server.printed(/articles: \d+ entries, 1 changed/);
    // Astro saves its store with a delay.
    await expect.poll(() => server.page('/')).toContain('Written meanwhile');
  } finally {
    await server.close();
  }
});
