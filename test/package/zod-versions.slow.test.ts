import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { run } from '../support/run-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const packageDir = (name: string) => dirname(require.resolve(`${name}/package.json`));

let project: string;
let running: Awaited<ReturnType<typeof startEmulator>>;

/** A site with the packed package and the oldest supported zod, while Astro uses the newest. */
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'astro-luid-zod-versions-'));
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', project], { cwd: ROOT });
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', join(project, tarball), '-C', modules]);
  cpSync(join(modules, 'package'), join(modules, 'astro-luid'), { recursive: true });
  const links = {
    zod: 'zod-oldest',
    astro: 'astro',
    'p-limit': '',
    'p-retry': '',
    unstorage: '',
    typescript: '',
  };
  for (const [name, source] of Object.entries(links)) {
    symlinkSync(join(ROOT, 'node_modules', source || name), join(modules, name));
  }
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const { seed, directory } = smallSeed();
  running = await startEmulator(seed, { directory });
});

afterAll(async () => {
  await running?.close();
  rmSync(project, { recursive: true, force: true });
});

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "extends": "astro/tsconfigs/strictest", "include": [".astro/types.d.ts", "src"] }',
  'astro.config.mjs': 'export default {};',
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: {
      author: { name: field.text({ required: true }) },
      article: { title: field.text(), slug: field.text(), author: field.reference('author') },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { z } from 'astro/zod';
    import { space } from './space.ts';
    export const collections = {
      plain: defineCollection({ loader: space.loader('article', { id: 'slug' }) }),
      extended: defineCollection({
        loader: space.loader('article', { id: 'slug' }),
        schema: space.schema('article').extend({ title: z.string().transform((title) => title.length) }),
      }),
    };`,
  'src/pages/index.json.ts': `
    import { getCollection } from 'astro:content';
    export async function GET() {
      const plain = (await getCollection('plain')).map(({ data }) => data.author?.name.trim());
      const extended = (await getCollection('extended')).map(({ data }) => data.title.toFixed());
      // @ts-expect-error: both keep the type of the model
      (await getCollection('plain'))[0]?.data.titel;
      // @ts-expect-error: both keep the type of the model
      (await getCollection('extended'))[0]?.data.titel;
      return Response.json({ plain: plain.sort(), extended: extended.sort() });
    }`,
};

test('a site builds and type-checks with another version of zod than Astro’s', async () => {
  const versions = [join(project, 'node_modules/zod'), join(packageDir('astro'), '../zod')].map(
    (dir) => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version,
  );
  expect(new Set(versions).size).toBe(2);

  const env = { ...process.env, LUID_BASE_URL: running.baseUrl, LUID_API_KEY: 'published-key', VITEST: '' };
  const astro = join(ROOT, 'node_modules/.bin/astro');
  await run(astro, ['build'], { cwd: project, env });
  expect(JSON.parse(readFileSync(join(project, 'dist/index.json'), 'utf8'))).toEqual({
    plain: ['森 ゆり', '森 ゆり', '田中 航'],
    extended: ['4', '6', '8'],
  });
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: project });
});
