import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeFiles } from '../../src/cli/init/write-files.ts';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createProject, LUID, type Project } from './project.ts';
import { SMALL_SPACE } from './small-space.ts';

const KEY = 'published-key';
let service: RunningEmulator;
let project: Project;

beforeAll(async () => {
  service = await startEmulator(SMALL_SPACE, { rateLimit: false });
});
afterAll(() => service.close());
beforeEach(() => {
  project = createProject();
});
afterEach(() => project.remove());

const init = (...args: string[]) =>
  project.luid(['init', '--yes', '--base-url', service.baseUrl, '--api-key', KEY, ...args]);

const SITE = [
  '.env',
  '.gitignore',
  'astro.config.mjs',
  'package.json',
  'src/content.config.ts',
  'src/layouts/Page.astro',
  'src/pages/article/[id].astro',
  'src/pages/index.astro',
  'src/space.ts',
  'tsconfig.json',
];

describe('luid init in an empty folder', () => {
  test('writes a site, the map with its evidence, and the lines for .env', async () => {
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

  test('says what was looked at and all that is uncertain, on stderr, and the key nowhere', async () => {
    const { stderr } = await init();
    expect(stderr).toMatch(/^article +3 +3 +9 +\d$/m);
    const marked = project.read('src/space.ts').match(/^ *\w+:.*uncertain: .*$/gm) ?? [];
    expect(marked.length).toBeGreaterThan(2);
    for (const line of marked) expect(stderr).toContain(line.slice(line.indexOf('uncertain: ')));
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

  test('a key that reads drafts is told apart, with what to do', async () => {
    service.contents.create({ model: 'author', draft: { ja: { name: 'New' } } });
    const { stderr } = await project.luid(['init', '--yes', '--base-url', service.baseUrl], {
      LUID_API_KEY: 'draft-key',
    });
    expect(stderr).toContain('This key reads drafts');
    expect(stderr).toContain('LUID_DRAFT_API_KEY');
  });

  test('--dir makes the folder', async () => {
    expect((await init('--dir', 'new/site')).code).toBe(0);
    expect(project.files()).toEqual(SITE.map((path) => `new/site/${path}`));
  });
});

describe('luid init in a project', () => {
  beforeEach(() => {
    project.write('package.json', '{ "name": "mine" }');
    project.write('.env', 'OTHER=1 # mine');
  });

  test('writes no site, and adds to .env what it lacks', async () => {
    expect((await init()).code).toBe(0);
    expect(project.files()).toEqual(['.env', 'package.json', 'src/content.config.ts', 'src/space.ts']);
    expect(project.read('.env')).toMatch(/^OTHER=1 # mine\nLUID_BASE_URL=/);
    expect(project.read('package.json')).toBe('{ "name": "mine" }');
  });

  test('a second run has nothing to do, and asks neither for address nor key', async () => {
    await init();
    const { code, stderr } = await project.luid(['init', '--yes']);
    expect(code).toBe(0);
    expect(stderr).toContain('Everything is as it would be written.');
  });

  test('a file that differs is shown and kept: exit code 1', async () => {
    await init();
    const mine = project.read('src/space.ts').replace('field.flexibleText()', 'field.multiline()');
    project.write('src/space.ts', mine);
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(project.read('src/space.ts')).toBe(mine);
    expect(stderr).toMatch(/- +body: field\.multiline\(\).*\n +\+ +body: field\.flexibleText\(\)/);
    expect(stderr).toContain('src/space.ts differs and was kept as it is');
  });

  test('--force replaces it', async () => {
    project.write('src/space.ts', 'mine');
    expect((await init('--force')).code).toBe(0);
    expect(project.read('src/space.ts')).toContain('defineSpace');
  });

  test('another key in .env is kept, and neither is shown', async () => {
    project.write('.env', 'LUID_API_KEY=another-key\n');
    const { code, stderr, stdout } = await init();
    expect(code).toBe(1);
    expect(project.read('.env')).toBe('LUID_API_KEY=another-key\n');
    expect(stderr).toContain('LUID_API_KEY would get another value');
    expect(stderr + stdout).not.toMatch(/another-key|published-key/);
  });

  test('a git repository that would take .env in is told not to', async () => {
    mkdirSync(join(project.folder, '.git'));
    project.write('.gitignore', 'dist');
    const { stderr } = await init();
    expect(project.read('.gitignore')).toBe('dist\n.env\n');
    expect(stderr).toContain('.gitignore (added .env, which holds the key)');
  });

  test('a linked file stays a link', async () => {
    project.write('shared/env', 'OTHER=1\n');
    project.write('.env', '');
    symlinkSync('shared/env', join(project.folder, '.env.link'));
    const { rename } = await import('node:fs/promises');
    await rename(join(project.folder, '.env.link'), join(project.folder, '.env'));
    await init();
    expect(readlinkSync(join(project.folder, '.env'))).toBe('shared/env');
    expect(project.read('shared/env')).toContain(`LUID_API_KEY=${KEY}`);
  });
});

describe('luid init that cannot work', () => {
  const bare = (...args: string[]) => project.luid(['init', ...args]);

  test('a wrong key: exit code 1, the key not shown, and nothing written', async () => {
    const { code, stderr } = await bare('--yes', '--base-url', service.baseUrl, '--api-key', 'secret-wrong');
    expect(code).toBe(1);
    expect(stderr).toMatch(/401 Unauthorized\n {2}→ The key is missing or wrong: check --api-key/);
    expect(stderr).not.toMatch(/secret-wrong|\bat .*\.ts:/);
    expect(project.files()).toEqual([]);
  });

  test('no network: exit code 1 with the address', async () => {
    const { code, stderr } = await bare('--yes', '--base-url', 'http://127.0.0.1:9/v1', '--api-key', KEY);
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:9/v1/contents');
    expect(stderr).toContain('Is the URL right');
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
    const { code, stderr } = await bare('--yes', '--base-url', empty.baseUrl, '--api-key', KEY);
    await empty.close();
    expect(code).toBe(1);
    expect(stderr).toContain('This key sees no content');
  });

  test('a folder that cannot be written: exit code 1, and nothing is left there', async () => {
    project.write('file', 'not a folder');
    const { code, stderr } = await init('--dir', 'file/site');
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be (read|written): ENOTDIR/);
    expect(project.files()).toEqual(['file']);
  });

  test('a place that is taken by a folder: all files or none', async () => {
    project.write('src/content.config.ts/x', '');
    project.write('package.json', '{}');
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(stderr).toContain('content.config.ts');
    expect(project.files()).toEqual(['package.json', 'src/content.config.ts/x']);
  });

  test.each([
    [['--yes'], '--base-url is missing'],
    [['--yes', '--base-url', 'http://127.0.0.1:9/v1'], '--api-key is missing'],
    [[], 'no terminal to ask on'],
    [['--yes', '--models', 'No'], '"No" is no LUID'],
    [['--nope'], '--nope'],
  ])('%j: one clear line and exit code 2', async (args, said) => {
    const { code, stdout, stderr } = await bare(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(stderr).toMatch(/^luid init: [^\n]+\n$/);
  });

  test('an address that is none: exit code 1', async () => {
    const { code, stderr } = await bare('--yes', '--base-url', 'nowhere', '--api-key', KEY);
    expect(code).toBe(1);
    expect(stderr).toContain('baseUrl must be an http(s) URL');
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
