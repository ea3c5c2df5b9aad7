import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPreviewedPages } from '../../../src/astro/integration/preview-page-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'astro-luid-pages-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const CALL = "const entry = Astro.props.entry ?? (await space.getPreviewEntry(Astro, 'article'));";

function find(files: Record<string, string>, output: 'static' | 'server' = 'static') {
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `---\n${code}\n---\n`);
  }
  const url = pathToFileURL(`${root}/`);
  return findPreviewedPages({ root: url, srcDir: new URL('src/', url), output });
}

test('finds prerendered pages that call getPreviewEntry, with the patterns that Astro gives them', () => {
  const pages = find({
    'src/pages/index.astro': CALL,
    'src/pages/articles/[id].astro': CALL,
    'src/pages/[...lang]/news/index.astro': CALL,
    'src/pages/[...path].astro': CALL,
    'src/pages/about.astro': 'const x = 1;',
    'src/pages/_draft.astro': CALL,
    'src/pages/_parts/a.astro': CALL,
    'src/components/A.astro': CALL,
  });
  expect(pages).toEqual({
    '/': 'src/pages/index.astro',
    '/articles/[id]': 'src/pages/articles/[id].astro',
    '/[...lang]/news': 'src/pages/[...lang]/news/index.astro',
    '/[...path]': 'src/pages/[...path].astro',
  });
});

test('pages that are rendered on demand are not among them', () => {
  const files = {
    'src/pages/a.astro': CALL,
    'src/pages/b.astro': `export const prerender = false;\n${CALL}`,
    'src/pages/c.astro': `export const prerender = true;\n${CALL}`,
  };
  expect(Object.keys(find(files))).toEqual(['/a', '/c']);
  expect(Object.keys(find(files, 'server'))).toEqual(['/c']);
});

test('a site without pages has none', () => {
  expect(find({})).toEqual({});
});
