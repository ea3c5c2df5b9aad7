import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs-lite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LazyLiveSource } from '../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../src/astro/live/live-sources.ts';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { landscape } from '../images/drawn-images.ts';
import { until } from '../support/until.ts';

const models = {
  article: {
    title: field.text({ title: true }),
    cover: field.media({ dimensions: true, placeholder: true }),
    body: field.flexibleText({ images: true }),
  },
} as const;

const CHILD = fileURLToPath(new URL('edge-images-child.ts', import.meta.url));

/** An entry as a Worker shows it. */
interface Shown {
  readonly data: { readonly cover: Record<string, unknown>; readonly body: string };
  readonly digest: string;
  readonly cacheHint: { readonly tags: readonly string[] };
  readonly error?: string;
  readonly requested: readonly string[];
}

let images: string;
let base: string;
let service: RunningEmulator;
let worker: ChildProcess | undefined;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  images = mkdtempSync(join(tmpdir(), 'astro-luid-edge-images-'));
  base = mkdtempSync(join(tmpdir(), 'astro-luid-edge-storage-'));
  await landscape().toFile(join(images, 'landscape.jpg'));
  service = await startEmulator(
    {
      keys: [{ key: 'published', reads: 'published' }],
      models: {
        article: {
          title: { type: 'text', title: true },
          cover: { type: 'media' },
          body: { type: 'flexible_text' },
        },
      },
      media: [{ id: 900, file: 'landscape.jpg' }],
      contents: [
        {
          id: 1,
          model: 'article',
          created_at: '2026-01-01T00:00:00Z',
          published: { ja: { title: 'One', cover: 900 } },
        },
      ],
    } as never,
    { directory: images, rateLimit: false },
  );
  service.contents.edit(1, { body: `<p><img src="${service.assetsUrl}/900/landscape.jpg"></p>` });
});
afterEach(async () => {
  worker?.kill();
  worker = undefined;
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
  vi.restoreAllMocks();
  await service.close();
  for (const folder of [images, base]) rmSync(folder, { recursive: true, force: true });
});

const options = () => ({
  baseUrl: service.baseUrl,
  assetsUrl: service.assetsUrl,
  apiKey: 'published',
  models,
  network: { retries: 0 },
});

/** A server on Node stores the content, and what it knows of its images. */
async function serveOnNode({ areImagesDown = false } = {}): Promise<Shown> {
  const space = defineSpace({
    ...options(),
    cache: { storage: createStorage({ driver: fsDriver({ base }) }) },
    fetch: async (...request: Parameters<typeof fetch>) => {
      if (areImagesDown && new Request(...request).url.startsWith(service.assetsUrl)) {
        throw new TypeError('fetch failed');
      }
      return fetch(...request);
    },
  });
  const loader = space.liveLoader('article');
  return (await loader.loadEntry({ filter: { id: '1' }, collection: 'articles' })) as never;
}

async function request(): Promise<Shown> {
  worker ??= fork(CHILD, [JSON.stringify({ ...options(), base })], {
    execArgv: ['--conditions=workerd'],
    serialization: 'advanced',
    silent: true,
  });
  const response = once(worker, 'message');
  worker.send('1');
  const [shown] = await response;
  return shown;
}

test('a Worker shows the dimensions and placeholders that others have stored, and requests none', async () => {
  const onNode = await serveOnNode();
  expect(onNode.data.cover).toMatchObject({ width: 900, height: 600, placeholder: { hasAlpha: false } });
  const { data, requested, error } = await request();
  expect([error, requested]).toEqual([undefined, []]);
  expect(data).toEqual(onNode.data);
  expect(data.body).toContain('width="900" height="600"');
});

test('an image that is not known yet is shown without them, until they are stored', async () => {
  await serveOnNode({ areImagesDown: true });
  const { data, error } = await request();
  expect([error, data.cover.width, data.cover.placeholder]).toEqual([undefined, undefined, null]);
  await serveOnNode();
  const shown = await until(async () => {
    const found = await request();
    return found.data.cover.width === undefined ? undefined : found;
  });
  expect(shown?.data.cover).toMatchObject({ width: 900, height: 600, placeholder: { hasAlpha: false } });
});
