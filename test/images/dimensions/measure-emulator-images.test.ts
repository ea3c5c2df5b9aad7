import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionOptions, createConnection } from '../../../src/client/http/connection.ts';
import type { Emulator } from '../../../src/emulator/index.ts';
import type { AssetReaderOptions } from '../../../src/images/assets/asset-reader.ts';
import { ImageMeasurer } from '../../../src/images/dimensions/image-measurer.ts';
import { openStorage } from '../../../src/replica/store/storage.ts';
import { createTestImages, emulatorWith, type TestImages } from '../test-images.ts';

let images: TestImages;
let service: Emulator;
let dir: string;
let requests: Request[];
let infos: string[];
let warnings: string[];
let hosts = 0;

beforeAll(async () => {
  images = await createTestImages({
    'wide.jpg': { width: 1300, height: 700 },
    'turned.jpg': { width: 500, height: 300, orientation: 6 },
    'high.png': { width: 41, height: 99 },
    'small.webp': { width: 301, height: 200 },
    'small.avif': { width: 64, height: 32 },
  });
  writeFileSync(
    join(images.directory, 'drawing.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>',
  );
  writeFileSync(join(images.directory, 'paper.pdf'), '%PDF-1.7 not an image');
  for (const file of ['drawing.svg', 'paper.pdf'])
    images.media.push({ id: images.media.length + 1, file, alt: { ja: file } });
});
afterAll(() => images?.remove());

beforeEach(() => {
  // One host per test: rate limits are shared per host.
  service = emulatorWith(images, { origin: `http://assets-${++hosts}.test` });
  dir = mkdtempSync(join(tmpdir(), 'astro-luid-sizes-'));
  requests = [];
  infos = [];
  warnings = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const logger = {
  info: (message: string) => void infos.push(message),
  warn: (message: string) => void warnings.push(message),
};

const urlOf = (file: string) => {
  const { id } = images.media.find((media) => media.file === file) ?? { id: 999 };
  return `${service.assetsUrl}/${id}/${file}`;
};

/** A build that shares only the cache folder with others. */
function build(options: Partial<AssetReaderOptions & ConnectionOptions> = {}) {
  const respond = options.fetch ?? service.fetch;
  const measurer = new ImageMeasurer({
    connect: async () =>
      createConnection({
        baseUrl: service.baseUrl,
        apiKey: 'a-secret-key',
        ...options,
        fetch: (input, init) => {
          const request = new Request(input, init);
          requests.push(request);
          return respond(input, init);
        },
      }),
    assetsUrl: service.assetsUrl,
    storage: openStorage({}, dir),
    ...options,
  });
  return async (...files: string[]) =>
    Object.fromEntries(
      [...(await measurer.read(files.map(urlOf), logger)).found].map(([url, { width, height }]) => [
        url.split('/').at(-1),
        `${width}x${height}`,
      ]),
    );
}

describe('the dimensions of an image', () => {
  const FILES = ['wide.jpg', 'turned.jpg', 'high.png', 'small.webp', 'small.avif', 'drawing.svg'];

  test('are read from its first bytes, with EXIF rotation applied', async () => {
    expect(await build()(...FILES)).toEqual({
      'wide.jpg': '1300x700',
      'turned.jpg': '300x500',
      'high.png': '41x99',
      'small.webp': '301x200',
      'small.avif': '64x32',
      'drawing.svg': '30x20',
    });
    expect(warnings).toEqual([]);
    expect(infos).toEqual(['Read the dimensions of 6 images']);
  });

  test('are requested once, by concurrent builds too, and never again', async () => {
    const measure = build();
    await Promise.all([measure(...FILES), measure(...FILES), measure('wide.jpg', 'wide.jpg')]);
    expect(requests).toHaveLength(FILES.length);
    await measure(...FILES);
    const warm = await build()(...FILES);
    expect(requests).toHaveLength(FILES.length);
    expect(Object.keys(warm)).toHaveLength(FILES.length);
  });

  test('are requested without the API key', async () => {
    await build()('wide.jpg');
    for (const { headers } of requests) expect(JSON.stringify([...headers])).not.toContain('a-secret-key');
    expect(requests[0]?.headers.get('range')).toBe('bytes=0-65535');
    expect(requests[0]?.redirect).toBe('manual');
  });

  test('are not requested offline', async () => {
    await build()('wide.jpg');
    const offline = build({ offline: true });
    expect(await offline('wide.jpg', 'high.png')).toEqual({ 'wide.jpg': '1300x700' });
    expect(requests).toHaveLength(1);
  });

  test('are found behind a large profile', async () => {
    // An EXIF segment has at most 64 kB. Here five segments of other data precede the header.
    const plain = await sharp({ create: { width: 77, height: 55, channels: 3, background: '#123' } })
      .jpeg()
      .toBuffer();
    const part = Buffer.concat([Buffer.from([0xff, 0xef, 0xff, 0xff]), Buffer.alloc(65_533, 1)]);
    const bytes = Buffer.concat([plain.subarray(0, 2), part, part, part, part, part, plain.subarray(2)]);
    let sent = 0;
    const partial: typeof fetch = async (_input, init) => {
      const [, end = ''] = /bytes=0-(\d+)/.exec(new Headers(init?.headers).get('range') ?? '') ?? [];
      const slice = bytes.subarray(0, Number(end) + 1);
      sent += slice.length;
      return new Response(new Uint8Array(slice), { status: 206 });
    };
    expect(await build({ fetch: partial })('wide.jpg')).toEqual({ 'wide.jpg': '77x55' });
    expect(requests).toHaveLength(2);
    // A service without range requests sends everything; reading stops at the header.
    const whole: typeof fetch = async () => new Response(new Uint8Array(bytes));
    expect(await build({ fetch: whole, storage: undefined })('wide.jpg')).toEqual({ 'wide.jpg': '77x55' });
    expect(requests).toHaveLength(3);
    expect(sent).toBeLessThan(64 * 1024 + bytes.length + 1);
  });

  test('of an endless response are given up, and the response is cancelled', async () => {
    let ended = false;
    let sent = 0;
    const endless: typeof fetch = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536));
          },
          cancel() {
            ended = true;
          },
        }),
      );
    expect(await build({ fetch: endless })('wide.jpg')).toEqual({});
    expect(ended).toBe(true);
    expect(sent).toBeLessThan(2 * 1024 * 1024);
  });
});

