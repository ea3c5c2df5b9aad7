import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionOptions, createConnection } from '../../src/client/http/connection.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { openSizes, type SizesOptions } from '../../src/images/dimensions/dimensions.ts';
import { openStorage } from '../../src/replica/store/storage.ts';
import { drawGallery, type Gallery, galleryService } from './gallery.ts';

let gallery: Gallery;
let service: Emulator;
let dir: string;
let asked: Request[];
let infos: string[];
let warnings: string[];
let hosts = 0;

beforeAll(async () => {
  gallery = await drawGallery({
    'wide.jpg': { width: 1300, height: 700 },
    'turned.jpg': { width: 500, height: 300, orientation: 6 },
    'high.png': { width: 41, height: 99 },
    'small.webp': { width: 301, height: 200 },
    'small.avif': { width: 64, height: 32 },
  });
  writeFileSync(
    join(gallery.directory, 'drawing.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>',
  );
  writeFileSync(join(gallery.directory, 'paper.pdf'), '%PDF-1.7 no picture');
  for (const file of ['drawing.svg', 'paper.pdf'])
    gallery.media.push({ id: gallery.media.length + 1, file, alt: { ja: file } });
});
afterAll(() => gallery?.remove());

beforeEach(() => {
  // A host of its own for each, since its limits are shared by all who use it.
  service = galleryService(gallery, { origin: `http://assets-${++hosts}.test` });
  dir = mkdtempSync(join(tmpdir(), 'astro-luid-sizes-'));
  asked = [];
  infos = [];
  warnings = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const logger = {
  info: (message: string) => void infos.push(message),
  warn: (message: string) => void warnings.push(message),
};

const urlOf = (file: string) => {
  const { id } = gallery.media.find((media) => media.file === file) ?? { id: 999 };
  return `${service.assetsUrl}/${id}/${file}`;
};

/** A build of its own: it shares the folder with others, and nothing else. */
function build(options: Partial<SizesOptions & ConnectionOptions> = {}) {
  const answer = options.fetch ?? service.fetch;
  const sizes = openSizes({
    connect: async () =>
      createConnection({
        baseUrl: service.baseUrl,
        apiKey: 'a-secret-key',
        ...options,
        fetch: (input, init) => {
          const request = new Request(input, init);
          asked.push(request);
          return answer(input, init);
        },
      }),
    assetsUrl: service.assetsUrl,
    storage: openStorage({}, dir),
    ...options,
  });
  return async (...files: string[]) =>
    Object.fromEntries(
      [...(await sizes.measure(files.map(urlOf), logger)).sizes].map(([url, { width, height }]) => [
        url.split('/').at(-1),
        `${width}x${height}`,
      ]),
    );
}

describe('the size of a picture', () => {
  const FILES = ['wide.jpg', 'turned.jpg', 'high.png', 'small.webp', 'small.avif', 'drawing.svg'];

  test('is read from its first bytes, as it is to be seen', async () => {
    expect(await build()(...FILES)).toEqual({
      'wide.jpg': '1300x700',
      'turned.jpg': '300x500',
      'high.png': '41x99',
      'small.webp': '301x200',
      'small.avif': '64x32',
      'drawing.svg': '30x20',
    });
    expect(warnings).toEqual([]);
    expect(infos).toEqual(['6 pictures measured']);
  });

  test('is asked for once, by all who want it, and never again', async () => {
    const measure = build();
    await Promise.all([measure(...FILES), measure(...FILES), measure('wide.jpg', 'wide.jpg')]);
    expect(asked).toHaveLength(FILES.length);
    await measure(...FILES);
    const warm = await build()(...FILES);
    expect(asked).toHaveLength(FILES.length);
    expect(Object.keys(warm)).toHaveLength(FILES.length);
  });

  test('is asked for without the key', async () => {
    await build()('wide.jpg');
    for (const { headers } of asked) expect(JSON.stringify([...headers])).not.toContain('a-secret-key');
    expect(asked[0]?.headers.get('range')).toBe('bytes=0-65535');
    expect(asked[0]?.redirect).toBe('manual');
  });

  test('is not asked for offline', async () => {
    await build()('wide.jpg');
    const offline = build({ offline: true });
    expect(await offline('wide.jpg', 'high.png')).toEqual({ 'wide.jpg': '1300x700' });
    expect(asked).toHaveLength(1);
  });

  test('may lie behind a large profile', async () => {
    // An EXIF part holds 64 kB at most, and a picture may have many: here five of other data before its header.
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
    expect(asked).toHaveLength(2);
    // A service that sends everything is read as far as it takes.
    const whole: typeof fetch = async () => new Response(new Uint8Array(bytes));
    expect(await build({ fetch: whole, storage: undefined })('wide.jpg')).toEqual({ 'wide.jpg': '77x55' });
    expect(asked).toHaveLength(3);
    expect(sent).toBeLessThan(64 * 1024 + bytes.length + 1);
  });

  test('of an endless answer is given up, and the answer ended', async () => {
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

describe('pictures whose size cannot be told', () => {
  test('make one warning, and those that could not be reached are asked for again by the next build', async () => {
    expect(await build()('wide.jpg', 'paper.pdf', 'gone.jpg')).toEqual({ 'wide.jpg': '1300x700' });
    expect(warnings).toEqual([
      '2 pictures have no dimensions; the next build asks again for what could not be reached:' +
        `\n  ${urlOf('paper.pdf')} is no picture that can be read\n  ${urlOf('gone.jpg')} answered 404`,
    ]);
    asked = [];
    await build()('wide.jpg', 'paper.pdf', 'gone.jpg');
    expect(asked.map(({ url }) => url)).toEqual([urlOf('gone.jpg')]);
  });

  test.each([['reset'], [{ status: 503 }], [{ status: 429, retryAfter: 1 }]] as const)(
    'for a moment are asked for again: %j',
    async (kind) => {
      service.faults.add({ kind, times: 2 });
      expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
      expect(warnings).toEqual([]);
      expect(asked).toHaveLength(3);
    },
  );

  test('for good are given up', async () => {
    service.faults.add({ kind: { status: 500 }, times: 99 });
    expect(await build()('wide.jpg')).toEqual({});
    expect(asked).toHaveLength(3);
    expect(warnings.join()).toContain('answered 500');
  });

  test('since no answer comes are given up in time', async () => {
    service.faults.add({ kind: 'stall', times: 99 });
    expect(await build({ network: { timeout: 50, retries: 0 } })('wide.jpg')).toEqual({});
    expect(warnings.join()).toContain('gave no answer in time');
  });

  test('are not looked for where a redirect leads', async () => {
    const redirect: typeof fetch = async () =>
      new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/secret' } });
    expect(await build({ fetch: redirect })('wide.jpg')).toEqual({});
    expect(asked.map(({ url }) => url)).toEqual([urlOf('wide.jpg')]);
  });
});

describe('a thousand pictures', () => {
  const MANY = Array.from({ length: 1_000 }, (_, index) => `picture-${index}.jpg`);
  const answerWith = (body: () => Promise<Response>) => {
    const seen = { now: 0, most: 0 };
    const answer: typeof fetch = async () => {
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await new Promise((resolve) => setImmediate(resolve));
      seen.now -= 1;
      return body();
    };
    return { seen, answer };
  };

  test.each([
    [undefined, 16],
    [3, 3],
  ])(
    'are asked for within the limits, with progress, each once (concurrency %s)',
    async (concurrency, most) => {
      let time = 0;
      const clock = { now: () => (time += 10), sleep: () => new Promise<void>(() => {}) };
      const bytes = readFileSync(join(gallery.directory, 'wide.jpg'));
      const { seen, answer } = answerWith(async () => new Response(new Uint8Array(bytes)));
      const network = concurrency === undefined ? {} : { concurrency };
      expect(Object.keys(await build({ fetch: answer, clock, network })(...MANY))).toHaveLength(1_000);
      expect(seen.most).toBe(most);
      expect(asked).toHaveLength(1_000);
      expect(infos.length).toBeGreaterThan(2);
      expect(infos[0]).toMatch(/^\d+ of 1,000 pictures measured \(\d+ %\)$/);
      expect(infos.at(-1)).toBe('1,000 pictures measured');
      await build({ fetch: answer })(...MANY);
      expect(asked).toHaveLength(1_000);
    },
  );

  test('of a host that is not there do not hold up the build', async () => {
    const { answer } = answerWith(() => Promise.reject(new TypeError('fetch failed')));
    expect(await build({ fetch: answer, network: { retries: 0 } })(...MANY)).toEqual({});
    expect(asked.length).toBeLessThan(60);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('1,000 pictures have no dimensions');
    expect(warnings[0]).toContain('and 995 more');
  });
});

describe('what is stored', () => {
  const files = () => readdirSync(join(dir, 'sizes-v2')).map((name) => join(dir, 'sizes-v2', name));

  test('is not believed where it is damaged', async () => {
    await build()('wide.jpg');
    for (const file of files()) writeFileSync(file, readFileSync(file, 'utf8').replace('1300', '1301'));
    expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
    expect(asked).toHaveLength(2);
  });

  test('is not believed where someone without the key wrote it', async () => {
    await build()('wide.jpg');
    const text = `9x90000 jpg ${urlOf('wide.jpg')}`;
    for (const file of files()) rmSync(file);
    writeFileSync(join(dir, 'sizes-v2', createHash('sha256').update(text).digest('hex')), text);
    expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
  });

  test('is kept by two builds that end at once', async () => {
    await Promise.all([build()('wide.jpg'), build()('high.png')]);
    asked = [];
    expect(await build()('wide.jpg', 'high.png')).toEqual({ 'wide.jpg': '1300x700', 'high.png': '41x99' });
    expect(asked).toEqual([]);
  });

  test('stays in few files, however many builds learn something', async () => {
    const bytes = readFileSync(join(gallery.directory, 'wide.jpg'));
    const answer: typeof fetch = async () => new Response(new Uint8Array(bytes));
    const names = Array.from({ length: 30 }, (_, index) => `picture-${index}.jpg`);
    for (const name of names) await build({ fetch: answer })(name);
    expect(files().length).toBeLessThan(10);
    asked = [];
    expect(Object.keys(await build({ fetch: answer })(...names))).toHaveLength(30);
    expect(asked).toEqual([]);
  });

  test('is no reason to fail where it cannot be', async () => {
    writeFileSync(join(dir, 'sizes-v2'), 'in the way');
    expect(await build()('wide.jpg')).toEqual({ 'wide.jpg': '1300x700' });
    expect(warnings.join()).toMatch(/cannot be (read|stored)/);
  });
});
