import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { spaceVariables } from '../../../src/cli/init/env/space-variables.ts';
import { initCommand } from '../../../src/cli/init/init-command.ts';
import { answerWithDefaults, type Prompts } from '../../../src/cli/init/prompts.ts';
import { writeFiles } from '../../../src/cli/init/write-files.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import { createProject, LUID, type Project } from '../support/cli-project.ts';
import { runCommand, runInit } from '../support/run-in-process.ts';
import { TINY_SPACE } from '../support/tiny-space.ts';

const KEY = 'published-key';
let service: RunningEmulator;
let project: Project;

// One service per test: the requests of one process to one service are limited.
beforeEach(async () => {
  service = await startEmulator(TINY_SPACE, { rateLimit: false });
  project = createProject();
});
afterEach(async () => {
  project.remove();
  await service.close();
});

/** Runs init in this process, in the project folder. */
const init = (...args: string[]) =>
  runInit(['--yes', '--base-url', service.baseUrl, '--api-key', KEY, '--dir', project.folder, ...args]);

/** Relative imports in the project's files that do not resolve. */
function unresolvedImports(): string[] {
  return project
    .files()
    .filter((path) => /\.(ts|mjs|astro)$/.test(path))
    .flatMap((path) =>
      [...project.read(path).matchAll(/from '(\.[^']*)'/g)]
        .filter(([, from = '']) => !project.has(join(dirname(path), from)))
        .map(([, from]) => `${path}: ${from}`),
    );
}

const SITE = [
  '.env',
  '.gitignore',
  'astro.config.mjs',
  'package.json',
  'src/components/EntryList.astro',
  'src/components/Field.astro',
  'src/components/Home.astro',
  'src/components/Pagination.astro',
  'src/components/Value.astro',
  'src/content.config.ts',
  'src/layouts/Page.astro',
  'src/pages/[lang]/article/[...page].astro',
  'src/pages/[lang]/article/[id].astro',
  'src/pages/[lang]/author/[...page].astro',
  'src/pages/[lang]/author/[id].astro',
  'src/pages/[lang]/index.astro',
  'src/pages/index.astro',
  'src/settings.ts',
  'src/site.ts',
  'src/space.ts',
  'tsconfig.json',
];

