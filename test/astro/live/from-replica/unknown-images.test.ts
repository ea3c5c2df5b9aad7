import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';
import type { AnyLiveLoader } from './fleet/fleet-space.ts';
import { closeSources, refreshAll, resultOf, tagsOf } from './live-site.ts';

const models = {
  article: { title: field.text({ title: true }), cover: field.media({ dimensions: true }) },
  note: { title: field.text({ title: true }) },
} as const;

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let service: Emulator;
let areImagesDown: boolean;
let loader: AnyLiveLoader;
let dir: string;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 2) });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'info').mockImplementation(() => {});
  service = createEmulator(
    {
      keys: [{ key: 'published', reads: 'published' }],
      models,
      media: [901, 902].map((id) => ({ id, file: `${id}.png` })),
      contents: [11, 12].map((id) => ({
        id,
        model: 'article',
        created_at: '2026-01-01T00:00:00Z',
        published: { ja: { title: `item ${id}`, cover: id + 890 } },
      })),
    } as never,
    { origin: 'http://unknown-images.test', rateLimit: false, clock: () => Date.now() },
  );
  areImagesDown = true;
  dir = mkdtempSync(join(tmpdir(), 'astro-luid-images-'));
  const space = defineSpace({
    baseUrl: service.baseUrl,
    assetsUrl: service.assetsUrl,
    apiKey: 'published',
    models,
    cache: { dir },
    network: { retries: 0 },
    fetch: async (...request: [Request]) => {
      const { url } = new Request(...request);
      if (!url.startsWith(service.assetsUrl)) return service.fetch(...request);
      if (areImagesDown) throw new TypeError('fetch failed');
      return new Response(PNG, { headers: { 'content-type': 'image/png' } });
    },
  } as never);
  loader = space.liveLoader('article' as never) as unknown as AnyLiveLoader;
});

afterEach(() => {
  liveSources().hasOutsideCache = false;
  closeSources();
  vi.restoreAllMocks();
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

async function load(id: string) {
  const entry = resultOf(await loader.loadEntry({ filter: { id }, collection: 'articles' } as never));
  const { cover } = entry.data as { cover: { width?: number } };
  return { width: cover.width, tags: tagsOf(entry) };
}

test('an image that can be read with the next change invalidates the pages that show it', async () => {
  const { width, tags } = await load('11');
  expect(width).toBeUndefined();
  areImagesDown = false;
  service.contents.edit(12, { title: 'edited' });
  expect(await refreshAll()).toEqual(expect.arrayContaining([expect.toBeOneOf([...tags])]));
  expect((await load('11')).width).toBe(1);
});

test('an image that is still not readable invalidates nothing, also in a cache outside of the process', async () => {
  liveSources().hasOutsideCache = true;
  const { tags } = await load('11');
  service.contents.create({ model: 'note', published: { ja: { title: 'other' } } });
  const changed = await refreshAll();
  expect(changed).toContain('luid:note');
  expect(changed.filter((tag) => tags.includes(tag) || tag.startsWith('luid:list'))).toEqual([]);
});
