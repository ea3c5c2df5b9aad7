import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redirectsCommand } from '../../../src/cli/redirects/redirects-command.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, type Project } from '../../cli/support/cli-project.ts';
import { runCommand } from '../../cli/support/run-in-process.ts';
import { type NodeServer, startNodeServer } from '../../package/node-server.ts';

const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [{ key: 'published-key', reads: 'published' }],
  models: { article: { title: { type: 'text', title: true }, slug: { type: 'text' } } },
  contents: [1, 2, 3].map((id) => ({
    id,
    model: 'article',
    created_at: `2026-01-0${id}T00:00:00Z`,
    published: {
      ja: { title: `記事${id}`, slug: `kiji-${id}` },
      en: { title: `Article ${id}`, slug: `story-${id}` },
    },
  })),
};

describe('a site with redirects', () => {
  let service: RunningEmulator;
  let project: Project;
  let server: NodeServer;

  beforeAll(async () => {
    service = await startEmulator(seed, { rateLimit: false });
    project = createProject();
    project.install();
    mkdirSync(join(project.folder, 'node_modules/@astrojs'), { recursive: true });
    symlinkSync(
      join(import.meta.dirname, '../../../node_modules/@astrojs/node'),
      join(project.folder, 'node_modules/@astrojs/node'),
    );
    project.write(
      'package.json',
      '{ "name": "site", "type": "module", "dependencies": { "astro-luid": "*" } }',
    );
    project.write(
      '.env',
      `LUID_BASE_URL=${service.baseUrl}\nLUID_ASSETS_URL=${service.assetsUrl}\nLUID_API_KEY=published-key\n`,
    );
    project.write(
      'src/space.ts',
      `import { defineSpace, field } from 'astro-luid';
       export const space = defineSpace({
         languages: { main: 'ja', sub: ['en'] },
         models: { article: { title: field.text({ title: true }), slug: field.text() } },
       });`,
    );
    project.write(
      'astro.config.ts',
      `import node from '@astrojs/node';
       import luid from 'astro-luid/integration';
       import { space } from './src/space';
       export default {
         output: process.env.OUTPUT ?? 'server', base: '/site', adapter: node({ mode: 'standalone' }),
         redirects: { '/articles/own': '/site/elsewhere' },
         integrations: [luid(space, { redirects: [{ route: '/articles/[id]' }, { route: '/en/articles/[id]', lang: 'en' }] })],
       };`,
    );
    project.write('src/pages/articles/[id].astro', '<p>page {Astro.params.id}</p>');
    project.write('src/pages/en/articles/[id].astro', '<p>page {Astro.params.id}</p>');
    // The first record; afterwards, three renames of one item, seen by two builds and the command.
    await project.astro(['build']);
    const rename = (id: number, slug: string, lang = 'ja') => service.contents.edit(id, { slug }, { lang });
    rename(1, 'ni');
    await project.astro(['build']);
    rename(1, 'san');
    rename(2, 'own');
    await command();
    rename(1, '港の朝');
    rename(2, 'kiji-b');
    rename(3, 'kiji-2');
    rename(3, 'harbour', 'en');
    await project.astro(['build']);
    server = await startNodeServer(project.folder, {
      ...process.env,
      LUID_BASE_URL: service.baseUrl,
      LUID_API_KEY: 'published-key',
    });
  });
  afterAll(async () => {
    await server?.close();
    await service.close();
    project.remove();
  });

  const command = () => runCommand('redirects', redirectsCommand, ['--json', '--dir', project.folder]);
  const get = async (path: string) => {
    const { status, headers } = await fetch(new URL(`/site${path}`, server.url), { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  const harbour = `/site/articles/${encodeURIComponent('港の朝')}`;

  test.each(['kiji-1', 'ni', 'san'])(
    'a 301 leads from the former slug %s to the last one, in one hop',
    async (slug) => {
      expect(await get(`/articles/${slug}`)).toEqual([301, harbour]);
      expect((await fetch(new URL(harbour, server.url), { redirect: 'manual' })).status).toBe(200);
    },
  );

  test('each language has its own', async () => {
    expect(await get('/en/articles/story-3')).toEqual([301, '/site/en/articles/harbour']);
    expect(await get('/en/articles/story-1')).toEqual([200, null]);
    expect(await get('/articles/kiji-3')).toEqual([301, '/site/articles/kiji-2']);
  });

  test('a slug that another item uses is no redirect, and redirects of the site win', async () => {
    expect(await get('/articles/kiji-2')).toEqual([200, null]);
    expect(await get('/articles/own')).toEqual([301, '/site/elsewhere']);
  });

  test('builds write to the cache only; the command writes the same each time', async () => {
    const file = join(project.folder, 'luid-redirects.json');
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toContain('港の朝');
    const first = await command();
    const written = readFileSync(file, 'utf8');
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout).redirects).toHaveLength(6);
    expect((await command()).stdout).toBe(first.stdout);
    expect(readFileSync(file, 'utf8')).toBe(written);
  });
});
