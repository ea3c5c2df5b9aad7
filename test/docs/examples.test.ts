import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const [EXAMPLE, PLAYGROUND] = [join(ROOT, 'examples/live/src'), join(ROOT, 'playground/src')];
/** What the two sites do differently: how content is loaded, the heads of pages, and what follows from it. */
const DIFFERENT =
  /^(pages|space|stories|languages|live\.config|layouts\/Page|components\/(?:Head|Listing))\b/;

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(folder, name)).isFile());

const read = (folder: string, name: string) =>
  // A sitemap is made by a build.
  readFileSync(join(folder, name), 'utf8').replace(/^<link rel="sitemap".*\n/m, '');

// The example is installed on its own, so it has copies.
test('examples/live looks like the playground: cp playground/src/… examples/live/src/…', () => {
  const shared = filesOf(EXAMPLE).filter(
    (name) => !DIFFERENT.test(name) && existsSync(join(PLAYGROUND, name)),
  );
  expect(shared.length).toBeGreaterThan(20);
  for (const name of shared) expect(read(EXAMPLE, name), name).toBe(read(PLAYGROUND, name));
});
