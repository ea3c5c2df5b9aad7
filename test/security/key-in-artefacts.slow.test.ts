import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { startNodeServer } from '../package/node-server.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { connectionTo, serveItems } from './stub-service.ts';

/** With characters that are encoded in URLs, in JSON and in JavaScript. */
const KEYS = { apiKey: 'pub"key\\1/+&=%41', draftApiKey: 'all"key\\2/+&=%42' };
const SECRET = 'open"sesame\\3/+&=%43';

/** All encodings in which a secret could appear. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const escaped = [
    secret,
    encodeURIComponent(secret),
    encodeURI(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  const escapedTwice = JSON.stringify(JSON.stringify(secret)).slice(3, -3);
  const inSingleQuotes = secret.replaceAll('\\', '\\\\');
  // Without the last characters, which depend on the bytes that follow.
  const binary = (['base64', 'base64url', 'hex'] as const).map((form) => bytes.toString(form).slice(0, -4));
  return [...new Set([...escaped, escapedTwice, inSingleQuotes, ...binary])];
}

const ENCODED_SECRETS = [...Object.values(KEYS), SECRET].flatMap(encodingsOf);

function findSecrets(text: string): string[] {
  return ENCODED_SECRETS.filter((encoded) => text.includes(encoded));
}

/** Removes the environment, which Vite logs with `--verbose`. */
function withoutEnvironment(log: string): string {
  return log.replaceAll(/vite:env using resolved env: \{\n[\s\S]*?\n\}/g, '');
}

/** All files in a folder, without following links to packages. */
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
      integrations: [luid(space, { refreshSecret: process.env.REFRESH_SECRET, revalidate: server })],
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
    export const collections = { live: defineLiveCollection({ loader: space.liveLoader('article', { from: 'service', drafts: true, body: 'body' }) }) };`,
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
const echoUrl = () => `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1`;

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

test('the search finds a key in every encoding', () => {
  const { apiKey } = KEYS;
  const examples = [
    apiKey,
    encodeURIComponent(apiKey),
    JSON.stringify({ a: apiKey }),
    JSON.stringify(JSON.stringify(apiKey)),
  ];
  for (const text of [
    ...examples,
    Buffer.from(apiKey).toString('base64'),
    Buffer.from(apiKey).toString('hex'),
  ]) {
    expect(findSecrets(`before${text}after`)).not.toEqual([]);
  }
});

describe.each(['static', 'server'])('a real build of a %s site', (OUTPUT) => {
  let log: string;
  beforeAll(async () => {
    log = await site.astro(['build', '--verbose'], { OUTPUT });
  });

  test('leaves no secret in any file or log line', () => {
    const files = filesOf(site.folder);
    for (const path of ['/dist/', '/.astro/', '/node_modules/.astro/astro-luid/', 'data-store']) {
      expect(files.filter((file) => file.includes(path)).length, path).toBeGreaterThan(0);
    }
    const found = files.filter((file) => findSecrets(file + readFileSync(file, 'latin1')).length > 0);
    expect(found).toEqual([]);
    expect(findSecrets(withoutEnvironment(log))).toEqual([]);
    expect(log).toContain('1 item,');
  });

  test('escapes plain text, and shows sanitized HTML', () => {
    const html = site.built(OUTPUT === 'server' ? 'client/index.html' : 'index.html');
    expect(html).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>');
    expect(html).toContain('<h2 id="user-content-body">Body</h2>');
    expect(html).toContain('<i><p>Draft</p></i>');
    expect(html).not.toMatch(/<script>|onclick/);
  });

  if (OUTPUT === 'server') {
    test('accepts the secret of the refresh endpoint, of which it has only a hash', async () => {
      const server = await startNodeServer(site.folder, { PATH: process.env.PATH });
      const send = async (secret: string) => {
        const headers = { 'content-type': 'application/json', 'x-luid-secret': secret };
        return (await fetch(`${server.url}/_luid/refresh`, { method: 'POST', headers })).status;
      };
      try {
        // There is no live collection to refresh.
        expect(await send(SECRET)).toBe(409);
        expect(await send(`${SECRET}!`)).toBe(401);
      } finally {
        await server.close();
      }
    });
  }

  if (OUTPUT === 'static') {
    test('sanitizes live content too', () => {
      expect(site.built('now/index.html')).toMatch(/<h1>A draft <\/h1>\s*<p>Draft<\/p>/);
    });
  }
});

test('a build whose request fails with a response that contains the key does not print the key', async () => {
  const env = { OUTPUT: 'static', LUID_BASE_URL: echoUrl() };
  const output = await site.astro(['build', '--verbose'], env).then(
    () => 'built',
    (error: Error) => error.message,
  );
  expect(output).toContain('401 the key *** is bad');
  expect(findSecrets(withoutEnvironment(output))).toEqual([]);
  expect(filesOf(site.folder).filter((file) => findSecrets(readFileSync(file, 'latin1')).length > 0)).toEqual(
    [],
  );
});

describe('a loader that fails neither logs nor stores the key:', () => {
  const { apiKey } = KEYS;
  const models = { thing: { title: field.text({ required: true }) } };
  const bad = serveItems([contentOf(1, 'thing', { title: 7, other: 'x' })]);
  const failures: [string, typeof fetch, string][] = [
    ['content that does not match its model', bad, 'not match the declared models'],
    ['500', async () => Response.json({ code: apiKey }, { status: 500, statusText: 'x' }), '500'],
    ['a network error', () => Promise.reject(new TypeError(`fetch failed: ${apiKey}`)), 'no response'],
    ['a response that is not JSON', async () => new Response(`<p>${apiKey}`), 'not valid JSON'],
    ['a total that is the key', async () => Response.json({ total: apiKey }), 'invalid total'],
    [
      'an id that is the key',
      async (url) => {
        const limit = Number(new URL(String(url)).searchParams.get('limit'));
        return Response.json({ total: 1, offset: 0, limit, data: [{ _id: apiKey }] });
      },
      'invalid _id',
    ],
    [
      'a redirect to the key',
      async () => new Response(null, { status: 302, headers: { location: `https://x.example/${apiKey}` } }),
      '302',
    ],
  ];
  test.each(failures)('%s', async (_failure, fetch, message) => {
    const { context, lines, stored } = createLoaderContext();
    const space = defineSpace({ ...connectionTo(fetch), apiKey, models });
    const error: unknown = await space
      .loader('thing')
      .load(context)
      .catch((reason: unknown) => reason);
    expect((error as Error).message).toContain(message);
    expect(
      findSecrets([inspect(error, { depth: 20, showHidden: true }), ...lines, stored()].join('\n')),
    ).toEqual([]);
  });
});
