import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { connectionTo, serveItems } from './stub-service.ts';

/** Of characters that are written in other ways in addresses, in JSON and in JavaScript. */
const KEYS = { apiKey: 'pub"key\\1/+&=%41', draftApiKey: 'all"key\\2/+&=%42' };
const SECRET = 'open"sesame\\3/+&=%43';

/** All ways in which a secret could be written. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const ways = [secret, encodeURIComponent(secret), encodeURI(secret), JSON.stringify(secret).slice(1, -1)];
  const twice = JSON.stringify(JSON.stringify(secret)).slice(3, -3);
  const single = secret.replaceAll('\\', '\\\\');
  // Without what depends on how many bytes come before it or after.
  const encoded = (['base64', 'base64url', 'hex'] as const).map((form) => bytes.toString(form).slice(0, -4));
  return [...new Set([...ways, twice, single, ...encoded])];
}

const SPELLINGS = [...Object.values(KEYS), SECRET].flatMap(spellings);

function leaks(text: string): string[] {
  return SPELLINGS.filter((spelling) => text.includes(spelling));
}

/** What was said, but for the environment, all of which Vite shows to who asks for everything. */
function saidBesides(log: string): string {
  return log.replaceAll(/vite:env using resolved env: \{\n[\s\S]*?\n\}/g, '');
}

/** Every file that a build left, links to packages aside. */
function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return [];
    return found.isDirectory() ? filesOf(path) : [path];
  });
}

const seed = {
  keys: [
    { key: KEYS.apiKey, reads: 'published' },
    { key: KEYS.draftApiKey, reads: 'drafts' },
  ],
  models: { article: { title: { type: 'text' }, body: { type: 'flexible_text' } } },
  contents: [
    {
      id: 1,
      model: 'article',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      published_at: '2026-01-01T00:00:00Z',
      last_published_at: '2026-01-01T00:00:00Z',
      published: {
        ja: {
          title: '<script>alert(1)</script>',
          body: '<h2 onclick="alert(2)">Body</h2><script>alert(3)</script>',
        },
      },
      draft: { ja: { title: 'A draft', body: '<p onclick="alert(2)">Draft</p>' } },
    },
  ],
};

const FILES = {
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    const server = process.env.OUTPUT === 'server';
    export default {
      output: process.env.OUTPUT,
      ...(server && { adapter: node({ mode: 'standalone' }) }),
      integrations: [luid(space, { refreshSecret: process.env.REFRESH_SECRET })],
    };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      models: { article: { title: field.text({ required: true }), body: field.flexibleText({ sanitize: true }) } },
      network: { retries: 0 },
    });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { body: 'body' }) }),
      drafts: defineCollection({ loader: space.loader('article', { drafts: true }) }),
    };`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { live: defineLiveCollection({ loader: space.liveLoader('article', { drafts: true, body: 'body' }) }) };`,
  'src/pages/index.astro': `---
    import { getEntry, render } from 'astro:content';
    export const prerender = true;
    const entry = await getEntry('articles', '1');
    const draft = await getEntry('drafts', '1');
    const { Content } = await render(entry);
    ---
    <html><body><h1>{entry.data.title}</h1><Content /><i set:html={draft.data.body} /></body></html>`,
  'src/pages/now.astro': `---
    import { getLiveEntry, render } from 'astro:content';
    export const prerender = process.env.OUTPUT !== 'server';
    const { entry, error } = await getLiveEntry('live', '1');
    const { Content } = entry ? await render(entry) : {};
    ---
    <html><body><h1>{entry?.data.title} {error?.message}</h1>{Content && <Content />}</body></html>`,
};

let service: RunningEmulator;
let echo: Server;
let site: Site;
const addressOfEcho = () => `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1`;

