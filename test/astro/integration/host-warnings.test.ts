import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createStorage } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { type Host, hostWarnings } from '../../../src/astro/integration/host-warnings.ts';
import { field } from '../../../src/index.ts';

const models = { article: { title: field.text(), cover: field.media() } };
const storage = createStorage();

/** The warnings of a site with live collections and a shared storage, unless its options say otherwise. */
function warningsOf(
  adapter: string | undefined,
  more: Partial<Host> = {},
  files: Record<string, string> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-host-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const root = pathToFileURL(`${folder}/`);
  const space = { models, settings: { cache: { storage } } } as unknown as Host['space'];
  return hostWarnings({ adapter, root, isLive: true, hasMemoryCache: false, space, options: {}, ...more });
}
const without = { models, settings: {} } as unknown as Host['space'];

test('other hosts have no warnings', () => {
  expect(warningsOf(undefined, { space: without, options: { revalidate: true, preview: true } })).toEqual([]);
  expect(warningsOf('@astrojs/node', { space: without, options: { revalidate: true } })).toEqual([]);
});

describe('on Cloudflare', () => {
  const missing = expect.stringContaining('add "nodejs_compat" to `compatibility_flags`');

  test.each<[string, Record<string, string>, boolean]>([
    ['no file', {}, true],
    ['another flag', { 'wrangler.jsonc': '{ "compatibility_flags": ["nodejs_als"] }' }, true],
    ['a comment', { 'wrangler.jsonc': '{\n  // "nodejs_compat"\n}' }, true],
    ['a comment in TOML', { 'wrangler.toml': '# compatibility_flags = ["nodejs_compat"]' }, true],
    ['the flag', { 'wrangler.jsonc': '{ "compatibility_flags": ["nodejs_compat"] }' }, false],
    ['the flag in JSON', { 'wrangler.json': '{\n"compatibility_flags": [\n"nodejs_compat_v2"]}' }, false],
    ['the flag in TOML', { 'wrangler.toml': "compatibility_flags = ['nodejs_compat']" }, false],
  ])('the flag for modules of Node is missing in %s: %o', (_, files, isMissing) => {
    for (const options of [{ revalidate: true }, { preview: true }]) {
      expect(warningsOf('@astrojs/cloudflare', { options }, files)).toEqual(isMissing ? [missing] : []);
    }
    expect(warningsOf('@astrojs/cloudflare', {}, files)).toEqual([]);
  });

  test('live collections need a storage', () => {
    const needsStorage = expect.stringContaining('set `cache: { storage }` in defineSpace()');
    expect(warningsOf('@astrojs/cloudflare', { space: without })).toEqual([needsStorage]);
    expect(warningsOf('@astrojs/cloudflare', { space: without, isLive: false })).toEqual([]);
  });
});

test.each(['@astrojs/netlify', '@astrojs/vercel'])('functions of %s need a shared storage', (adapter) => {
  expect(warningsOf(adapter)).toEqual([]);
  expect(warningsOf(adapter, { space: without, isLive: false })).toEqual([]);
  expect(warningsOf(adapter, { space: without })).toEqual([
    expect.stringContaining('Each new function starts with the content of the build'),
  ]);
});

test.each([
  ['@astrojs/netlify', 'cacheNetlify()'],
  ['@astrojs/vercel', 'cacheVercel()'],
  ['@astrojs/cloudflare', 'cacheCloudflare()'],
])('%s needs a cache of pages that is not in memory', (adapter, provider) => {
  const files = { 'wrangler.jsonc': '{ "compatibility_flags": ["nodejs_compat"] }' };
  const options = { revalidate: true };
  expect(warningsOf(adapter, { options }, files)).toEqual([]);
  expect(warningsOf(adapter, { hasMemoryCache: true }, files)).toEqual([]);
  expect(warningsOf(adapter, { options, hasMemoryCache: true }, files)).toEqual([
    expect.stringContaining(`use \`${provider}\` from ${adapter}/cache`),
  ]);
  expect(warningsOf('@astrojs/node', { options, hasMemoryCache: true })).toEqual([]);
});
