import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../src/emulator/index.ts';
import { createPngWithSize } from '../../conformance/test-images.ts';
import { SPACE } from '../small-seed.ts';

/** The media of the space: name → id. */
const FILES = ['wide.jpg', 'tall.png', 'turned.jpg', 'clear.png', 'moving.webp', 'dot.svg', 'dot.gif'];
const MORE = ['note.txt', 'text.jpg', 'link.jpg', 'linked/inside.jpg', 'cut.png', 'folder.jpg', 'gone.jpg'];
const NAMES = [...FILES, ...MORE];
const WIDE = { width: 301, height: 200 };
const TALL = { width: 150, height: 333 };

let folder: string;
let emulator: Emulator;
const cache = (name: string) => join(folder, 'caches', name);
const start = (options: EmulatorOptions = {}) =>
  createEmulator(
    { ...SPACE, media: NAMES.map((file, index) => ({ id: index + 1, file })) },
    { directory: join(folder, 'media'), assetCache: cache('first'), ...options },
  );

/** Halves of two colours, so that what is cut off can be told. */
function drawn({ width, height }: typeof WIDE) {
  const half = Math.floor(width / 2);
  const right = { create: { width: half, height, channels: 3 as const, background: '#0000ff' } };
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: right, left: width - half, top: 0 },
  ]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-assets-'));
  const media = join(folder, 'media');
  const put = (name: string, content: Uint8Array | string) => writeFile(join(media, name), content);
  await mkdir(join(media, 'linked'), { recursive: true });
  await mkdir(join(media, 'folder.jpg'));
  const frames = { raw: { width: 4, height: 8, channels: 3 as const, pageHeight: 4 } };
  const png = await drawn(TALL).png().toBuffer();
  await Promise.all([
    put('wide.jpg', await drawn(WIDE).jpeg().toBuffer()),
    put('tall.png', png),
    put('turned.jpg', await drawn(WIDE).withMetadata({ orientation: 6 }).jpeg().toBuffer()),
    put(
      'clear.png',
      await sharp({ create: { ...WIDE, channels: 4, background: '#00000000' } })
        .png()
        .toBuffer(),
    ),
    put('moving.webp', await sharp(Buffer.alloc(96, 1).fill(200, 48), frames).webp({ loop: 0 }).toBuffer()),
    put('dot.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    put('dot.gif', await drawn(WIDE).gif().toBuffer()),
    put('note.txt', 'a note'),
    put('text.jpg', 'no picture'),
    put('cut.png', png.subarray(0, 60)),
    writeFile(join(folder, 'secret.jpg'), 'secret'),
    symlink(join(folder, 'secret.jpg'), join(media, 'link.jpg')),
    symlink(join(media, 'wide.jpg'), join(media, 'linked', 'inside.jpg')),
  ]);
  emulator = start();
});
afterAll(() => rm(folder, { recursive: true }));

const path = (file: string) => `/${NAMES.indexOf(file) + 1}/${file.slice(file.lastIndexOf('/') + 1)}`;
const get = (file: string, query = '', init?: RequestInit, from = emulator) =>
  from.fetch(`${from.assetsUrl}${path(file)}${query}`, init);

async function shown(file: string, query: string) {
  const response = await get(file, query);
  expect(response.status, `${file}${query}`).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { width, height, format, ...rest } = await sharp(bytes).metadata();
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  return { width, height, format, type: response.headers.get('content-type'), bytes, rest };
}

/** As the table in the emulator’s README says it. */
function sizeAsTold(original: typeof WIDE, asked: { width?: number; height?: number; fit?: string }) {
  const { width, height, fit = 'bounds' } = asked;
  const ratio = original.width / original.height;
  if (width === undefined && height === undefined) return original;
  if (height === undefined) {
    const w = Math.min(width as number, original.width);
    return { width: w, height: Math.round(w / ratio) };
  }
  if (width === undefined) {
    const h = Math.min(height, original.height);
    return { width: Math.round(h * ratio), height: h };
  }
  if (fit === 'crop') return { width, height };
  const byWidth = { width, height: Math.round(width / ratio) };
  const byHeight = { width: Math.round(height * ratio), height };
  return (fit === 'bounds') === width / ratio <= height ? byWidth : byHeight;
}

const FORMATS = {
  jpg: ['jpeg', 'image/jpeg'],
  png: ['png', 'image/png'],
  webp: ['webp', 'image/webp'],
  avif: ['heif', 'image/avif'],
} as const;
const SIDES = [{ width: 97 }, { height: 61 }, { width: 97, height: 61 }, { width: 640, height: 700 }, {}];