describe('luid init in an empty folder', () => {
  test('writes a site, the models with their evidence, and the variables in .env', async () => {
    const { code, stdout } = await init();
    expect([code, stdout]).toEqual([0, '']);
    expect(project.files()).toEqual(SITE);
    expect(project.read('src/space.ts')).toContain("languages: { main: 'ja', sub: ['en'] }");
    expect(project.read('src/space.ts')).toMatch(/^ {6}body: field\.flexibleText\(\), \/\/ 3 of 3$/m);
    expect(project.read('src/space.ts')).toMatch(/tags: field.* \/\/ 3 of 3, 1 value; uncertain: /);
    expect(project.read('.env')).toBe(
      `LUID_BASE_URL=${service.baseUrl}\nLUID_ASSETS_URL=${service.assetsUrl}\nLUID_API_KEY=${KEY}\n`,
    );
    expect(statSync(join(project.folder, '.env')).mode & 0o077).toBe(0);
    expect(project.read('.gitignore').split('\n')).toContain('.env');
  });

  test('reports what was inspected and what is uncertain, and does not print the key', async () => {
    const { stderr } = await init();
    expect(stderr).toMatch(/^article +3 +3 +9 +\d$/m);
    const [, names = ''] = /^uncertain article: (.*)$/m.exec(stderr) ?? [];
    const marked = project.read('src/space.ts').match(/^ {6}\w+:.*uncertain: .*$/gm) ?? [];
    expect(marked.length).toBeGreaterThan(2);
    for (const name of ['tags', 'category', 'related.article']) expect(names.split(', ')).toContain(name);
    expect(stderr).not.toContain(KEY);
  });

  test('--json prints the models and their evidence on stdout, without the key', async () => {
    const { stdout } = await init('--json');
    const { models, evidence, written } = JSON.parse(stdout);
    expect(models.article.related).toEqual({
      type: 'repeat',
      fields: { article: { type: 'reference', model: 'article' } },
    });
    expect(evidence['article.title']).toEqual({ filled: 3, of: 3, proved: true });
    expect(written.toSorted()).toEqual(SITE);
    expect(stdout).not.toContain(KEY);
  });

  test('--models writes only these models, and references to others name no model', async () => {
    await init('--models', 'article');
    expect(project.read('src/content.config.ts')).not.toContain('author');
    expect(project.read('src/space.ts')).toMatch(
      /author: field\.reference\(\), \/\/ .*author is not declared/,
    );
  });

  test('warns about a key that reads drafts, with a hint', async () => {
    service.contents.create({ model: 'author', draft: { ja: { name: 'New' } } });
    const args = ['--yes', '--base-url', service.baseUrl, '--dir', project.folder];
    const { stderr } = await runInit(args, { LUID_API_KEY: 'draft-key' });
    expect(stderr).toContain('This key reads drafts');
    expect(stderr).toContain('LUID_DRAFT_API_KEY');
  });

  test.each([
    ['app', 'app', "srcDir: './app',"],
    ['./web/app/', 'web/app', "srcDir: './web/app',"],
    ['web\\app', 'web/app', "srcDir: './web/app',"],
    ['.', '.', "srcDir: './',"],
  ])('--src-dir %s writes the complete site with imports that resolve', async (given, srcDir, line) => {
    expect((await init('--src-dir', given)).code).toBe(0);
    expect(project.files()).toEqual(SITE.map((path) => posix.join(path.replace(/^src/, srcDir))).sort());
    expect(project.read('astro.config.mjs')).toContain(`\n  ${line}\n`);
    expect(unresolvedImports()).toEqual([]);
  });

  test('without --src-dir the config has no srcDir', async () => {
    await init();
    expect(project.read('astro.config.mjs')).not.toContain('srcDir');
    expect(unresolvedImports()).toEqual([]);
  });

  test('--dir creates the folder', async () => {
    const { stderr } = await init('--dir', join(project.folder, 'new/my site'));
    expect(project.files()).toEqual(SITE.map((path) => `new/my site/${path}`));
    expect(stderr).toContain(`cd '${join(project.folder, 'new/my site')}'`);
  });

  test.each([
    ['package.json', 'package-lock.json', 'node_modules/a/index.js'],
    ['.git/HEAD', '.gitignore', 'README.md', 'LICENSE', '.npmrc', '.vscode/settings.json'],
    ['emulator.log', 'astro-luid-0.1.0.tgz'],
    ['package.json', 'pnpm-lock.yaml', '.idea/a.xml', '.nvmrc', 'readme'],
  ])('treats a folder with %s and the like as empty, and keeps these files', async (...paths) => {
    for (const path of paths) project.write(path, path === 'package.json' ? '{ "name": "mine" }' : 'mine');
    const { code, stderr } = await init();
    expect([code, stderr.includes('Next:')]).toEqual([0, true]);
    expect(project.files()).toEqual(expect.arrayContaining(SITE));
    for (const path of paths.filter((one) => !/package\.json|gitignore/.test(one))) {
      expect(project.read(path)).toBe('mine');
    }
    if (paths.includes('package.json')) {
      expect(JSON.parse(project.read('package.json'))).toMatchObject({ name: 'mine', type: 'module' });
    }
    if (paths.includes('pnpm-lock.yaml')) expect(stderr).toMatch(/pnpm install\n {2}pnpm dev/);
  });

  test('treats a folder with empty folders as empty', async () => {
    mkdirSync(join(project.folder, 'src/pages'), { recursive: true });
    mkdirSync(join(project.folder, 'public'));
    expect((await init()).code).toBe(0);
    expect(project.files()).toEqual(expect.arrayContaining(SITE));
  });
});

test.each([
  ['to nothing', 'missing'],
  ['to itself', 'assets'],
  ['to an empty folder', 'empty'],
])('a symbolic link %s makes a folder a project', async (_, target) => {
  mkdirSync(join(project.folder, 'empty'));
  symlinkSync(join(project.folder, target), join(project.folder, 'assets'));
  const { code, stderr } = await init();
  expect(code).toBe(0);
  expect(stderr).toContain('neither an astro.config nor Astro in its package.json');
});

