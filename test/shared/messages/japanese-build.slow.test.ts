import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, type Project } from '../../cli/support/cli-project.ts';
import { TINY_SPACE } from '../../cli/support/tiny-space.ts';
import { run } from '../../support/run-command.ts';

const ASTRO = join(import.meta.dirname, '../../../node_modules/.bin/astro');
const { VITEST, ...inherited } = process.env;

let service: RunningEmulator;
let project: Project;
beforeEach(async () => {
  service = await startEmulator(TINY_SPACE, { rateLimit: false });
  project = createProject();
  project.write('package.json', '{ "type": "module" }');
  project.write(
    'src/content.config.ts',
    `import { defineSpace, field } from 'astro-luid';
    import { defineCollection } from 'astro:content';
    const space = defineSpace({ models: { article: { title: field.text() } } });
    export const collections = { articles: defineCollection({ loader: space.loader('article') }) };`,
  );
  project.write('src/pages/index.astro', '<h1>Mine</h1>');
  project.install();
});
afterEach(async () => {
  project.remove();
  await service.close();
});

const build = (key: string) =>
  run(ASTRO, ['build'], {
    cwd: project.folder,
    env: {
      ...inherited,
      ASTRO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      LUID_LANG: 'ja',
      LUID_BASE_URL: service.baseUrl,
      LUID_API_KEY: key,
    },
  });

test('a build logs in Japanese with LUID_LANG=ja', async () => {
  const output = await build('published-key');
  expect(output).toContain('articles: 3 エントリー、追加 3');
  expect(output).toContain('モデル article に、宣言されていないフィールドがあります: ');
});

test('a build that fails says why in Japanese, once', async () => {
  const output = await build('wrong').then(() => '', String);
  expect(output).toMatch(
    /\[GET\] http\S+: 401 Unauthorized\n {2}→ API キーがないか、正しくありません。LUID_API_KEY/,
  );
  expect(output).not.toContain('The key is missing or wrong');
});
