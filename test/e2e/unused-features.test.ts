import { globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { dotEnv } from './dev-site.ts';
import { createSite, type Site } from './site.ts';

const FILES = {
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import { defineConfig } from 'astro/config';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default defineConfig({
      output: 'server',
      adapter: node({ mode: 'standalone' }),
      integrations: [luid(space)],
    });`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({
      models: { article: { title: field.text(), slug: field.text(), cover: field.media() } },
    });`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineLiveCollection({ loader: space.liveLoader('article', { from: 'service', id: 'slug' }) }),
    };`,
  'src/pages/[slug].astro': `---
    import { getLiveEntry } from 'astro:content';
    import { LuidImage } from 'astro-luid/components';
    const { entry } = await getLiveEntry('articles', Astro.params.slug);
    ---
    <html lang="en"><head><title>x</title></head>
    <body><LuidImage media={entry.data.cover} width={400} alt="" /></body></html>`,
};

let service: RunningEmulator;
let site: Site;
beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
  site = createSite({ '.env': dotEnv(service), ...FILES }, {}, ['@astrojs/node']);
  await site.astro(['build']);
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});

/** A text that only the code of a feature contains. */
const MARKERS = {
  'rich text': 'too malformed for components',
  blocks: 'Blocks has no component',
  'search engines': 'twitter:card',
  'the bar of a preview': 'data-luid-preview',
  previews: 'the route has no parameters',
  feeds: 'excerpt',
  replicas: 'checking for changes works again',
  placeholders: 'data-luid-placeholder',
};

/** The files that a request loads, of the server and of the package: `import()` loads others when they are needed. */
function loadedFiles(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  found.set(file, text);
  for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*["']([^"']+)["']/g)) {
    if (specifier.startsWith('.')) loadedFiles(join(dirname(file), specifier), found);
    if (specifier.startsWith('astro-luid')) loadedFiles(createRequire(file).resolve(specifier), found);
  }
  return found;
}

test('a page loads nothing of the features that it does not use', () => {
  const folder = join(site.folder, 'dist/server');
  const page = readdirSync(join(folder, 'chunks')).find((name) => name.startsWith('_slug_')) as string;
  const loaded = loadedFiles(join(folder, 'chunks', page), loadedFiles(join(folder, 'entry.mjs')));
  const text = [...loaded.values()].join('\n');
  expect(text).toContain('LuidImage');
  expect(text).toContain('function mediaAttributes');
  expect(Object.entries(MARKERS).filter(([, marker]) => text.includes(marker))).toEqual([]);
  // The markers are right: those of features that are loaded on demand are somewhere in the package.
  const all = globSync('node_modules/astro-luid/dist/{chunks,live}/*.js', { cwd: site.folder }).map((file) =>
    readFileSync(join(site.folder, file), 'utf8'),
  );
  expect(all.some((one) => one.includes(MARKERS.previews))).toBe(true);
  expect(all.some((one) => one.includes(MARKERS.replicas))).toBe(true);
});

test('a site with a picture sends no script and no style of others to browsers', () => {
  const client = join(site.folder, 'dist/client');
  const files = readdirSync(client, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files.map(({ name }) => name)).toEqual([]);
});