describe('entry ids and languages', () => {
  const loaders = () =>
    project
      .read('src/content.config.ts')
      .replaceAll(/\s+/g, ' ')
      .match(/space\.loader\(.*?\)(?=,? \}\))/g);

  test('does not propose a slug that a translation lacks', async () => {
    await init();
    expect(loaders()).toEqual([
      "space.loader('article', { body: 'body', langs: ['ja', 'en'] })",
      "space.loader('author', { langs: ['ja'], backlinks: { article: { from: 'article', by: 'author', limit: 12 }, }, })",
    ]);
  });

  const notes = (slugs: readonly string[], name = 'slug') => ({
    keys: [{ key: KEY, reads: 'published' as const }],
    models: { note: { title: field.text({ title: true }), [name]: field.text() } },
    contents: slugs.map((slug, index) => ({
      id: index + 1,
      model: 'note',
      created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
      published: { en: { title: `Note ${index}`, [name]: slug } },
    })),
    languages: { main: 'en' },
  });
  const many = Array.from({ length: 450 }, (_, index) => `note-${index}`);

  test.each([
    ['a unique slug', ['a', 'b-c', 'D_1'], 'slug', 'slug'],
    ['a slug with another name', ['one', 'two-b', 'three'], 'path_name', 'path_name'],
    ['more items than are inspected, all of them unique', many, 'slug', 'slug'],
    ['a duplicate', ['a', 'b', 'a'], 'slug', undefined],
    ['values that differ only in case', ['a', 'A'], 'slug', undefined],
    ['an empty value', ['a', ''], 'slug', undefined],
    ['a path', ['a/b', 'c'], 'slug', undefined],
    ['characters that are not allowed in URLs', ['a?b', 'c#d', '..'], 'slug', undefined],
    ['names of people', ['Mori', 'Tanaka', 'Sato'], 'family', undefined],
    [
      'a duplicate among items that are not inspected',
      [...many.slice(0, 449), 'note-225'],
      'slug',
      undefined,
    ],
  ])('%s', async (_, slugs, name, id) => {
    const space = await startEmulator(notes(slugs, name) as never, { rateLimit: false });
    await init('--base-url', space.baseUrl).finally(() => space.close());
    const options = id === undefined ? '' : `, { id: '${id}' }`;
    expect(loaders()).toEqual([`space.loader('note'${options})`]);
  });
});

