import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { releaseNotes } from '../../scripts/release/changelog.mjs';
import { missingFields } from '../../scripts/release/missing-fields.mjs';
import { isInRegistry } from '../../scripts/release/registry.mjs';
import { PACKAGE_VERSION } from '../../src/shared/package-version.ts';
import { run } from '../support/run-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const manifest = read('package.json');

const COMPLETE = {
  name: 'a',
  author: 'The authors',
  license: 'MIT',
  repository: { type: 'git', url: 'git+https://git.site.dev/a/b.git' },
  homepage: 'https://site.dev',
  bugs: { url: 'https://git.site.dev/a/b/issues' },
  publishConfig: { provenance: true },
};

test('a complete package.json can be published', () => {
  expect(missingFields(COMPLETE)).toEqual([]);
});

test.each([
  ['author', undefined, 'package.json has no author: npm shows it.'],
  [
    'repository',
    undefined,
    'package.json has no repository: npm verifies provenance with it, and resolves the links of the README.',
  ],
  ['homepage', '', 'package.json has no homepage: npm links to it.'],
  ['bugs', undefined, 'package.json has no bugs: npm links to it.'],
  ['homepage', 'https://example.com', 'homepage in package.json is not an https URL: "https://example.com"'],
  ['repository', 'a/b', 'repository in package.json is not an https URL: "a/b"'],
  ['bugs', {}, 'bugs in package.json is not an https URL: {}'],
  ['private', true, 'package.json is private.'],
  ['publishConfig', { access: 'public' }, 'package.json has no publishConfig.provenance.'],
])('%s: %j is reported', (name, value, problem) => {
  expect(missingFields({ ...COMPLETE, [name]: value })).toEqual([problem]);
});

test('only URLs that do not exist yet are missing in package.json', () => {
  const missing = missingFields(manifest).filter(
    (problem) => !/no (repository|homepage|bugs):/.test(problem),
  );
  expect(missing).toEqual([]);
  expect(manifest.author).toBe('The astro-luid authors');
});

test('a version is in the registry if npm prints it, and other errors are not taken for a missing version', () => {
  expect(isInRegistry({ code: 0, output: 'npm warn something\n1.2.0\n' }, '1.2.0')).toBe(true);
  expect(isInRegistry({ code: 0, output: '' }, '1.2.0')).toBe(false);
  expect(isInRegistry({ code: 1, output: 'npm error code E404' }, '1.2.0')).toBe(false);
  expect(() => isInRegistry({ code: 1, output: 'npm error code ENOTFOUND' }, '1.2.0')).toThrow('ENOTFOUND');
});

test('the notes of a release are its section of the changelog', () => {
  const changelog = '# a\n\n## 1.2.0\n\n### Minor Changes\n\n- New\n\n## 1.1.0\n\n- Old\n';
  expect(releaseNotes(changelog, '1.2.0')).toBe('### Minor Changes\n\n- New');
  expect(releaseNotes(changelog, '1.1.0')).toBe('- Old');
  expect(releaseNotes(changelog, '1.2')).toBeUndefined();
});

test('the code knows this version', () => {
  expect(PACKAGE_VERSION).toBe(manifest.version);
});

// A caret range of 0.x does not contain the next minor version: `npm version` updates them.
test.each(readdirSync(join(ROOT, 'examples')))('examples/%s installs this version', (name) => {
  expect(read(`examples/${name}/package.json`).dependencies['astro-luid']).toBe(`^${manifest.version}`);
});

describe('in a repository', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'astro-luid-release-'));
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }

  /** Runs `npm run release:check` with these files. */
  function check(files: Record<string, string>): Promise<string> {
    write(files);
    return run(process.execPath, ['scripts/release-check.mjs'], { cwd: folder });
  }

  test('npm run release:check fails, and names everything that is missing', async () => {
    const { repository, homepage, bugs, ...rest } = COMPLETE;
    const result = check({
      'package.json': JSON.stringify({ ...rest, version: '1.2.0' }),
      'CHANGELOG.md': '## Unreleased\n\n- New\n\n## 1.1.0\n\n- Old',
    });
    const error: Error = await result.then(expect.unreachable, (reason) => reason);
    for (const missing of [
      'no repository',
      'no homepage',
      'no bugs',
      'not part of a version',
      'no section 1.2.0',
    ])
      expect(error.message).toContain(missing);
    expect(error.message).toContain('ended with 1');
  });

  test('npm run release:check passes if nothing is missing', async () => {
    const output = await check({
      'package.json': JSON.stringify({ ...COMPLETE, version: '1.2.0' }),
      'CHANGELOG.md': '## 1.2.0\n\n- New',
    });
    expect(output).toBe('✓ a 1.2.0 can be published.\n');
  });

  test('npm version makes a version of what is unreleased, in one commit', async () => {
    const git = (...args: string[]) => run('git', args, { cwd: folder });
    const examples = ['examples/a/package.json', 'examples/b/package.json'];
    write({
      'package.json': JSON.stringify({
        name: 'a',
        version: '0.1.0',
        scripts: { version: manifest.scripts.version },
      }),
      'CHANGELOG.md': '# a\n\n## Unreleased\n\n- New\n\n## 0.1.0\n\n- Old\n',
      ...Object.fromEntries(examples.map((file) => [file, '{ "dependencies": { "astro-luid": "^0.1.0" } }'])),
      'src/shared/package-version.ts': "export const PACKAGE_VERSION = '0.1.0';\n",
    });
    await git('init', '--quiet');
    await git('config', 'user.name', 'A');
    await git('config', 'user.email', 'a@site.dev');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    await run('npm', ['version', 'minor'], { cwd: folder });
    expect(await git('status', '--short')).toBe('');
    expect(await git('show', 'HEAD:CHANGELOG.md')).toBe('# a\n\n## 0.2.0\n\n- New\n\n## 0.1.0\n\n- Old\n');
    for (const file of examples)
      expect(await git('show', `HEAD:${file}`)).toContain('"astro-luid": "^0.2.0"');
    expect(await git('show', 'HEAD:src/shared/package-version.ts')).toContain("VERSION = '0.2.0'");
    await expect(run('npm', ['version', 'minor'], { cwd: folder })).rejects.toThrow('## Unreleased');
  });
});
