import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySite, type SiteCopy } from '../../../src/cli/audit-build/site-copy.ts';
import { createProject } from '../support/cli-project.ts';

const workspace = mkdtempSync(join(realpathSync(tmpdir()), 'astro-luid-workspace-'));
const project = join(workspace, 'apps/site');
let copy: SiteCopy;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

beforeAll(() => {
  write('package.json', '{}');
  write('node_modules/hoisted/index.js', '');
  write('shared/words.js', 'shared');
  write('.git/HEAD', '');
  write('apps/site/package.json', '{}');
  write('apps/site/src/pages/index.astro', 'page');
  write('apps/site/.env', 'SECRET=1');
  write('apps/site/dist/index.html', '');
  write('apps/site/node_modules/own/index.js', '');
  write('apps/site/node_modules/.astro/data-store.json', '');
  write('apps/site/node_modules/.astro/astro-luid/manifest', 'synced');
  symlinkSync('../../shared', join(project, 'linked'));
  copy = copySite(project);
});
afterAll(() => {
  copy?.remove();
  rmSync(workspace, { recursive: true, force: true });
});

test('a copy has the files of the project, but nothing that builds make', () => {
  expect(readFileSync(join(copy.root, 'src/pages/index.astro'), 'utf8')).toBe('page');
  expect(existsSync(join(copy.root, '.env'))).toBe(true);
  expect(lstatSync(join(copy.root, 'src')).isSymbolicLink()).toBe(false);
  expect([copy.outDir, copy.cacheDir].some(existsSync)).toBe(false);
});

test('packages and relative paths resolve as in the workspace', () => {
  const { resolve } = createRequire(join(copy.root, 'package.json'));
  expect(realpathSync(resolve('own'))).toBe(join(project, 'node_modules/own/index.js'));
  expect(realpathSync(resolve('hoisted'))).toBe(join(workspace, 'node_modules/hoisted/index.js'));
  expect(readFileSync(join(copy.root, '../../shared/words.js'), 'utf8')).toBe('shared');
  expect(readFileSync(join(copy.root, 'linked/words.js'), 'utf8')).toBe('shared');
});

test('what builds write to is outside of the project', () => {
  for (const folder of [copy.root, copy.outDir, dirname(copy.cacheDir), copy.exchange]) {
    const existing = existsSync(folder) ? folder : dirname(folder);
    expect(realpathSync(existing).startsWith(`${workspace}/`)).toBe(false);
  }
  expect(existsSync(join(copy.root, '../../.git'))).toBe(false);
});

test('content that the site has synced is copied', () => {
  expect(readFileSync(join(copy.exchange, 'cache/manifest'), 'utf8')).toBe('synced');
});

test('a removed copy leaves the project as it is', () => {
  const other = copySite(project);
  other.remove();
  expect(existsSync(other.root)).toBe(false);
  expect(readdirSync(join(workspace, 'shared'))).toEqual(['words.js']);
  expect(readdirSync(join(project, 'node_modules')).sort()).toEqual(['.astro', 'own']);
});

test('a copy that cannot be made is an error of the command (2), not a page that stays old (1)', async () => {
  const site = createProject();
  try {
    site.install();
    const missing = join(workspace, 'missing');
    const { code, stderr } = await site.luid(['audit-build'], { TMPDIR: missing, TEMP: missing });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^luid audit-build: Cannot copy the site: ENOENT.*\n {2}→ .*writable folder/);
  } finally {
    site.remove();
  }
});
