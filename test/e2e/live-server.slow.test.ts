import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { blocksOf } from '../docs/documents.ts';
import { createSite, type Site } from './site.ts';

const GUIDES = ['docs/guides/README.md', 'docs/guides/previews.md'];

/** A file exactly as the guides show it. */
function documented(file: string): string {
  const block = GUIDES.flatMap(blocksOf).find((one) => one.file === file);
  if (!block) throw new Error(`${GUIDES.join(' and ')} have no ${file}`);
  return block.code;
}

const FILES = ['src/space.ts', 'src/live.config.ts', 'src/pages/preview/[slug].astro'];

const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'a-key-for-drafts', reads: 'drafts' },
  ],
  models: {
    article: { title: { type: 'text' }, slug: { type: 'text' }, body: { type: 'flexible_text' } },
  },
  contents: [
    {
      id: 1,
      model: 'article',
      created_at: '2026-01-01T00:00:00Z',
      draft: { ja: { title: 'A draft', slug: 'harbour', body: '<h2>Boats</h2><p>All of them.</p>' } },
    },
  ],
};

const SECRET = '0123456789abcdef0123456789abcdef';

let service: RunningEmulator;
let site: Site;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  service = await startEmulator(seed);
  site = createSite(
    {
      ...Object.fromEntries(FILES.map((file) => [file, documented(file)])),
      'astro.config.mjs': `
        import node from '@astrojs/node';
        import luid from 'astro-luid/integration';
        import { space } from './src/space';
        export default {
          adapter: node({ mode: 'standalone' }),
          integrations: [luid(space, { preview: { secret: '${SECRET}' } })],
        };`,
      '.env': `LUID_BASE_URL=${service.baseUrl}\nLUID_DRAFT_API_KEY=a-key-for-drafts\n`,
    },
    {},
    ['@astrojs/node'],
  );
  await site.astro(['build']);
});
afterAll(async () => {
  for (const server of servers) server.kill();
  await service?.close();
  site?.remove();
});

/** `node [arguments] dist/server/entry.mjs`, without the variables of whoever runs the tests. */
async function serve(...args: string[]) {
  const child = spawn(process.execPath, [...args, join(site.folder, 'dist/server/entry.mjs')], {
    cwd: site.folder,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  servers.push(child);
  let log = '';
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        const [, found] = /listening on \S+:(\d+)\s/.exec(log) ?? [];
        if (found) resolve(found);
      });
    }
    child.once('exit', () => reject(new Error(log)));
  });
  const origin = `http://127.0.0.1:${port}`;
  const opened = await fetch(`${origin}/_luid/preview?secret=${SECRET}`, { redirect: 'manual' });
  const [cookie = ''] = opened.headers.getSetCookie();
  return {
    /** In the preview. */
    get: (path: string) => fetch(origin + path, { headers: { cookie } }),
    /** By anyone else. */
    visit: (path: string) => fetch(origin + path),
    log: () => log,
  };
}

test('the documented preview shows a draft to those who opened it, is 404 for an unknown slug and 502 when the service fails', async () => {
  const server = await serve('--env-file=.env');
  const known = await server.get('/preview/harbour');
  expect(known.status).toBe(200);
  const html = await known.text();
  expect(html).toContain('<h1>A draft</h1>');
  expect(html).toContain('<h2 id="boats">Boats</h2><p>All of them.</p>');

  const visited = await server.visit('/preview/harbour');
  expect([visited.status, await visited.text()]).toEqual([404, 'Not found']);
  const unknown = await server.get('/preview/no-such-slug');
  expect(unknown.status).toBe(404);

  service.faults.add({ kind: { status: 401 } });
  const failed = await server.get('/preview/harbour');
  expect(failed.status).toBe(502);
  expect(await failed.text()).toBe('The preview is not available');
  expect(server.log()).toContain('401');
  expect(server.log()).not.toContain('a-key-for-drafts');
});

test('a server that was started without the variables logs how to pass them', async () => {
  const server = await serve();
  const answer = await server.get('/preview/harbour');
  expect(answer.status).toBe(502);
  expect(server.log()).toContain('The space has no baseUrl and no draftApiKey');
  expect(server.log()).toContain('the server was started without LUID_BASE_URL and LUID_DRAFT_API_KEY');
  expect(server.log()).toContain('`node --env-file=.env dist/server/entry.mjs`');
});

test('the documented preview is 502 while the service is down', async () => {
  const server = await serve('--env-file=.env');
  await service.close();
  const answer = await server.get('/preview/harbour');
  expect(answer.status).toBe(502);
});
