import { globSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { startNodeServer } from '../package/node-server.ts';
import { dotEnv } from './dev-site.ts';
import { createSite, type Site } from './site.ts';

/** Writes a line for each module of the package that Vite processes when it loads content. */
const CONFIG = (integrations: string) => `
  import { defineConfig } from 'astro/config';
  import luid from 'astro-luid/integration';
  import { space } from './src/space.ts';
  function report(code, id) {
    if (this.environment.name !== 'astro') return;
    const [, file] = /\\/dist\\/((?:in-astro|index|astro|base|client|entries|internal|live|replica|space)\\b.*)/.exec(id) ?? [];
    if (file) console.log('PROCESSED ' + file);
  }
  export default defineConfig({
    integrations: [${integrations}],
    vite: { plugins: [{ name: 'report', enforce: 'pre', transform: report }] },
  });`;

const FILES = {
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { article: { title: field.text() } } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article') }) };`,
  'src/pages/index.astro': `---
    import { collectionKey } from 'astro-luid';
    const key = await collectionKey('articles');
    ---
    <p>{key}</p>`,
};

let service: RunningEmulator;
let site: Site;
beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
});
afterAll(() => service.close());
beforeEach(() => {
  site = createSite({ '.env': dotEnv(service), ...FILES }, {}, ['@astrojs/node']);
  return () => site.remove();
});

const processedIn = (output: string) =>
  [...new Set([...output.matchAll(/^PROCESSED (\S+)/gm)].map(([, file = '']) => file))].sort();
const ENTRY = ['astro/astro-environment.ts', 'in-astro.ts'];

test.each(['', 'luid(space)'])(
  'with integrations [%s], Vite processes only the entry',
  async (integrations) => {
    site.write({ 'astro.config.mjs': CONFIG(integrations) });
    const output = await site.astro(['build']);
    expect(processedIn(output)).toEqual(ENTRY);
    expect(output).toContain('articles: 3 entries');
    expect(site.built('index.html')).toMatch(/<p>\S+<\/p>/);
  },
);

test('with the integration, that is so for a linked package too', async () => {
  const installed = join(site.folder, 'node_modules/astro-luid');
  rmSync(installed);
  symlinkSync(join(import.meta.dirname, '../..'), installed);
  site.write({ 'astro.config.mjs': CONFIG('luid(space)') });
  expect(processedIn(await site.astro(['build']))).toEqual(ENTRY);
});

test('a server finds its keys where the host of the adapter has them, and contains no content that it does not show', async () => {
  const { baseUrl } = service;
  site.write({
    'astro.config.mjs': `
      import node from '@astrojs/node';
      export default { adapter: node({ mode: 'standalone' }) };`,
    'src/pages/total.ts': `
      import { setGetEnv } from 'astro/env/setup';
      import { space } from '../space.ts';
      export const prerender = false;
      const variables = { LUID_BASE_URL: '${baseUrl}', LUID_API_KEY: 'published-key' };
      setGetEnv((name) => variables[name]);
      export const GET = async () => new Response('total ' + (await space.client().contents.list('article')).total);`,
  });
  await site.astro(['build']);
  const server = await startNodeServer(site.folder, { PATH: process.env.PATH });
  onTestFinished(() => server.close());
  expect(await server.page('/total')).toBe('total 3');
  const files = globSync('dist/server/**/*.mjs', { cwd: site.folder });
  expect(files.filter((file) => site.source(file).includes('夕暮れの港を歩く'))).toEqual([]);
});
