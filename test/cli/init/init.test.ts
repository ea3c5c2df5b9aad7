import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeFiles } from '../../../src/cli/init/write-files.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import { runInit } from '../in-process.ts';
import { createProject, LUID, type Project } from '../project.ts';
import { SMALL_SPACE } from '../small-space.ts';

const KEY = 'published-key';
let service: RunningEmulator;
let project: Project;

// One service per test: the requests of one process to one service are limited.
beforeEach(async () => {
  service = await startEmulator(SMALL_SPACE, { rateLimit: false });
  project = createProject();
});
afterEach(async () => {
  project.remove();
  await service.close();
});

/** In this process, with this project as its folder. */
const init = (...args: string[]) =>
  runInit(['--yes', '--base-url', service.baseUrl, '--api-key', KEY, '--dir', project.folder, ...args]);

/** Relative imports of the project's files that lead nowhere. */
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
  'src/content.config.ts',
  'src/layouts/Page.astro',
  'src/pages/[lang]/article/[id].astro',
  'src/pages/[lang]/index.astro',
  'src/pages/index.astro',
  'src/space.ts',
  'src/urls.ts',
  'tsconfig.json',
];

describe('luid init in an empty folder', () => {
  test('writes a site, the map with its evidence, and the variables of .env', async () => {
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

  test('reports what was inspected, with one line per model for what is uncertain, and the key nowhere', async () => {
    const { stderr } = await init();
    expect(stderr).toMatch(/^article +3 +3 +9 +\d$/m);
    const [, names = ''] = /^uncertain article: (.*)$/m.exec(stderr) ?? [];
    const marked = project.read('src/space.ts').match(/^ {6}\w+:.*uncertain: .*$/gm) ?? [];
    expect(marked.length).toBeGreaterThan(2);
    for (const name of ['tags', 'category', 'related.article']) expect(names.split(', ')).toContain(name);
    expect(stderr).not.toContain(KEY);
  });

  test('--json gives the map and its evidence on stdout, without the key', async () => {
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

  test('--models writes only these, and a reference to another names no model', async () => {
    await init('--models', 'article');
    expect(project.read('src/content.config.ts')).not.toContain('author');
    expect(project.read('src/space.ts')).toMatch(
      /author: field\.reference\(\), \/\/ .*author is not declared/,
    );
  });

  test('a key that reads drafts is recognised, with what to do', async () => {
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
  ])('--src-dir %s: the whole site is there, and all its imports resolve', async (given, srcDir, line) => {
    expect((await init('--src-dir', given)).code).toBe(0);
    expect(project.files()).toEqual(SITE.map((path) => posix.join(path.replace(/^src/, srcDir))).sort());
    expect(project.read('astro.config.mjs')).toContain(`\n  ${line}\n`);
    expect(unresolvedImports()).toEqual([]);
  });

  test('without --src-dir the config does not name the default', async () => {
    await init();
    expect(project.read('astro.config.mjs')).not.toContain('srcDir');
    expect(unresolvedImports()).toEqual([]);
  });

  test('--dir makes the folder', async () => {
    const { stderr } = await init('--dir', join(project.folder, 'new/my site'));
    expect(project.files()).toEqual(SITE.map((path) => `new/my site/${path}`));
    expect(stderr).toContain(`cd '${join(project.folder, 'new/my site')}'`);
  });

  test.each([
    ['package.json', 'package-lock.json', 'node_modules/a/index.js'],
    ['.git/HEAD', '.gitignore', 'README.md', 'LICENSE', '.npmrc', '.vscode/settings.json'],
    ['emulator.log', 'astro-luid-0.1.0.tgz'],
    ['package.json', 'pnpm-lock.yaml', '.idea/a.xml', '.nvmrc', 'readme'],
  ])('counts as empty with %s and the like, which stay', async (...paths) => {
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

  test('counts as empty with folders that hold no file', async () => {
    mkdirSync(join(project.folder, 'src/pages'), { recursive: true });
    mkdirSync(join(project.folder, 'public'));
    expect((await init()).code).toBe(0);
    expect(project.files()).toEqual(expect.arrayContaining(SITE));
  });
});

describe('entry ids and languages', () => {
  const loaders = () => project.read('src/content.config.ts').match(/space\.loader\(.*?\)(?= \}\))/g);

  test('a slug that a translation lacks names no entries', async () => {
    await init();
    expect(loaders()).toEqual([
      "space.loader('article', { body: 'body', langs: ['ja', 'en'] })",
      "space.loader('author')",
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
    ['a field that is a slug in all but name', ['one', 'two-b', 'three'], 'path_name', 'path_name'],
    ['more items than are inspected, all of them unique', many, 'slug', 'slug'],
    ['a duplicate', ['a', 'b', 'a'], 'slug', undefined],
    ['two that some file systems take for one', ['a', 'A'], 'slug', undefined],
    ['an empty one', ['a', ''], 'slug', undefined],
    ['a path', ['a/b', 'c'], 'slug', undefined],
    ['what a URL cannot hold', ['a?b', 'c#d', '..'], 'slug', undefined],
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

  test('writes no site, and adds to .env, package.json and astro.config what they lack', async () => {
    expect((await init()).code).toBe(0);
    expect(project.files()).toEqual([
      '.env',
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

  test.each(['ts', 'mts', 'js', 'mjs'])('extends content.config.%s, and shows how', async (extension) => {
    const path = `src/content.config.${extension}`;
    project.write(path, MINE);
    const { code, stderr } = await init();
    expect(code).toBe(0);
    expect(project.read(path)).toContain('// Mine.\nconst blog = ');
    expect(project.read(path)).toMatch(/\{\n {2}blog,\n {2}article: defineCollection\(/);
    expect(project.files().filter((one) => one.includes('content.config'))).toEqual([path]);
    expect(stderr).toMatch(/^ {2}\+ {3}article: defineCollection/m);
  });

  test('a config that is written unusually stays, and the exact lines are printed: exit code 1', async () => {
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

  test('a config in the old place is never shadowed by a new one', async () => {
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

  test('srcDir of astro.config is where everything goes', async () => {
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

  test('a site without pages is told why none were written', async () => {
    rmSync(join(project.folder, 'astro.config.mjs'));
    expect((await init()).stderr).toMatch(/No pages were written, because the folder is not new: it has .+/);
  });

  test('a srcDir that only running the config would tell has to be given', async () => {
    project.write('astro.config.mjs', CONFIG.replace('{}', '{ srcDir: process.env.DIR }'));
    expect((await init()).stderr).toMatch(/srcDir of astro\.config\.mjs cannot be read.*\n.*--src-dir DIR/);
    expect((await init('--src-dir', 'app')).code).toBe(0);
    expect(project.files()).toContain('app/space.ts');
  });

  test('a site without an Astro config gets one; a folder without Astro is pointed out', async () => {
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

  test('a variable of the environment that wins over .env is pointed out', async () => {
    const args = ['--yes', '--base-url', service.baseUrl, '--api-key', KEY, '--dir', project.folder];
    const { stderr } = await runInit(args, { LUID_API_KEY: 'other' });
    expect(stderr).toContain('LUID_API_KEY has another value in the environment');
    expect(stderr).not.toContain('LUID_BASE_URL has another');
  });

  test('a second run has nothing to do, and asks neither for URL nor key', async () => {
    project.write('src/content.config.ts', MINE);
    await init();
    const before = project.files().map((path) => project.read(path));
    const { code, stderr } = await runInit(['--yes', '--dir', project.folder]);
    expect(code).toBe(0);
    expect(stderr).toContain('Nothing to do: everything is up to date.');
    expect(project.files().map((path) => project.read(path))).toEqual(before);
  });

  test('variables that are missing in .env are added though others are set', async () => {
    project.write('.env', `LUID_BASE_URL=${service.baseUrl}\r\n`);
    await runInit(['--yes', '--api-key', KEY, '--dir', project.folder]);
    expect(project.read('.env')).toBe(
      `LUID_BASE_URL=${service.baseUrl}\r\nLUID_ASSETS_URL=${service.assetsUrl}\r\nLUID_API_KEY=${KEY}\r\n`,
    );
  });

  test('another key in .env is kept, and neither is shown', async () => {
    project.write('.env', 'LUID_API_KEY=another-key\n');
    const { code, stderr, stdout } = await init();
    expect(code).toBe(1);
    expect(project.read('.env')).toBe('LUID_API_KEY=another-key\n');
    expect(stderr).toContain('LUID_API_KEY would get another value');
    expect(stderr + stdout).not.toMatch(/another-key|published-key/);
  });

  test('a linked file stays a link', async () => {
    project.write('shared/env', 'OTHER=1\n');
    rmSync(join(project.folder, '.env'));
    symlinkSync('shared/env', join(project.folder, '.env'));
    await init();
    expect(readlinkSync(join(project.folder, '.env'))).toBe('shared/env');
    expect(project.read('shared/env')).toContain(`LUID_API_KEY=${KEY}`);
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

  test('edits by hand are no difference', async () => {
    const mine = change((text) =>
      text.replace('field.flexibleText()', "field.flexibleText({ format: 'markdown' }) /* mine */"),
    );
    const { code, stderr } = await init();
    expect([code, project.read('src/space.ts')]).toEqual([0, mine]);
    expect(stderr).toContain('Nothing to do');
  });

  test('new fields and models are added, the rest stays as it is', async () => {
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

  test('fields of another type, and those that are gone, are shown and kept: exit code 1', async () => {
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
    expect(stderr).toMatch(/^ {2}- article\.gone: declared as field\.text\(\), but not in the content$/m);
    expect(stderr).toContain('src/space.ts differs and was kept');
  });

  test('--force replaces a file that says something else', async () => {
    project.write('src/space.ts', 'mine');
    const { code, stderr } = await init();
    expect([code, project.read('src/space.ts')]).toEqual([1, 'mine']);
    expect(stderr).toMatch(/^ {2}- mine$/m);
    expect((await init('--force')).code).toBe(0);
    expect(project.read('src/space.ts')).toContain('defineSpace');
  });
});

describe('luid init that cannot work', () => {
  const bare = (...args: string[]) => project.luid(['init', ...args]);
  const yes = (baseUrl: string, key = KEY) =>
    runInit(['--yes', '--base-url', baseUrl, '--api-key', key, '--dir', project.folder]);

  test('a wrong key: exit code 1, the key not shown, and nothing written', async () => {
    const { code, stderr } = await yes(service.baseUrl, 'secret-wrong');
    expect(code).toBe(1);
    expect(stderr).toMatch(/401 Unauthorized\n {2}→ The key is missing or wrong: check --api-key/);
    expect(stderr).not.toMatch(/secret-wrong|\bat .*\.ts:/);
    expect(project.files()).toEqual([]);
  });

  test('no network: exit code 1 with the address', async () => {
    const { code, stderr } = await yes('http://127.0.0.1:9/v1');
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:9/v1/contents');
    expect(stderr).toMatch(/→ .*baseUrl/);
    expect(project.files()).toEqual([]);
  });

  test('a model without content: exit code 1 with those that were found', async () => {
    const { code, stderr } = await init('--models', 'article,recipe');
    expect(code).toBe(1);
    expect(stderr).toContain('There is no content of recipe');
    expect(stderr).toContain('Found: article, author');
    expect(project.files()).toEqual([]);
  });

  test('a space without content: exit code 1', async () => {
    const empty = await startEmulator({
      keys: [{ key: KEY, reads: 'published' }],
      models: { a: { b: { type: 'text' } } },
    });
    const { code, stderr } = await yes(empty.baseUrl);
    await empty.close();
    expect(code).toBe(1);
    expect(stderr).toContain('This key sees no content');
  });

  test('a folder that cannot be written: exit code 1, and nothing is left there', async () => {
    project.write('file', 'not a folder');
    const { code, stderr } = await init('--dir', join(project.folder, 'file/site'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be (read|written): ENOTDIR/);
    expect(project.files()).toEqual(['file']);
  });

  test('a place that is taken by a folder: all files or none', async () => {
    project.write('src/content.config.ts/x', '');
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(stderr).toContain('content.config.ts');
    expect(project.files()).toEqual(['src/content.config.ts/x']);
  });

  test.each([
    [['--yes'], '--base-url is missing'],
    [['--yes', '--base-url', 'http://127.0.0.1:9/v1'], '--api-key is missing'],
    [[], 'no terminal to ask on'],
    [['--yes', '--models', 'No'], '"No" is not a LUID'],
    [['--yes', '--src-dir', '../app'], '--src-dir is "../app": pass a folder inside the project'],
    [['--yes', '--src-dir', 'C:\\app'], 'pass a folder inside the project'],
    [['--nope'], '--nope'],
  ])('%j: one clear line and exit code 2', async (args, said) => {
    const { code, stdout, stderr } = await bare(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(stderr).toMatch(/^luid init: [^\n]+\n$/);
  });

  test('a string that is not a URL: exit code 1', async () => {
    const { code, stderr } = await yes('nowhere');
    expect(code).toBe(1);
    expect(stderr).toContain(
      "baseUrl must be an http(s) URL, got 'nowhere'\n  → Correct the option or LUID_BASE_URL: https://…/v1",
    );
  });

  test.each([
    ['https://me:hunter2@h.example/v1?x=1', 'must not contain a user name or password'],
    ['https://me:hunter2@h.example/v1', 'must not contain a user name or password'],
    ['me:hunter2@h.example/v1', 'must be an http(s) URL'],
    ['https://me:hunter2@h.example:99999/v1', 'must be an http(s) URL'],
  ])('a password in the URL is refused and never printed: %s', async (url, problem) => {
    const args = ['--yes', '--api-key', KEY, '--dir', project.folder, '--json'];
    const ends = [await runInit([...args, '--base-url', url]), await runInit(args, { LUID_BASE_URL: url })];
    for (const { code, stdout, stderr } of ends) {
      expect(code).toBe(1);
      expect(stderr).toContain(problem);
      expect(stdout + stderr).not.toContain('hunter2');
    }
    expect(project.files()).toEqual([]);
  });

  test('a URL without its version segment: exit code 1 with the URL that responds', async () => {
    const { code, stderr } = await yes(service.baseUrl.replace('/v1', ''));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `The version segment is missing: ${service.baseUrl} responds. Pass it as --base-url`,
    );
    expect(project.files()).toEqual([]);
  });
});

describe('what is written', () => {
  test('a signal as soon as the first file shows leaves all of them, and nothing half done', async () => {
    const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', KEY];
    const child = spawn(process.execPath, [LUID, ...args], { cwd: project.folder, stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (child.exitCode === null && readdirSync(project.folder).length === 0) await setImmediate();
    child.kill('SIGINT');
    await ended;
    expect(project.files()).toEqual(SITE);
  });

  test('where one file cannot be, none is', () => {
    project.write('taken', '');
    project.write('there', 'old');
    const files = ['new/a', 'there', 'taken/b'].map((path) => ({ path, text: 'new' }));
    expect(() => writeFiles(project.folder, files)).toThrow(/cannot be written.*\n.*Nothing was changed/);
    expect(project.read('there')).toBe('old');
    expect(readdirSync(project.folder).sort()).toEqual(['taken', 'there']);
  });
});

test('luid init --help names every option', async () => {
  const { code, stdout } = await project.luid(['init', '--help']);
  expect(code).toBe(0);
  for (const option of [
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