describe('luid init in an existing site', () => {
  const CONFIG = "import { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n";
  const MINE = `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

// Mine.
const blog = defineCollection({ loader: glob({ base: './blog', pattern: '*.md' }) });
export const collections = { blog };
`;
  beforeEach(() => {
    project.write('package.json', '{ "name": "mine", "dependencies": { "astro": "^7.3.4" } }');
    project.write('astro.config.mjs', CONFIG);
    project.write('src/pages/index.astro', '<h1>Mine</h1>');
    project.write('.env', 'OTHER=1 # mine');
  });

  test('writes no pages, and adds what is missing to .env, package.json and astro.config', async () => {
    expect((await init()).code).toBe(0);
    expect(project.files()).toEqual([
      '.env',
      '.gitignore',
      'astro.config.mjs',
      'package.json',
      'src/content.config.ts',
      'src/pages/index.astro',
      'src/space.ts',
    ]);
    expect(project.read('.env')).toMatch(/^OTHER=1 # mine\nLUID_BASE_URL=/);
    expect(project.read('astro.config.mjs')).toContain('integrations: [luid(space)],');
    expect(JSON.parse(project.read('package.json')).dependencies).toMatchObject({
      astro: '^7.3.4',
      'astro-luid': expect.any(String),
    });
  });

  test.each(['ts', 'mts', 'js', 'mjs'])(
    'extends content.config.%s, and shows the change',
    async (extension) => {
      const path = `src/content.config.${extension}`;
      project.write(path, MINE);
      const { code, stderr } = await init();
      expect(code).toBe(0);
      expect(project.read(path)).toContain('// Mine.\nconst blog = ');
      expect(project.read(path)).toMatch(/\{\n {2}blog,\n {2}article: defineCollection\(/);
      expect(project.files().filter((one) => one.includes('content.config'))).toEqual([path]);
      expect(stderr).toMatch(/^ {2}\+ {3}article: defineCollection/m);
    },
  );

  test('keeps a config with unsupported syntax, prints the lines to add, and exits with code 1', async () => {
    const unusual = "import { make } from './make';\nexport const collections = make();\n";
    project.write('src/content.config.ts', unusual);
    project.write('astro.config.mjs', 'export default () => ({});\n');
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(project.read('src/content.config.ts')).toBe(unusual);
    expect(project.read('astro.config.mjs')).toBe('export default () => ({});\n');
    expect(stderr).toContain("    import { space } from './space.ts';");
    expect(stderr).toContain("      author: defineCollection({ loader: space.loader('author') }),");
    expect(stderr).toContain('      integrations: [luid(space)],');
    expect(stderr).not.toMatch(/replace/i);
  });

  test('prints the lines for astro.config if the export name of the space is not known', async () => {
    const space =
      "import { defineSpace } from 'astro-luid';\nexport const one = defineSpace({ models: {} });\n";
    project.write('src/space.ts', `${space}export const two = defineSpace({ models: {} });\n`);
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(project.read('astro.config.mjs')).toBe(CONFIG);
    expect(stderr).toContain('the export name of the space is not known');
    expect(stderr).toContain("import { space } from './src/space.ts'; // or the name of your export");
  });

  test.each([
    ['export { cms };', 'cms'],
    ['export { cms as site };', 'site'],
  ])('imports the space by its name in `%s`', async (line, name) => {
    const define = "import { defineSpace } from 'astro-luid';\nimport { models } from './models.ts';\n";
    project.write('src/space.ts', `${define}const cms = defineSpace({ models });\n${line}\n`);
    await init();
    expect(project.read('astro.config.mjs')).toContain(`import { ${name} } from './src/space.ts';`);
    expect(project.read('astro.config.mjs')).toContain(`integrations: [luid(${name})],`);
  });

  test('imports a space that comes from another file by the name `space`', async () => {
    project.write('src/space.ts', "export { cms as space } from './cms.ts';\n");
    await init();
    expect(project.read('astro.config.mjs')).toContain("import { space } from './src/space.ts';");
  });

  test('rejects a file that is not UTF-8, by name, and writes nothing', async () => {
    const path = join(project.folder, 'astro.config.mjs');
    const bytes = Buffer.concat([Buffer.from('// '), Buffer.from([0x93, 0xfa]), Buffer.from(`\n${CONFIG}`)]);
    writeFileSync(path, bytes);
    const files = project.files();
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(stderr).toMatch(/astro\.config\.mjs is not UTF-8\n.*Save it as UTF-8/);
    expect(readFileSync(path)).toEqual(bytes);
    expect(project.files()).toEqual(files);
  });

  test('keeps a byte order mark', async () => {
    project.write('astro.config.mjs', `\ufeff${CONFIG}`);
    expect((await init()).code).toBe(0);
    expect(project.read('astro.config.mjs')).toMatch(/^\ufeffimport /);
  });

  test('does not create a config next to one at the legacy location', async () => {
    project.write('src/content/config.ts', MINE);
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(project.files()).not.toContain('src/content.config.ts');
    expect(project.read('src/content/config.ts')).toBe(MINE);
    expect(stderr).toContain(
      'src/content/config.ts: Astro 6 and later read src/content.config.ts: move the file',
    );
    expect(stderr).toContain("import { space } from '../space.ts';");
  });

  test('writes to the srcDir of astro.config', async () => {
    project.write('astro.config.mjs', CONFIG.replace('{}', "{ srcDir: './source' }"));
    project.write('source/content.config.mjs', MINE);
    const { code, stderr } = await init();
    expect(code).toBe(0);
    expect(stderr).toContain('npx luid check --space source/space.ts');
    expect(project.files()).toContain('source/space.ts');
    expect(project.files()).not.toContain('src/content.config.ts');
    expect(project.read('source/content.config.mjs')).toContain("from './space.ts'");
    expect(project.read('astro.config.mjs')).toContain("from './source/space.ts'");
  });

  test('explains why no pages were created', async () => {
    rmSync(join(project.folder, 'astro.config.mjs'));
    expect((await init()).stderr).toMatch(
      /No pages were created, because the folder is not empty: it has .+/,
    );
  });

  test('requires --src-dir if astro.config computes it', async () => {
    project.write('astro.config.mjs', CONFIG.replace('{}', '{ srcDir: process.env.DIR }'));
    expect((await init()).stderr).toMatch(/Cannot read srcDir in astro\.config\.mjs.*\n.*--src-dir DIR/);
    expect((await init('--src-dir', 'app')).code).toBe(0);
    expect(project.files()).toContain('app/space.ts');
  });

  test('creates a missing Astro config, and warns if the folder does not use Astro', async () => {
    rmSync(join(project.folder, 'astro.config.mjs'));
    expect((await init()).code).toBe(0);
    expect(project.read('astro.config.mjs')).toContain('integrations: [luid(space)],');
    rmSync(join(project.folder, 'astro.config.mjs'));
    expect((await init('--src-dir', 'app')).code).toBe(0);
    expect(project.read('astro.config.mjs')).toContain("srcDir: './app'");
    expect(project.read('astro.config.mjs')).toContain("from './app/space.ts'");
    rmSync(join(project.folder, 'astro.config.mjs'));
    project.write('package.json', '{}');
    expect((await init()).stderr).toContain('neither an astro.config nor Astro in its package.json');
    expect(project.has('astro.config.mjs')).toBe(false);
  });

  test('warns about environment variables that override .env', async () => {
    const args = ['--yes', '--base-url', service.baseUrl, '--api-key', KEY, '--dir', project.folder];
    const { stderr } = await runInit(args, { LUID_API_KEY: 'other' });
    expect(stderr).toContain('LUID_API_KEY has a different value in the environment');
    expect(stderr).not.toContain('LUID_BASE_URL has a different');
  });

  test.each(['.env.local', '.env.production', '.env.development.local'])(
    'warns about a variable in %s that overrides .env, without its value',
    async (file) => {
      project.write(file, `LUID_API_KEY=other-key\nLUID_BASE_URL=${service.baseUrl}\n`);
      const { stderr } = await init();
      expect(stderr).toContain(
        `LUID_API_KEY has a different value in ${file}, which takes precedence over .env`,
      );
      expect(stderr.match(/has a different value/g)).toHaveLength(1);
      expect(stderr).not.toContain('other-key');
    },
  );

  test('a second run has nothing to do, and needs neither URL nor key', async () => {
    project.write('src/content.config.ts', MINE);
    await init();
    const before = project.files().map((path) => project.read(path));
    const { code, stderr } = await runInit(['--yes', '--dir', project.folder]);
    expect(code).toBe(0);
    expect(stderr).toContain('Nothing to do: everything is up to date.');
    expect(project.files().map((path) => project.read(path))).toEqual(before);
  });

  test('adds missing variables to .env if others are set', async () => {
    project.write('.env', `LUID_BASE_URL=${service.baseUrl}\r\n`);
    await runInit(['--yes', '--api-key', KEY, '--dir', project.folder]);
    expect(project.read('.env')).toBe(
      `LUID_BASE_URL=${service.baseUrl}\r\nLUID_ASSETS_URL=${service.assetsUrl}\r\nLUID_API_KEY=${KEY}\r\n`,
    );
  });

  test('keeps a line of .env that refers to another variable, as Astro reads it', async () => {
    project.install();
    const env = `CMS=${service.baseUrl.replace(/\/v1$/, '')}\nLUID_BASE_URL=$\{CMS}/v1\nLUID_API_KEY=${KEY}\n`;
    project.write('.env', env);
    const { code } = await runInit(['--yes', '--dir', project.folder]);
    expect(code).toBe(0);
    expect(project.read('.env')).toBe(`${env}LUID_ASSETS_URL=${service.assetsUrl}\n`);
  });

  test('keeps a different key in .env, and prints neither key', async () => {
    project.write('.env', 'LUID_API_KEY=another-key\n');
    const { code, stderr, stdout } = await init();
    expect(code).toBe(1);
    expect(project.read('.env')).toBe('LUID_API_KEY=another-key\n');
    expect(stderr).toContain('LUID_API_KEY would get a different value');
    expect(stderr + stdout).not.toMatch(/another-key|published-key/);
  });

  test('keeps a symbolic link, and writes to its target', async () => {
    project.write('shared/env', 'OTHER=1\n');
    rmSync(join(project.folder, '.env'));
    symlinkSync('shared/env', join(project.folder, '.env'));
    await init();
    expect(readlinkSync(join(project.folder, '.env'))).toBe('shared/env');
    expect(project.read('shared/env')).toContain(`LUID_API_KEY=${KEY}`);
  });
});

describe('luid init with a service', () => {
  const NILTO = 'X-NILTO-API-KEY';
  let nilto: RunningEmulator;
  beforeEach(async () => {
    nilto = await startEmulator(TINY_SPACE, { rateLimit: false, header: NILTO });
  });
  afterEach(() => nilto.close());

  const run = (args: readonly string[], env = {}) =>
    runInit(['--yes', '--api-key', KEY, '--dir', project.folder, ...args], env);
  const ENV = () =>
    `LUID_SERVICE=nilto\nLUID_BASE_URL=${nilto.baseUrl}\nLUID_ASSETS_URL=${nilto.assetsUrl}\nLUID_API_KEY=${KEY}\n`;

  test('--service and a key are enough; another URL is kept beside it', async () => {
    const { code, stderr } = await run(['--service', 'nilto', '--base-url', nilto.baseUrl]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('accepted as')]);
    expect(project.read('.env')).toBe(ENV());
    expect(project.read('src/space.ts')).not.toContain('apiKeyHeader');
  });

  test('LUID_SERVICE has the same effect', async () => {
    expect((await run(['--base-url', nilto.baseUrl], { LUID_SERVICE: 'nilto' })).code).toBe(0);
    expect(project.read('.env')).toBe(ENV());
  });

  test('with a URL only, the header is found', async () => {
    const { code, stderr } = await run(['--base-url', nilto.baseUrl]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`The key is accepted as ${NILTO}.`)]);
    expect(project.read('.env')).toBe(ENV());
  });

  test('a key that no header carries is an error that names header and fix', async () => {
    const { code, stderr } = await run(['--base-url', nilto.baseUrl, '--api-key', 'wrong']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '401 Unauthorized\n  → The key is missing or wrong: check --api-key or LUID_API_KEY',
    );
    expect(stderr).toContain('sent as X-SERVICE-API-KEY. NILTO expects X-NILTO-API-KEY: set');
    expect(project.files()).toEqual([]);
  });

  test('a header that was passed is not replaced by another', async () => {
    const { code, stderr } = await run(['--base-url', nilto.baseUrl, '--header', 'X-Other']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('sent as X-Other')]);
  });

  test('a URL with the default header overrides a service of the environment', async () => {
    const { code } = await run(['--base-url', service.baseUrl], { LUID_SERVICE: 'nilto' });
    expect(code).toBe(0);
    expect(project.read('.env')).toContain('LUID_API_KEY_HEADER=X-SERVICE-API-KEY\n');
    expect(project.read('.env')).not.toContain('LUID_SERVICE');
  });

  test('on a terminal, the service is asked for first, and the URL only without one', async () => {
    const asked: string[] = [];
    const answer = (name: string, value: unknown) => async () => {
      asked.push(name);
      return value as never;
    };
    const prompts = (chosen: string | undefined): Prompts => ({
      ...answerWithDefaults({ force: false }),
      service: answer('service', chosen),
      baseUrl: answer('baseUrl', nilto.baseUrl),
      apiKey: answer('apiKey', KEY),
    });
    const start = (chosen: string | undefined) =>
      runCommand('init', (args) => initCommand(args, prompts(chosen)), ['--yes', '--dir', project.folder]);
    expect((await start(undefined)).code).toBe(0);
    expect(asked).toEqual(['service', 'baseUrl', 'apiKey']);
    expect(project.read('.env')).toBe(ENV());
  });
});