describe('every combination has exactly the requested size and format', () => {
  for (const [file, original, own] of [
    ['wide.jpg', WIDE, 'jpg'],
    ['tall.png', TALL, 'png'],
  ] as const) {
    for (const sides of SIDES) {
      for (const fit of [undefined, 'bounds', 'cover', 'crop']) {
        it(`${file} ${JSON.stringify(sides)} fit=${fit}`, async () => {
          for (const format of [undefined, 'jpg', 'png', 'webp', 'avif'] as const) {
            const query = new URLSearchParams({
              ...Object.fromEntries(Object.entries(sides).map(([side, length]) => [side, String(length)])),
              ...(fit && { fit }),
              ...(format && { format }),
            });
            const { width, height, format: encoded, type } = await shown(file, `?${query}`);
            const expected = sizeAsTold(original, { ...sides, ...(fit && { fit }) });
            expect([{ width, height }, encoded, type], String(query)).toEqual([
              expected,
              ...FORMATS[format ?? own],
            ]);
          }
        });
      }
    }
  }
});

describe('the resized image', () => {
  it('one side alone does not enlarge', async () => {
    expect(await shown('wide.jpg', '?width=5000')).toMatchObject(WIDE);
    expect(await shown('tall.png', '?height=5000&fit=crop')).toMatchObject(TALL);
  });

  it('a side is at least one pixel', async () => {
    expect(await shown('tall.png', '?height=1')).toMatchObject({ width: 1, height: 1 });
    expect(await shown('wide.jpg', '?width=8192&height=1')).toMatchObject({ width: 2, height: 1 });
  });

  it('crop crops at the centre', async () => {
    const { bytes } = await shown('wide.jpg', '?width=20&height=200&fit=crop&format=png');
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const [left, right] = [data.subarray(0, 3), data.subarray(19 * 3, 20 * 3)];
    expect(left[0]).toBeGreaterThan(200);
    expect(right[2]).toBeGreaterThan(200);
  });

  it('an image is rotated by its EXIF orientation', async () => {
    const turned = { width: WIDE.height, height: WIDE.width };
    expect(await shown('turned.jpg', '?format=webp')).toMatchObject(turned);
    expect(await shown('turned.jpg', '?width=100')).toMatchObject({ width: 100, height: 151 });
    const { rest, bytes } = await shown('turned.jpg', '?width=100&format=png');
    expect(rest.orientation).toBeUndefined();
    // What was on the left is on top: red above, blue below.
    const pixels = await sharp(bytes).raw().toBuffer();
    const bottomLeft = pixels.subarray(150 * 100 * 3);
    expect([pixels[0], bottomLeft[0]].map((red) => Number(red) > 128)).toEqual([true, false]);
  });

  it('transparent pixels become white in JPEG', async () => {
    const { bytes } = await shown('clear.png', '?width=10&format=jpg');
    expect((await sharp(bytes).raw().toBuffer())[0]).toBeGreaterThan(250);
  });

  it('pjpg is progressive, jpg is not', async () => {
    expect((await shown('wide.jpg', '?format=pjpg')).rest.isProgressive).toBe(true);
    expect((await shown('wide.jpg', '?format=jpg')).rest.isProgressive).toBe(false);
  });

  it.each(['dot.svg', 'dot.gif', 'moving.webp', 'note.txt', 'text.jpg', 'cut.png'])(
    '%s is passed through as it is',
    async (file) => {
      const plain = await get(file);
      const asked = await get(file, '?width=20&height=20&fit=crop&format=avif');
      expect(asked.headers.get('content-type')).toBe(plain.headers.get('content-type'));
      expect(await asked.bytes()).toEqual(await plain.bytes());
    },
  );

  it.each([
    ...['width=0', 'width=-1', 'width=1.5', 'width=1e2', 'width=', 'width=8193', 'width=999999999999999'],
    ...['height=0', 'height=abc', 'height=%00', 'format=', 'format=gif', 'format=auto', 'format=__proto__'],
    ...['fit=', 'fit=contain', 'fit=constructor'],
  ])('%s is a 400 in the form of §7', async (query) => {
    const response = await get('wide.jpg', `?${query}`);
    expect([response.status, await response.json()]).toEqual([400, { status: '400', code: 'BadRequest' }]);
  });
});

describe('files', () => {
  it.each([
    ...['/1/../2/tall.png', '/1/..%2f..%2fsecret.jpg', '/1/%2e%2e', '/1//etc/passwd', '/1/%2fetc%2fpasswd'],
    ...['/1/wide.jpg%00', '/1/wide.jpg/', '/1/', '/1', '/', '/0/wide.jpg', '/x/wide.jpg', '/1/%E0%A4%A'],
    ...['/99/wide.jpg', '/2/wide.jpg', '/1/WIDE.JPG', '/..%2fsecret.jpg'],
  ])('%s is not there', async (address) => {
    const { status } = await emulator.fetch(`${emulator.assetsUrl}${address}`);
    // The first is another address altogether, once it is written out.
    expect(status).toBe(address === '/1/../2/tall.png' ? 200 : 404);
  });

  it('a link out of the folder is not found, one inside of it is served', async () => {
    expect((await get('link.jpg')).status).toBe(404);
    expect((await get('link.jpg', '?width=10')).status).toBe(404);
    expect((await get('linked/inside.jpg')).status).toBe(200);
  });

  it('a folder and a missing file are not found', async () => {
    expect((await get('folder.jpg')).status).toBe(404);
    expect((await get('gone.jpg')).status).toBe(404);
  });
});

