import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/cli/shared/open-cache.ts';
import { defineSpace, field } from '../../../src/index.ts';

const models = { note: { title: field.text() } };

test.each([
  ['the default', {}, undefined, 'node_modules/.astro/astro-luid'],
  ['--cache-dir', {}, '.cache', '.cache/astro-luid'],
  ['cache.dir', { cache: { dir: '.content' } }, '.cache', '.content'],
])('%s is relative to the project folder', async (_, options, cacheDir, expected) => {
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-cache-'));
  try {
    const cache = await openCache(defineSpace({ models, ...options }), dir, cacheDir);
    await cache.storage.setItemRaw('stored', 'value');
    expect(existsSync(join(dir, expected, 'stored'))).toBe(true);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