describe('the variables of a space', () => {
  const credentials = { service: 'nilto', baseUrl: 'https://cms-api.nilto.com/v1', apiKey: 'k' } as const;
  const inNilto = { ...credentials, apiKeyHeader: 'X-NILTO-API-KEY' };
  const media = 'https://cms-assets.nilto.com/spaces/1/media';

  test('do not repeat what the service has', () => {
    expect(spaceVariables(inNilto, media, {})).toEqual({ LUID_SERVICE: 'nilto', LUID_API_KEY: 'k' });
    expect(spaceVariables(inNilto, undefined, {})).toEqual({ LUID_SERVICE: 'nilto', LUID_API_KEY: 'k' });
  });

  test('replace those that would override the service', () => {
    const emulator = {
      LUID_BASE_URL: 'http://e/v1',
      LUID_ASSETS_URL: 'http://e/a',
      LUID_API_KEY_HEADER: 'X',
    };
    expect(spaceVariables(inNilto, undefined, emulator)).toEqual({
      LUID_SERVICE: 'nilto',
      LUID_BASE_URL: credentials.baseUrl,
      LUID_ASSETS_URL: 'https://cms-assets.nilto.com',
      LUID_API_KEY_HEADER: 'X-NILTO-API-KEY',
      LUID_API_KEY: 'k',
    });
  });

  test('contain the media of another host', () => {
    expect(spaceVariables(inNilto, 'https://cms-assets.nilto.com.example', {})).toMatchObject({
      LUID_ASSETS_URL: 'https://cms-assets.nilto.com.example',
    });
  });
});

