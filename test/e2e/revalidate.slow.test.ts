import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../docs/documents.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { startAstro } from './server.ts';
import { createSite, type Site } from './site.ts';

const SECRET = 'open sesame, little door';

/** A file exactly as the guide shows it. */
function documented(file: string): string {
  const block = blocksOf('docs/guides/revalidation.md').find((one) => one.file === file);
  if (!block) throw new Error(`docs/guides/revalidation.md has no ${file}`);
  return block.code;
}

const SOURCES = join(import.meta.dirname, '../../src/astro/live/live-sources.ts');

/** A live loader with a source that the test controls, by requests to `/control`. */
const SOURCE = `
  import { liveSources } from '${SOURCES}';
  const registry = liveSources();
  let content = { a: 'first', b: 'first', c: 'first', d: 'first' };
  const changes = [];
  const listeners = new Set();
  export const gate = {};
  gate.opened = new Promise((resolve) => { gate.open = resolve; });
  let failure;
  let found = [];
  function publish(tags) {
    content = { ...content, ...Object.fromEntries(tags.map((tag) => [tag, 'changed'])) };
    const change = { tags: tags.map((tag) => 'luid:' + tag), added: 0, changed: tags.length, removed: 0 };
    if (tags.length > 0) {
      changes.push(change);
      for (const listener of listeners) listener(change);
    }
    return change;
  }
  const source = {
    get version() { return changes.length; },
    tagsSince: (version) => changes.slice(version).flatMap(({ tags }) => tags),
    async refresh() {
      if (failure) throw new Error(failure);
      return publish(found.splice(0));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  registry.add(source);
  export function control({ change, find, fail, open }) {
    if (change) publish(change);
    if (find) found = find;
    if (fail !== undefined) failure = fail;
    if (open) gate.open();
  }
  function snapshot() {
    const versions = registry.currentRequest();
    const pinned = versions?.get(source) ?? { version: source.version, content };
    versions?.set(source, pinned);
    return pinned.content;
  }
  const entryOf = (id) => ({ id, data: { title: snapshot()[id] }, cacheHint: { tags: ['luid:' + id] } });
  export const loader = {
    name: 'controlled',
    loadEntry: async ({ filter }) => entryOf(filter.id),
    loadCollection: async () => ({
      entries: Object.keys(content).map(entryOf),
      cacheHint: { tags: Object.keys(content).map((id) => 'luid:' + id) },
    }),
  };`;

const FILES = {
  'astro.config.mjs': documented('astro.config.mjs'),
  'src/pages/articles/[slug].astro': documented('src/pages/articles/[slug].astro'),
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { thing: { title: field.text() } }, assetsUrl: 'https://assets.test' });`,
  'src/source.js': SOURCE,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { loader } from './source.js';
    export const collections = { articles: defineLiveCollection({ loader }) };`,
  'src/pages/control.ts': `
    import { control } from '../source.js';
    export const prerender = false;
    export async function POST({ request }) {
      control(await request.json());
      return new Response();
    }`,
  'src/pages/list.astro': `---
    import { getLiveCollection } from 'astro:content';
    export const prerender = false;
    const { entries, cacheHint } = await getLiveCollection('articles');
    Astro.cache.set(cacheHint);
    Astro.cache.set({ maxAge: 3600 });
    ---
    <p>{entries.map(({ data }) => data.title).join(' ')}</p>`,
  'src/pages/other.astro': `---
    export const prerender = false;
    Astro.cache.set({ maxAge: 3600, tags: ['other'] });
    ---
    <p>other</p>`,
  'src/components/Late.astro': `---
    import { getLiveEntry } from 'astro:content';
    import { gate } from '../source.js';
    await gate.opened;
    const { entry } = await getLiveEntry('articles', 'c');
    ---
    <p>late: {entry.data.title}</p>`,
  'src/pages/streamed.astro': `---
    import { getLiveEntry } from 'astro:content';
    import Late from '../components/Late.astro';
    export const prerender = false;
    const { entry } = await getLiveEntry('articles', 'c');
    ---
    <html><body><p>early: {entry.data.title}</p><Late /></body></html>`,
  // In middleware mode, the site is part of another server.
  'server.mjs': `
    import { createServer } from 'node:http';
    import { handler } from './dist/server/entry.mjs';
    createServer((request, response) => handler(request, response, () => response.end('not of the site')))
      .listen(process.env.PORT, '127.0.0.1', function () {
        console.log('listening on http://127.0.0.1:' + this.address().port);
      });`,
};

