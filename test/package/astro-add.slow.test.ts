import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { run } from '../support/run-command.ts';
import { install } from './install.ts';
import { createFolder, pack, shellEnvironment, writeFiles } from './pack.ts';
import { type Registry, startRegistry } from './registry.ts';

const { folder, remove } = createFolder();
const project = join(folder, 'site');
let service: RunningEmulator;
let registry: Registry;

beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
  registry = await startRegistry(await pack(folder));
  await install('npm', project, { astro: '7.3.4' });
  writeFiles(project, {
    'astro.config.mjs': "import { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
    'src/pages/index.astro': '<h1>New</h1>',
  });
  await astro(['add', 'astro-luid', '--yes'], { npm_config_registry: registry.url });
});
afterAll(async () => {
  await registry?.close();
  await service?.close();
  remove();
});

function astro(args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = shellEnvironment({
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published-key',
    ...more,
  });
  return run(join(project, 'node_modules/.bin/astro'), args, { cwd: project, env });
}

test('`astro add astro-luid` installs the package and writes a call without arguments', () => {
  const config = readFileSync(join(project, 'astro.config.mjs'), 'utf8');
  expect(config).toMatch(/import \w+ from ['"]astro-luid['"];/);
  expect(config).toMatch(/integrations: \[\w+\(\)\]/);
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expect(dependencies).toHaveProperty(['astro-luid']);
});

test('without a space, a build reports where it looked and what to run', async () => {
  const build = astro(['build']);
  await expect(build).rejects.toThrow(/src has none of space\.ts, space\.mts, space\.js, space\.mjs/);
  await expect(build).rejects.toThrow('npx astro-luid init');
});

test('once src/space.ts exports one, the site is built with it', async () => {
  writeFiles(project, {
    'src/space.ts': `
      import { defineSpace, field } from 'astro-luid';
      export const space = defineSpace({ models: {
        article: { title: field.text(), slug: field.text(), cover: field.media() },
      } });`,
    'src/content.config.ts': `
      import { space } from './space';
      export const collections = space.collections();`,
    'src/pages/index.astro': `---
      import { Image } from 'astro:assets';
      import { getCollection } from 'astro:content';
      const articles = await getCollection('article');
      ---
      {articles.map(({ data }) => <h2>{data.title}</h2>)}
      {articles.map(({ data }) => data.cover && <Image src={data.cover.url} alt="" width={120} height={80} />)}`,
  });
  await astro(['build']);
  const page = readFileSync(join(project, 'dist/index.html'), 'utf8');
  expect(page).toContain('夕暮れの港を歩く');
  // The integration has found the space: it lets the CDN resize its images.
  expect(page).toMatch(new RegExp(`"${service.assetsUrl}[^"]*[?;&]width=120\\b`));
});