describe('caching', () => {
  it('HEAD is GET without a body', async () => {
    const [head, whole] = [
      await get('wide.jpg', '?width=9', { method: 'HEAD' }),
      await get('wide.jpg', '?width=9'),
    ];
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(whole.headers));
    expect(await head.text()).toBe('');
  });

  it('a matching If-None-Match is a 304', async () => {
    for (const query of ['', '?width=9']) {
      const etag = (await get('wide.jpg', query)).headers.get('etag') ?? '';
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const response = await get('wide.jpg', query, { headers: { 'if-none-match': known } });
        expect([response.status, await response.text()]).toEqual([304, '']);
        expect(response.headers.get('etag')).toBe(etag);
      }
      expect((await get('wide.jpg', query, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    }
    expect((await get('wide.jpg', '?width=9')).headers.get('cache-control')).toBe('public, max-age=31536000');
  });

  it('a result is cached on disk and reused after a restart', async () => {
    const assetCache = cache('again');
    const query = '?width=33&format=webp';
    const first = await (await get('wide.jpg', query, {}, start({ assetCache }))).bytes();
    const [kept, ...others] = await readdir(assetCache);
    expect(others).toEqual([]);
    await writeFile(join(assetCache, kept ?? ''), 'what was kept');
    const second = await get('wide.jpg', query, {}, start({ assetCache }));
    expect(await second.text()).toBe('what was kept');
    await writeFile(join(assetCache, kept ?? ''), '');
    expect(await (await get('wide.jpg', query, {}, start({ assetCache }))).bytes()).toEqual(first);
  });

  it('equal parallel requests share one result', async () => {
    const assetCache = cache('shared');
    const other = start({ assetCache });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get('wide.jpg', '?width=44&format=avif', {}, other)),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(await readdir(assetCache)).toHaveLength(1);
  });

  it('a cache that cannot be written does not fail the response', async () => {
    await writeFile(cache('no-folder'), '');
    const other = start({ assetCache: join(cache('no-folder'), 'x') });
    expect((await get('wide.jpg', '?width=9', {}, other)).status).toBe(200);
  });
});