let site: Site;
let servers: NodeServer[] = [];
beforeAll(() => {
  site = createSite(FILES, {}, ['@astrojs/node']);
});
afterAll(async () => {
  await stop();
  site?.remove();
});

async function start(env: NodeJS.ProcessEnv, entry?: string): Promise<NodeServer> {
  const server = await startNodeServer(site.folder, { PATH: process.env.PATH, ...env }, entry);
  servers.push(server);
  return server;
}

async function stop(): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
}

async function control(server: NodeServer, command: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(command);
  const response = await fetch(`${server.url}/control`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}

/** What the route cache has, and what the pages show. */
async function pages(server: NodeServer): Promise<Record<string, string>> {
  const paths = ['/articles/a', '/articles/b', '/articles/d', '/list', '/other'];
  const shown = paths.map(async (path) => {
    const response = await fetch(server.url + path);
    const text = /<(?:p|h1)>(.*)<\/(?:p|h1)>/.exec(await response.text())?.[1];
    return [path, `${response.headers.get('x-astro-cache') ?? 'uncached'} ${text}`];
  });
  return Object.fromEntries(await Promise.all(shown));
}

const areHits = (shown: string[]) => shown.every((page) => page.startsWith('HIT '));

/** As a webhook: without an Origin. */
function refresh(server: NodeServer, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-luid-secret': SECRET };
  return fetch(`${server.url}/_luid/refresh`, { method: 'POST', headers, ...init });
}

describe('a standalone server with the route cache', () => {
  let server: NodeServer;
  beforeAll(async () => {
    await site.astro(['build']);
    server = await start({ LUID_REFRESH_SECRET: SECRET });
  });
  afterAll(stop);

  test('renders exactly the pages again that show a change', async () => {
    expect(await pages(server)).toEqual({
      '/articles/a': 'MISS first',
      '/articles/b': 'MISS first',
      '/articles/d': 'MISS first',
      '/list': 'MISS first first first first',
      '/other': 'MISS other',
    });
    expect(Object.values(await pages(server))).toSatisfy(areHits);
    await control(server, { change: ['a'] });
    expect(await pages(server)).toEqual({
      '/articles/a': 'MISS changed',
      '/articles/b': 'HIT first',
      '/articles/d': 'HIT first',
      '/list': 'MISS changed first first first',
      '/other': 'HIT other',
    });
    // Up to a second after a page was rendered, what changed meanwhile is invalidated once more.
    await expect.poll(async () => Object.values(await pages(server))).toSatisfy(areHits);
    expect(server.log()).toContain('[astro-luid] 1 item changed: 1 cache tag invalidated');
  });

  test('shows one version in a request, also in what is streamed later', async () => {
    const response = await fetch(`${server.url}/streamed`);
    const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    let text = '';
    for await (const part of parts) {
      text += part;
      if (text.includes('late') || !text.includes('early')) continue;
      await control(server, { change: ['c'], open: true });
    }
    expect(text).toMatch(/<p>early: first<\/p>\s*<p>late: first<\/p>/);
    expect(await server.page('/streamed')).toMatch(/<p>early: changed<\/p>\s*<p>late: changed<\/p>/);
  });

  test('refreshes for a POST with the secret, and responds when the pages are revalidated', async () => {
    await pages(server);
    await control(server, { find: ['b'] });
    const response = await refresh(server, { body: '{"from":"a webhook"}' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const change = { added: 0, changed: 1, removed: 0, tags: ['luid:b'] };
    expect(await response.json()).toEqual({ refreshed: true, ...change });
    const shown = await pages(server);
    expect([shown['/articles/d'], shown['/articles/b']]).toEqual(['HIT first', 'MISS changed']);

    const nothing = await refresh(server);
    expect(await nothing.json()).toEqual({ refreshed: true, added: 0, changed: 0, removed: 0, tags: [] });
    const bearer = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` };
    expect((await refresh(server, { headers: bearer })).status).toBe(200);
  });

  test('responds with 502 if the service fails, without the reason, which is in the log', async () => {
    await control(server, { fail: 'the \\u001b[31mservice is down' });
    const response = await refresh(server);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({
      refreshed: false,
      error: 'the refresh failed: see the log of the server',
    });
    expect(server.log()).toContain('[astro-luid] The refresh failed: the');
    await control(server, { fail: '' });
  });

  test('refuses other methods, wrong secrets and long bodies', async () => {
    const get = await refresh(server, { method: 'GET' });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await refresh(server, { method: 'PUT' })).status).toBe(405);
    const headers = { 'content-type': 'application/json' };
    expect((await refresh(server, { headers })).status).toBe(401);
    expect((await refresh(server, { headers: { ...headers, 'x-luid-secret': 'wrong' } })).status).toBe(401);
    expect((await refresh(server, { body: 'x'.repeat(65_537) })).status).toBe(413);
    expect(await sendEndlessBody(server)).toBe(413);
  });

  test('refuses a form of another site, as Astro does for all pages', async () => {
    const headers = { 'content-type': 'text/plain', origin: 'https://evil.test', 'x-luid-secret': SECRET };
    expect((await refresh(server, { headers, body: 'x' })).status).toBe(403);
  });

  test('lets refreshes share checks, and limits wrong secrets', async () => {
    const fresh = await start({ LUID_REFRESH_SECRET: SECRET });
    const calls = Array.from({ length: 50 }, async () => (await refresh(fresh)).status);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));

    const headers = { 'content-type': 'application/json', 'x-luid-secret': 'wrong' };
    const refusals = await Promise.all(
      Array.from({ length: 110 }, async () => (await refresh(fresh, { headers })).status),
    );
    expect([401, 429].map((status) => refusals.filter((other) => other === status).length)).toEqual([
      100, 10,
    ]);
  });

  test.each([
    ['a secret', {}],
    ['a long one', { LUID_REFRESH_SECRET: '15 characters..' }],
  ])('has no endpoint without %s, and says what to set', async (_, env) => {
    const headers = { 'content-type': 'application/json', 'x-luid-secret': '15 characters..' };
    const response = await refresh(await start(env), { headers });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        refreshed: false,
        error:
          'set refreshSecret or LUID_REFRESH_SECRET to at least 16 characters, such as the output of `openssl rand -hex 32`',
      },
    ]);
  });
});

test('in middleware mode and without the route cache, pages are fresh and the endpoint works', async () => {
  const config = documented('astro.config.mjs');
  site.write({
    'astro.config.mjs': config.replace("'standalone'", "'middleware'").replace(/ {2}cache: .*\n/, ''),
  });
  const log = await site.astro(['build']);
  expect(log).not.toContain('has no effect');
  const server = await start({ LUID_REFRESH_SECRET: SECRET }, 'server.mjs');
  expect((await pages(server))['/articles/a']).toBe('uncached first');
  await control(server, { find: ['a'] });
  expect(await (await refresh(server)).json()).toMatchObject({ refreshed: true, tags: ['luid:a'] });
  expect((await pages(server))['/articles/a']).toBe('uncached changed');
  expect(server.log().split('none is cached')).toHaveLength(2);
});

test('in astro dev, pages are fresh, the endpoint refreshes live content too, and no cache is advised', async () => {
  const server = await startAstro(['dev'], site.folder, { LUID_REFRESH_SECRET: SECRET });
  try {
    const shown = async () => /<h1>(.*)<\/h1>/.exec(await server.page('/articles/a'))?.[1];
    expect(await shown()).toBe('first');
    const headers = { 'content-type': 'application/json', 'x-luid-secret': SECRET };
    const send = (path: string, body: object) =>
      fetch(new URL(path, server.url), { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await send('/control', { find: ['a'] })).status).toBe(200);
    expect((await send('/_luid/refresh', {})).status).toBe(200);
    expect(await shown()).toBe('changed');
    expect(server.log()).not.toContain('none is cached');
  } finally {
    await server.close();
  }
});

/** A body without a length that does not end. */
function sendEndlessBody(server: NodeServer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-luid-secret': SECRET };
    const sent = request(`${server.url}/_luid/refresh`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      response.resume();
      sent.destroy();
    });
    sent.on('error', reject);
    sent.write('x'.repeat(100_000));
  });
}