describe('images whose dimensions cannot be read', () => {
  test('cause one warning, and the next build retries those that could not be reached', async () => {
    expect(await build()('wide.jpg', 'paper.pdf', 'gone.jpg')).toEqual({ 'wide.jpg': '1300x700' });
    expect(warnings).toEqual([
      '2 images have no dimensions; the next build retries those that could not be reached:' +
        `\n  ${urlOf('paper.pdf')} is not a readable image\n  ${urlOf('gone.jpg')} responded with 404`,
    ]);
    requests = [];
    await build()('wide.jpg', 'paper.pdf', 'gone.jpg');
    expect(requests.map(({ url }) => url)).toEqual([urlOf('gone.jpg')]);
  });

  test.each([['reset'], [{ status: 503 }], [{ status: 429, retryAfter: 1 }]] as const)(
    'because of a temporary error are retried: %j',
    async (kind) => {
      service.faults.add({ kind, times: 2 });
      expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
      expect(warnings).toEqual([]);
      expect(requests).toHaveLength(3);
    },
  );

  test('because of permanent errors are given up', async () => {
    service.faults.add({ kind: { status: 500 }, times: 99 });
    expect(await build()('wide.jpg')).toEqual({});
    expect(requests).toHaveLength(3);
    expect(warnings.join()).toContain('responded with 500');
  });

  test('because of a timeout are given up', async () => {
    service.faults.add({ kind: 'stall', times: 99 });
    expect(await build({ network: { timeout: 50, retries: 0 } })('wide.jpg')).toEqual({});
    expect(warnings.join()).toContain('did not respond in time');
  });

  test('because of a redirect are not requested at its target', async () => {
    const redirect: typeof fetch = async () =>
      new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/secret' } });
    expect(await build({ fetch: redirect })('wide.jpg')).toEqual({});
    expect(requests.map(({ url }) => url)).toEqual([urlOf('wide.jpg')]);
  });
});

