import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { createSite, type Site } from './site.ts';

let service: RunningEmulator;
let site: Site;

const env = (...lines: string[]) => ({
  '.env': [`LUID_BASE_URL=${service.baseUrl}`, 'LUID_API_KEY=published-key', ...lines, ''].join('\n'),
});

beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
  site = createSite(
    {
      'src/space.ts': `
        import { defineSpace, field } from 'astro-luid';
        export const space = defineSpace({ space: '_parent', models: { article: { title: field.text(), slug: field.text() } } });`,
      'src/content.config.ts': `
        import { defineCollection } from 'astro:content';
        import { space } from './space.ts';
        export const collections = {
          articles: defineCollection({ loader: space.loader('article', { id: 'slug' }) }),
          others: defineCollection({ loader: space.loader('article') }),
        };`,
      ...env(),
    },
    {},
  );
  await site.astro(['sync']);
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});
beforeEach(() => service.clearLog());

const OFFLINE = /offline \(LUID_OFFLINE\): using cached content of _parent, at most \d+ \w+ old/g;

test.each([
  ['in .env', ['LUID_OFFLINE=true'], {}],
  ['in the environment', [], { LUID_OFFLINE: 'yes' }],
])(
  'LUID_OFFLINE %s loads from the cache, requests nothing, and logs once how old it is',
  async (_, lines, variables) => {
    site.write(env(...lines));
    const log = await site.astro(['sync'], variables);
    expect(service.log).toEqual([]);
    expect(log.match(OFFLINE)).toHaveLength(1);
  },
);

test('LUID_OFFLINE in the environment overrides .env', async () => {
  site.write(env('LUID_OFFLINE=true'));
  const log = await site.astro(['sync'], { LUID_OFFLINE: '0' });
  expect(log).not.toContain('offline');
  expect(service.log.length).toBeGreaterThan(0);
});

test.each([
  [['LUID_VERIFY=true'], {}],
  [[], { LUID_VERIFY: '1' }],
])('LUID_VERIFY reads everything past the CDN, by %j or %j', async (lines, variables) => {
  const isFresh = () => service.log.some(({ query }) => query.includes('_created_at%5Blte%5D'));
  site.write(env());
  await site.astro(['sync']);
  expect(isFresh()).toBe(false);
  site.write(env(...lines));
  await site.astro(['sync'], variables);
  expect(isFresh()).toBe(true);
});

test('a value that is neither on nor off is an error', async () => {
  site.write(env('LUID_OFFLINE=ture'));
  await expect(site.astro(['sync'])).rejects.toThrow(
    /LUID_OFFLINE must be on or off, got 'ture'[\s\S]*Set it to one of 1, true, yes, on/,
  );
});

test('without a cache, LUID_OFFLINE is an error with a hint', async () => {
  rmSync(join(site.folder, 'node_modules/.astro'), { recursive: true, force: true });
  site.write(env('LUID_OFFLINE=1'));
  await expect(site.astro(['sync'])).rejects.toThrow(/LUID_OFFLINE is set, but/);
  expect(service.log).toEqual([]);
});