describe('files that change while a prompt of luid init is open', () => {
  const prompts = answerWithDefaults({ force: false });
  /** Runs init with prompts that are answered after files were changed. */
  const initWith = (other: Partial<Prompts>) =>
    runCommand('init', (args) => initCommand(args, { ...prompts, ...other }), [
      ...['--yes', '--base-url', service.baseUrl, '--api-key', KEY, '--dir', project.folder],
    ]);

  beforeEach(() => {
    project.write('package.json', '{ "dependencies": { "astro": "^7.0.0" } }\n');
    project.write('astro.config.mjs', 'export default {};\n');
  });

  test.each([
    ['an edited file', 'astro.config.mjs', 'export default { base: "/mine" };\n'],
    ['a file that was created meanwhile', 'src/space.ts', '// mine\n'],
  ])('%s is not overwritten, and nothing else is written', async (_, path, mine) => {
    const before = project.files();
    const write = async () => {
      project.write(path, mine);
      return true;
    };
    const { code, stderr } = await initWith({ write });
    expect(code).toBe(1);
    expect(stderr).toContain(`${path} was changed while luid init was running\n  → Nothing was written.`);
    expect(project.read(path)).toBe(mine);
    expect(project.files()).toEqual([...new Set([...before, path])].sort());
  });

  test('a copy to compare replaces the one of an earlier run, unless that changes too', async () => {
    project.write('src/space.ts', '// mine\n');
    project.write('src/space.new.ts', '// of an earlier run\n');
    const replace = async () => 'copy' as const;
    expect((await initWith({ replace })).stderr).toContain('wrote src/space.new.ts');
    const write = async () => {
      project.write('src/space.new.ts', '// mine too\n');
      return true;
    };
    expect((await initWith({ replace, write })).code).toBe(1);
    expect(project.read('src/space.new.ts')).toBe('// mine too\n');
    expect(project.read('src/space.ts')).toBe('// mine\n');
  });
});