describe('a thousand images', () => {
  const MANY = Array.from({ length: 1_000 }, (_, index) => `image-${index}.jpg`);
  const respondWith = (body: () => Promise<Response>) => {
    const seen = { now: 0, most: 0 };
    const respond: typeof fetch = async () => {
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await new Promise((resolve) => setImmediate(resolve));
      seen.now -= 1;
      return body();
    };
    return { seen, respond };
  };

  test.each([
    [undefined, 16],
    [3, 3],
  ])(
    'are requested once each, within the limits, with progress (concurrency %s)',
    async (concurrency, most) => {
      let time = 0;
      const clock = { now: () => (time += 10), sleep: () => new Promise<void>(() => {}) };
      const bytes = readFileSync(join(images.directory, 'wide.jpg'));
      const { seen, respond } = respondWith(async () => new Response(new Uint8Array(bytes)));
      const network = concurrency === undefined ? {} : { concurrency };
      expect(Object.keys(await build({ fetch: respond, clock, network })(...MANY))).toHaveLength(1_000);
      expect(seen.most).toBe(most);
      expect(requests).toHaveLength(1_000);
      expect(infos.length).toBeGreaterThan(2);
      expect(infos[0]).toMatch(/^Read the dimensions of \d+ of 1,000 images \(\d+ %\)$/);
      expect(infos.at(-1)).toBe('Read the dimensions of 1,000 images');
      await build({ fetch: respond })(...MANY);
      expect(requests).toHaveLength(1_000);
    },
  );

  test('of an unreachable host do not delay the build', async () => {
    const { respond } = respondWith(() => Promise.reject(new TypeError('fetch failed')));
    expect(await build({ fetch: respond, network: { retries: 0 } })(...MANY)).toEqual({});
    expect(requests.length).toBeLessThan(60);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('1,000 images have no dimensions');
    expect(warnings[0]).toContain('and 995 more');
  });
});

describe('the stored dimensions', () => {
  const files = () => readdirSync(join(dir, 'sizes-v4')).map((name) => join(dir, 'sizes-v4', name));

  test('are ignored if they are damaged', async () => {
    await build()('wide.jpg');
    for (const file of files()) writeFileSync(file, readFileSync(file, 'utf8').slice(0, -8));
    expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
    expect(requests).toHaveLength(2);
  });

  test('are ignored if they were written without the key', async () => {
    await build()('wide.jpg');
    const text = `9x90000 jpg ${urlOf('wide.jpg')}`;
    for (const file of files()) rmSync(file);
    writeFileSync(join(dir, 'sizes-v4', createHash('sha256').update(text).digest('hex')), text);
    expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
  });

  test('of two concurrent builds are both kept', async () => {
    await Promise.all([build()('wide.jpg'), build()('high.png')]);
    requests = [];
    expect(await build()('wide.jpg', 'high.png')).toEqual({ 'wide.jpg': '1300x700', 'high.png': '41x99' });
    expect(requests).toEqual([]);
  });

  test('stay in few files after many builds', async () => {
    const bytes = readFileSync(join(images.directory, 'wide.jpg'));
    const respond: typeof fetch = async () => new Response(new Uint8Array(bytes));
    const names = Array.from({ length: 30 }, (_, index) => `image-${index}.jpg`);
    for (const name of names) await build({ fetch: respond })(name);
    expect(files().length).toBeLessThan(10);
    requests = [];
    expect(Object.keys(await build({ fetch: respond })(...names))).toHaveLength(30);
    expect(requests).toEqual([]);
  });

  test('do not fail the build if the cache cannot be used', async () => {
    writeFileSync(join(dir, 'sizes-v4'), 'in the way');
    expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
    expect(warnings.join()).toMatch(/cannot be (read|stored)/);
  });
});
