import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deadLinks } from '../docs/links.ts';
import { run } from '../support/run-command.ts';
import { createFolder, pack } from './pack.ts';

/** Links to files of the repository that are not for users of the package. */
const IN_REPOSITORY_ONLY = new Map([['docs/comparison.md', ['../test/bench/RESULTS.md']]]);

const { folder, remove } = createFolder();
const unpacked = join(folder, 'package');
beforeAll(async () => {
  await run('tar', ['-xzf', await pack(folder)], { cwd: folder });
});
afterAll(remove);

const documents = () => globSync('docs/**/*.md', { cwd: unpacked }).map((name) => name.replaceAll('\\', '/'));

test('every link in the README leads to a file of the package', () => {
  const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
  expect(readme.match(/\]\(\.\//g)?.length).toBeGreaterThan(30);
  expect(deadLinks(unpacked, 'README.md')).toEqual([]);
});

test('every link in the documentation leads to a file of the package', () => {
  expect(documents().length).toBeGreaterThan(45);
  for (const document of documents()) {
    expect(deadLinks(unpacked, document), document).toEqual(IN_REPOSITORY_ONLY.get(document) ?? []);
  }
});

test('the package contains the documentation only, without the site, in less than 2 MB', () => {
  const files = globSync('docs/**/*', { cwd: unpacked }).filter((name) =>
    statSync(join(unpacked, name)).isFile(),
  );
  expect(files.filter((name) => !/\.(?:md|webp)$/.test(name))).toEqual([]);
  const bytes = files.reduce((sum, name) => sum + statSync(join(unpacked, name)).size, 0);
  expect(bytes).toBeLessThan(2_000_000);
});

test('the README has less than 250 lines', () => {
  expect(readFileSync(join(unpacked, 'README.md'), 'utf8').split('\n').length).toBeLessThan(250);
});
