import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { smallSeed } from '../fixtures/small-space.ts';

const ROOT = join(import.meta.dirname, '../..');
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

const filesWith = (body: string) => ({
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: {
      article: { title: field.text(), slug: field.text(), body: field.flexibleText(${body}) },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }) };`,
});

const SERVER = {
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { adapter: node({ mode: 'standalone' }), integrations: [luid(space)] };`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { fresh: defineLiveCollection({ loader: space.liveLoader('article') }) };`,
  'src/pages/fresh.astro': `---
    import { getLiveCollection } from 'astro:content';
    export const prerender = false;
    const { entries = [] } = await getLiveCollection('fresh');
    ---
    {entries.map(({ data }) => <p>{data.title}</p>)}`,
  'src/pages/[id].astro': `---
    import { getCollection } from 'astro:content';
    import { cacheKey } from 'astro-luid';
    export async function getStaticPaths() {
      return (await getCollection('articles')).map((article) => ({ params: { id: article.id }, props: { article }, cacheKey: cacheKey(article) }));
    }
    ---
    <h1>{Astro.props.article.data.title}</h1>`,
};

describe('a site where none of the optional packages is installed', () => {
  let service: RunningEmulator;
  const sites: Site[] = [];
  beforeAll(async () => {
    const { seed, directory } = smallSeed();
    service = await startEmulator(seed, { directory });
  });
  afterAll(async () => {
    for (const site of sites) site.remove();
    await service?.close();
  });

  /** The package as a package manager lays it out that gives nobody what he did not ask for. */
  function strictSite(files: Record<string, string>, packages: readonly string[] = []): Site {
    const env = {
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published-key',
    };
    const site = createSite(files, env);
    sites.push(site);
    const modules = join(site.folder, 'node_modules');
    rmSync(join(modules, 'astro-luid'));
    for (const part of ['dist', 'package.json'])
      cpSync(join(ROOT, part), join(modules, 'astro-luid', part), { recursive: true });
    for (const name of [...Object.keys(dependencies), ...packages]) {
      if (name === 'zod') continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    return site;
  }

  test('is built, its server and live entries too', async () => {
    const site = strictSite({ ...filesWith(''), ...SERVER }, ['@astrojs/node']);
    await site.astro(['build']);
    expect(site.built('client/night-train/index.html')).toContain('夜');
  });

  test.each([
    ['{ sanitize: true }', [], 'npm install parse5 hast-util-sanitize'],
    [
      "{ sanitize: true, format: 'markdown' }",
      ['parse5', 'hast-util-sanitize'],
      'npm install remark remark-gfm',
    ],
  ])('is told what to install for a text with %s', async (body, there, hint) => {
    await expect(strictSite(filesWith(body), there).astro(['sync'])).rejects.toThrow(hint);
  });
});