beforeAll(async () => {
  service = await startEmulator(seed);
  echo = createServer(({ headers }, response) => {
    const key = headers['x-service-api-key'];
    response.writeHead(401, { 'x-echo': String(key) });
    response.end(
      JSON.stringify({ status: '401', code: `Unauthorized ${key}`, message: `the key ${key} is bad` }),
    );
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const keys = { LUID_API_KEY: KEYS.apiKey, LUID_DRAFT_API_KEY: KEYS.draftApiKey, REFRESH_SECRET: SECRET };
  site = createSite(FILES, { ...keys, LUID_BASE_URL: service.baseUrl, LUID_ASSETS_URL: service.assetsUrl }, [
    '@astrojs/node',
  ]);
});
afterAll(async () => {
  echo?.close();
  await service?.close();
  site?.remove();
});

test('the search finds a key however it is written', () => {
  const { apiKey } = KEYS;
  const written = [
    apiKey,
    encodeURIComponent(apiKey),
    JSON.stringify({ a: apiKey }),
    JSON.stringify(JSON.stringify(apiKey)),
  ];
  for (const text of [
    ...written,
    Buffer.from(apiKey).toString('base64'),
    Buffer.from(apiKey).toString('hex'),
  ]) {
    expect(leaks(`before${text}after`)).not.toEqual([]);
  }
});

describe.each(['static', 'server'])('a real build of a %s site', (OUTPUT) => {
  let log: string;
  beforeAll(async () => {
    log = await site.astro(['build', '--verbose'], { OUTPUT });
  });

  test('has no secret in any file that it leaves, nor in what it says', () => {
    const files = filesOf(site.folder);
    for (const place of ['/dist/', '/.astro/', '/node_modules/.astro/astro-luid/', 'data-store']) {
      expect(files.filter((file) => file.includes(place)).length, place).toBeGreaterThan(0);
    }
    const found = files.filter((file) => leaks(file + readFileSync(file, 'latin1')).length > 0);
    expect(found).toEqual([]);
    expect(leaks(saidBesides(log))).toEqual([]);
    expect(log).toContain('1 item,');
  });

  test('shows text as text, and formatted text without what is active', () => {
    const html = site.built(OUTPUT === 'server' ? 'client/index.html' : 'index.html');
    expect(html).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>');
    expect(html).toContain('<h2 id="user-content-body">Body</h2>');
    expect(html).toContain('<i><p>Draft</p></i>');
    expect(html).not.toMatch(/<script>|onclick/);
  });

  if (OUTPUT === 'static') {
    test('shows live content clean, too', () => {
      expect(site.built('now/index.html')).toMatch(/<h1>A draft <\/h1>\s*<p>Draft<\/p>/);
    });
  }
});

test('a real build that is refused by a service that repeats the key does not repeat it', async () => {
  const env = { OUTPUT: 'static', LUID_BASE_URL: addressOfEcho() };
  const output = await site.astro(['build', '--verbose'], env).then(
    () => 'built',
    (error: Error) => error.message,
  );
  expect(output).toContain('401 the key *** is bad');
  expect(leaks(saidBesides(output))).toEqual([]);
  expect(filesOf(site.folder).filter((file) => leaks(readFileSync(file, 'latin1')).length > 0)).toEqual([]);
});

describe('a loader that fails says nothing of the key, and stores nothing of it:', () => {
  const { apiKey } = KEYS;
  const models = { thing: { title: field.text({ required: true }) } };
  const bad = serveItems([contentOf(1, 'thing', { title: 7, other: 'x' })]);
  const failures: [string, typeof fetch, string][] = [
    ['content that does not fit', bad, 'not fit the declared models'],
    ['500', async () => Response.json({ code: apiKey }, { status: 500, statusText: 'x' }), '500'],
    ['a network error', () => Promise.reject(new TypeError(`fetch failed: ${apiKey}`)), 'no response'],
    ['an answer that is no JSON', async () => new Response(`<p>${apiKey}`), 'not valid JSON'],
    ['a total that is the key', async () => Response.json({ total: apiKey }), 'total is'],
    [
      'an id that is the key',
      async () => Response.json({ total: 1, offset: 0, limit: 100, data: [{ _id: apiKey }] }),
      '_id is',
    ],
    [
      'a redirect to the key',
      async () => new Response(null, { status: 302, headers: { location: `https://x.example/${apiKey}` } }),
      '302',
    ],
  ];
  test.each(failures)('%s', async (_what, fetch, says) => {
    const { context, lines, stored } = createLoaderContext();
    const space = defineSpace({ ...connectionTo(fetch), apiKey, models });
    const error: unknown = await space
      .loader('thing')
      .load(context)
      .catch((reason: unknown) => reason);
    expect((error as Error).message).toContain(says);
    expect(leaks([inspect(error, { depth: 20, showHidden: true }), ...lines, stored()].join('\n'))).toEqual(
      [],
    );
  });
});