describe('luid init after the models have changed', () => {
  beforeEach(async () => {
    project.write('src/pages/index.astro', '<h1>Mine</h1>');
    await init();
  });
  const change = (edit: (text: string) => string) => {
    const mine = edit(project.read('src/space.ts'));
    project.write('src/space.ts', mine);
    return mine;
  };

  test('ignores manual edits', async () => {
    const mine = change((text) =>
      text.replace('field.flexibleText()', "field.flexibleText({ format: 'markdown' }) /* mine */"),
    );
    const { code, stderr } = await init();
    expect([code, project.read('src/space.ts')]).toEqual([0, mine]);
    expect(stderr).toContain('Nothing to do');
  });

  test('adds new fields and models, and keeps the rest unchanged', async () => {
    const mine = change((text) =>
      text
        .replace(/^ {6}slug:.*\n/m, '')
        .replace(/^ {4}author: \{[\s\S]*?^ {4}\},\n/m, '')
        .replace('models: {', 'models: { // mine'),
    );
    project.write(
      'src/content.config.ts',
      project.read('src/content.config.ts').replace(/^ {2}author: .*\n/m, ''),
    );
    const { code, stderr } = await init();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^ {2}\+ article\.slug: new, slug: field\.text\(\)/m);
    expect(stderr).toMatch(/^ {2}\+ author: new/m);
    const after = project.read('src/space.ts');
    for (const line of mine.split('\n')) expect(after.split('\n')).toContain(line);
    expect(after).toMatch(/^ {6}slug: field\.text\(\), \/\/ 3 of 3/m);
    expect(project.read('src/content.config.ts')).toContain("space.loader('author')");
  });

  test('shows and keeps fields that changed or disappeared, and exits with code 1', async () => {
    const mine = change((text) =>
      text
        .replace('body: field.flexibleText()', 'body: field.boolean()')
        .replace('slug:', 'gone: field.text(),\n      slug:'),
    );
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(project.read('src/space.ts')).toBe(mine);
    expect(stderr).toMatch(
      /^ {2}~ article\.body: declared as field\.boolean\(\), content shows flexible_text$/m,
    );
    expect(stderr).toMatch(
      /^ {2}- article\.gone: declared as field\.text\(\), but not found in the content$/m,
    );
    expect(stderr).toContain('src/space.ts differs and was kept');
  });

  test('--force replaces a file that differs', async () => {
    project.write('src/space.ts', 'mine');
    const { code, stderr } = await init();
    expect([code, project.read('src/space.ts')]).toEqual([1, 'mine']);
    expect(stderr).toMatch(/^ {2}- mine$/m);
    expect((await init('--force')).code).toBe(0);
    expect(project.read('src/space.ts')).toContain('defineSpace');
  });
});

