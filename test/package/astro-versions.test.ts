import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { run } from '../run.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = { VITEST: undefined, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };

const FILES = {
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: {
      author: { name: field.text({ required: true }), portrait: field.media() },
      article: { title: field.text(), slug: field.text(), body: field.flexibleText(), cover: field.media(), author: field.reference('author') },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = { articles: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) }) };`,
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space)] };`,
  'src/pages/[id].astro': `---
    import { getCollection, render } from 'astro:content';
    import { LuidImage } from 'astro-luid/components';
    export async function getStaticPaths() {
      return (await getCollection('articles')).map((article) => ({ params: { id: article.id }, props: { article } }));
    }
    const { article } = Astro.props;
    const { Content } = await render(article);
    ---
    <h1>{article.data.title}</h1><p>{article.data.author?.name}</p><LuidImage media={article.data.cover} width={100} /><Content />`,
};

let service: RunningEmulator;
let folder: string;
let tarball: string;

beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
  folder = mkdtempSync(join(tmpdir(), 'astro-luid-versions-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The newest 6.4, and the 7 whose binaries are there for every machine that we build on. */
describe.each(['6.4.8', '7.3.4'])('the packed package, installed in a new project of Astro %s', (version) => {
  test('builds a site', { timeout: 240_000 }, async () => {
    const project = join(folder, version);
    const manifest = {
      type: 'module',
      private: true,
      dependencies: { astro: version, 'astro-luid': `file:${tarball}` },
      ...(version.startsWith('7') && { overrides: { rolldown: '1.2.18' } }),
    };
    for (const [name, text] of Object.entries({ ...FILES, 'package.json': JSON.stringify(manifest) })) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
    const env = {
      ...process.env,
      ...TOOLS,
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published-key',
    };
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: project,
      env,
    });
    await run(join(project, 'node_modules/.bin/astro'), ['build'], { cwd: project, env });
    const page = readFileSync(join(project, 'dist/harbour-at-dusk/index.html'), 'utf8');
    for (const part of ['夕暮れの港を歩く', '森 ゆり', '<h2 id="市場の朝を待つ">', 'width=100'])
      expect(page).toContain(part);
  });
});