describe('files cannot run scripts on the emulator’s origin', () => {
  it('every file is sandboxed and has its content type; an SVG may use its own styles only', async () => {
    for (const [file, query] of [
      ['dot.svg', ''],
      ['dot.svg', '?width=10'],
      ['note.txt', ''],
      ['wide.jpg', ''],
      ['wide.jpg', '?width=10&format=webp'],
      ['text.jpg', '?width=10'],
    ] as const) {
      const { headers } = await get(file, query);
      const policy = headers.get('content-security-policy')?.split('; ');
      expect(policy, file).toContain('sandbox');
      expect(policy?.includes("default-src 'none'"), file).toBe(file === 'dot.svg');
      expect(headers.get('x-content-type-options'), file).toBe('nosniff');
      const again = await get(file, query, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect([again.status, again.headers.get('content-security-policy')]).toEqual([304, policy?.join('; ')]);
    }
  });

  it('an uploaded HTML page is not rendered', async () => {
    const server = await startEmulator(SPACE, { assetCache: cache('first') });
    const ids = [];
    for (const name of ['a.html', 'a.svg', 'a.xml', 'a']) {
      const body = new FormData();
      body.append('file', new Blob(['<svg onload="alert(1)"/>'], { type: 'text/html' }), name);
      const headers = { 'X-SERVICE-API-KEY': 'all' };
      const uploaded = await fetch(`${server.baseUrl}/media`, { method: 'POST', headers, body });
      const { id } = (await uploaded.json()) as { id: number };
      ids.push((await fetch(`${server.assetsUrl}/${id}/${name}`)).headers);
    }
    await server.close();
    expect(ids.map((headers) => headers.get('content-type'))).toEqual([
      'application/octet-stream',
      'image/svg+xml',
      'application/octet-stream',
      'application/octet-stream',
    ]);
    for (const headers of ids) {
      expect(headers.get('content-security-policy')).toMatch(/\bsandbox$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('the work for one image is bounded', () => {
  it.each([
    'width=8192&height=8192&fit=crop&format=avif',
    'width=8192&height=8192&fit=cover',
    'width=4097&height=4096&fit=crop',
  ])('enlarging is rejected with the reason: %s', async (query) => {
    const response = await get('wide.jpg', `?${query}`);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        status: '400',
        code: 'BadRequest',
        message: expect.stringMatching(/enlarged to \d+ × \d+ .*16777216/),
      },
    ]);
  });

  it('an original that is larger than any result is served unchanged, and can be resized to smaller ones', async () => {
    const large = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: '#246' } })
      .png()
      .toBuffer();
    await writeFile(join(folder, 'media', 'gone.jpg'), large);
    const whole = await get('gone.jpg', '?format=avif');
    expect([whole.status, await whole.bytes()]).toEqual([200, new Uint8Array(large)]);
    expect(await shown('gone.jpg', '?width=60&format=webp')).toMatchObject({
      width: 60,
      height: 40,
      format: 'webp',
    });
    await rm(join(folder, 'media', 'gone.jpg'));
  });

  it('an original of more than 64 million pixels is served unchanged', async () => {
    const bytes = createPngWithSize(8001, 8000);
    await writeFile(join(folder, 'media', 'gone.jpg'), bytes);
    const response = await get('gone.jpg', '?width=10');
    expect([response.status, await response.bytes()]).toEqual([200, new Uint8Array(bytes)]);
    await rm(join(folder, 'media', 'gone.jpg'));
  });
});

describe('the cache folder', () => {
  const isRoot = process.getuid?.() === 0;
  /** Serves with a cache folder, and gives what was reported about it. */
  async function serveWith(assetCache: string): Promise<string[]> {
    const errors: string[] = [];
    const other = start({ assetCache, onError: (error) => errors.push((error as Error).message) });
    for (const width of [9, 10])
      expect((await get('wide.jpg', `?width=${width}`, {}, other)).status).toBe(200);
    return errors;
  }

  it('is accessible to its owner only', async () => {
    expect(await serveWith(cache('private'))).toEqual([]);
    expect((await lstat(cache('private'))).mode & 0o777).toBe(0o700);
    for (const name of await readdir(cache('private'))) {
      expect((await lstat(join(cache('private'), name))).mode & 0o777).toBe(0o600);
    }
  });

  it('is not used if it is a link', async () => {
    await mkdir(cache('real'), { mode: 0o700 });
    await symlink(cache('real'), cache('link'));
    expect(await serveWith(cache('link'))).toEqual([expect.stringMatching(/not cached: .* is a link/)]);
    expect(await readdir(cache('real'))).toEqual([]);
  });

  it('is not used if others can write to it', async () => {
    await mkdir(cache('open'));
    await chmod(cache('open'), 0o777);
    expect(await serveWith(cache('open'))).toEqual([expect.stringMatching(/not cached: .* by other users/)]);
    expect(await readdir(cache('open'))).toEqual([]);
  });

  it.runIf(isRoot)('is not used, not even to read, if it belongs to another user', async () => {
    const assetCache = cache('foreign');
    expect(await serveWith(assetCache)).toEqual([]);
    for (const name of await readdir(assetCache)) await writeFile(join(assetCache, name), 'planted');
    await chown(assetCache, 12_345, 12_345);
    const other = start({ assetCache, onError: () => {} });
    const response = await get('wide.jpg', '?width=9', {}, other);
    expect([response.headers.get('content-type'), (await response.text()) === 'planted']).toEqual([
      'image/jpeg',
      false,
    ]);
    expect(await serveWith(assetCache)).toEqual([expect.stringContaining('belongs to another user')]);
  });

  it('is pruned by age and size, and other files stay', async () => {
    const assetCache = cache('pruned');
    await mkdir(assetCache, { mode: 0o700 });
    const day = 24 * 60 * 60;
    const put = async (name: string, age: number, size: number) => {
      await writeFile(join(assetCache, name), '');
      await truncate(join(assetCache, name), size);
      await utimes(join(assetCache, name), Date.now() / 1000 - age * day, Date.now() / 1000 - age * day);
    };
    const hash = (digit: string) => digit.repeat(64);
    const uuid = '01234567-89ab-cdef-0123-456789abcdef';
    await put(hash('a'), 31, 10);
    await put(hash('b'), 3, 90_000_000);
    await put(hash('c'), 2, 90_000_000);
    await put(hash('d'), 1, 90_000_000);
    await put(`${hash('e')}.${uuid}.tmp`, 1, 10);
    await put('notes.txt', 400, 300_000_000);
    expect((await get('wide.jpg', '?width=9', {}, start({ assetCache }))).status).toBe(200);
    const left = (await readdir(assetCache)).filter((name) => /^(.)\1{63}|notes/.test(name));
    expect(left).toEqual([hash('c'), hash('d'), 'notes.txt']);
  });
});