describe('luid init fails', () => {
  const bare = (...args: string[]) => project.luid(['init', ...args]);
  const yes = (baseUrl: string, key = KEY) =>
    runInit(['--yes', '--base-url', baseUrl, '--api-key', key, '--dir', project.folder]);

  test('with a wrong key: exit code 1, without printing the key or writing files', async () => {
    const { code, stderr } = await yes(service.baseUrl, 'secret-wrong');
    expect(code).toBe(1);
    expect(stderr).toMatch(/401 Unauthorized\n {2}→ The key is missing or wrong: check --api-key/);
    expect(stderr).not.toMatch(/secret-wrong|\bat .*\.ts:/);
    expect(project.files()).toEqual([]);
  });

  test('without network: exit code 1, with the URL', async () => {
    const { code, stderr } = await yes('http://127.0.0.1:9/v1');
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:9/v1/contents');
    expect(stderr).toMatch(/→ .*baseUrl/);
    expect(project.files()).toEqual([]);
  });

  test('for a model without content: exit code 1, with the models that were found', async () => {
    const { code, stderr } = await init('--models', 'article,recipe');
    expect(code).toBe(1);
    expect(stderr).toContain('No content of recipe visible to this key');
    expect(stderr).toContain('Found: article, author');
    expect(project.files()).toEqual([]);
  });

  test('for a space without content: exit code 1', async () => {
    const empty = await startEmulator({
      keys: [{ key: KEY, reads: 'published' }],
      models: { a: { b: { type: 'text' } } },
    });
    const { code, stderr } = await yes(empty.baseUrl);
    await empty.close();
    expect(code).toBe(1);
    expect(stderr).toContain('No content visible to this key');
  });

  test('for a folder that is not writable: exit code 1, and no files are left', async () => {
    project.write('file', 'not a folder');
    const { code, stderr } = await init('--dir', join(project.folder, 'file/site'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot (read|write) .*: ENOTDIR/);
    expect(project.files()).toEqual(['file']);
  });

  test('without writing any file if a folder has the name of one', async () => {
    project.write('src/content.config.ts/x', '');
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(stderr).toContain('content.config.ts');
    expect(project.files()).toEqual(['src/content.config.ts/x']);
  });

  test.each([
    [['--yes'], '--service or --base-url is required'],
    [['--yes', '--service', 'other'], '--service must be one of nilto, got "other"'],
    [['--yes', '--base-url', 'http://127.0.0.1:9/v1'], '--api-key is required'],
    [[], 'no terminal for prompts'],
    [['--yes', '--models', 'No'], '"No" is not a LUID'],
    [['--yes', '--src-dir', '../app'], '--src-dir must be a folder inside the project'],
    [['--yes', '--src-dir', 'C:\\app'], 'must be a folder inside the project'],
    [['--nope'], '--nope'],
  ])('with %j: exit code 2 and one line of explanation', async (args, message) => {
    const { code, stdout, stderr } = await bare(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^luid init: [^\n]+\n$/);
  });

  test('with an invalid URL: exit code 1', async () => {
    const { code, stderr } = await yes('nowhere');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'baseUrl must be an http(s) URL, got a string without ://\n  → Correct the option or LUID_BASE_URL: https://…/v1',
    );
  });

  test.each([
    ['https://me:hunter2@h.example/v1?x=1', 'must not contain a user name or password'],
    ['https://me:hunter2@h.example/v1', 'must not contain a user name or password'],
    ['me:hunter2@h.example/v1', 'must be an http(s) URL'],
    ['https://me:hunter2@h.example:99999/v1', 'must be an http(s) URL'],
  ])('with a password in the URL, which is never printed: %s', async (url, problem) => {
    const args = ['--yes', '--api-key', KEY, '--dir', project.folder, '--json'];
    const ends = [await runInit([...args, '--base-url', url]), await runInit(args, { LUID_BASE_URL: url })];
    for (const { code, stdout, stderr } of ends) {
      expect(code).toBe(1);
      expect(stderr).toContain(problem);
      expect(stdout + stderr).not.toContain('hunter2');
    }
    expect(project.files()).toEqual([]);
  });

  test('for a URL without version segment: exit code 1, with the URL that responds', async () => {
    const { code, stderr } = await yes(service.baseUrl.replace('/v1', ''));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `The version segment is missing: ${service.baseUrl} responds. Pass it as --base-url`,
    );
    expect(project.files()).toEqual([]);
  });
});

describe('writing files', () => {
  test('a signal after the first file appears does not leave files half-written', async () => {
    const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', KEY];
    const child = spawn(process.execPath, [LUID, ...args], { cwd: project.folder, stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (child.exitCode === null && readdirSync(project.folder).length === 0) await setImmediate();
    child.kill('SIGINT');
    await ended;
    expect(project.files()).toEqual(SITE);
  });

  test('if one file cannot be written, none is', () => {
    project.write('taken', '');
    project.write('there', 'old');
    const files = ['new/a', 'there', 'taken/b'].map((path) => ({
      path,
      text: 'new',
      before: path === 'there' ? 'old' : undefined,
    }));
    expect(() => writeFiles(project.folder, files)).toThrow(
      /Cannot write the files.*\n.*Nothing was changed/,
    );
    expect(project.read('there')).toBe('old');
    expect(readdirSync(project.folder).sort()).toEqual(['taken', 'there']);
  });
});

test('luid init --help lists every option', async () => {
  const { code, stdout } = await project.luid(['init', '--help']);
  expect(code).toBe(0);
  for (const option of [
    'service',
    'base-url',
    'api-key',
    'dir',
    'src-dir',
    'models',
    'sub-space',
    'header',
    'yes',
    'force',
    'json',
  ]) {
    expect(stdout).toContain(`--${option}`);
  }
});
