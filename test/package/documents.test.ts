import { globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deadLinks } from '../docs/links.ts';
import { run } from '../support/run-command.ts';
import { createFolder, pack } from './pack.ts';

/** Links to files of the repository that are not for users of the package. */
const IN_REPOSITORY_ONLY = new Map([
  ['docs/comparison.md', ['../test/bench/RESULTS.md']],
  ['docs/guides/hosts.md', ['../../test/bench/RESULTS.md#hosts', '../../test/bench/RESULTS.md#hosts']],
]);

/** Translated guides would make the package too large. Links to them work where the repository is, and on the site. */
const UNPACKED_GUIDES = /^docs\/ja\/guides\//;

const { folder, remove } = createFolder();
const unpacked = join(folder, 'package');
beforeAll(async () => {
  await run('tar', ['-xzf', await pack(folder)], { cwd: folder });
});
afterAll(remove);

const documents = () => globSync('docs/**/*.md', { cwd: unpacked }).map((name) => name.replaceAll('\\', '/'));

/** Dead links, except images: these are shown where the repository is, by npm too, and their text says what they show. */
const deadPages = (document: string) =>
  deadLinks(unpacked, document).filter(
    (link) =>
      !/assets\/[a-z]+\.webp$/.test(link) && !UNPACKED_GUIDES.test(posix.join(posix.dirname(document), link)),
  );

test('every link in the README and the changelog leads to a file of the package', () => {
  const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
  expect(readme.match(/\]\(\.\//g)?.length).toBeGreaterThan(30);
  expect(deadPages('README.md')).toEqual([]);
  expect(deadPages('CHANGELOG.md')).toEqual([]);
});

test('every link in the documentation leads to a file of the package', () => {
  expect(documents().length).toBeGreaterThan(45);
  for (const document of documents()) {
    expect(deadPages(document), document).toEqual(IN_REPOSITORY_ONLY.get(document) ?? []);
  }
});

test('the package contains the text of the documentation, without its images and its site', () => {
  const files = globSync('docs/**/*', { cwd: unpacked }).filter((name) =>
    statSync(join(unpacked, name)).isFile(),
  );
  expect(files.filter((name) => !name.endsWith('.md'))).toEqual([]);
});

test('the packed package has at most 1 MiB', () => {
  const [tarball = ''] = globSync('*.tgz', { cwd: folder });
  expect(statSync(join(folder, tarball)).size).toBeLessThan(2 ** 20);
});

test('declarations are rolled up: one file per entry point, and what these share', () => {
  const declarations = globSync('dist/**/*.d.ts', { cwd: unpacked });
  expect(declarations.length).toBeLessThan(30);
});

test('the README has less than 250 lines', () => {
  expect(readFileSync(join(unpacked, 'README.md'), 'utf8').split('\n').length).toBeLessThan(250);
});
