import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { dotEnv } from './dev-site.ts';
import { createSite, type Site } from './site.ts';

/** Writes a line for each module of the package that Vite processes when it loads content. */
const CONFIG = (integrations: string) => `
  import { defineConfig } from 'astro/config';
  import luid from 'astro-luid/integration';
  import { space } from './src/space.ts';
  function report(code, id) {
    if (this.environment.name !== 'astro') return;
    const [, file] = /(?:astro-luid|main)\\/dist\\/(.*)/.exec(id) ?? [];
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
  site = createSite({ '.env': dotEnv(service), ...FILES }, {});
  return () => site.remove();
});

const processedIn = (output: string) =>
  [...new Set([...output.matchAll(/^PROCESSED (\S+)/gm)].map(([, file = '']) => file))].sort();
const ENTRY = ['astro/connect-astro.ts', 'in-astro.ts'];

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
