import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/index.ts';
import { SPACE } from './space.ts';

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

describe('every combination is of exactly the asked size and format', () => {
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

describe('what is shown', () => {
  it('one side alone does not enlarge', async () => {
    expect(await shown('wide.jpg', '?width=5000')).toMatchObject(WIDE);
    expect(await shown('tall.png', '?height=5000&fit=crop')).toMatchObject(TALL);
  });

  it('a side is at least one pixel', async () => {
    expect(await shown('tall.png', '?height=1')).toMatchObject({ width: 1, height: 1 });
    expect(await shown('wide.jpg', '?width=8192&height=1')).toMatchObject({ width: 2, height: 1 });
  });

  it('crop cuts around the centre', async () => {
    const { bytes } = await shown('wide.jpg', '?width=20&height=200&fit=crop&format=png');
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const [left, right] = [data.subarray(0, 3), data.subarray(19 * 3, 20 * 3)];
    expect(left[0]).toBeGreaterThan(200);
    expect(right[2]).toBeGreaterThan(200);
  });

  it('a picture is turned as its EXIF orientation says', async () => {
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

  it('what is clear becomes white in JPEG', async () => {
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

  it('a link that leads out of the folder is not there, one that stays inside is', async () => {
    expect((await get('link.jpg')).status).toBe(404);
    expect((await get('link.jpg', '?width=10')).status).toBe(404);
    expect((await get('linked/inside.jpg')).status).toBe(200);
  });

  it('a folder and a file that is gone are not there', async () => {
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

  it('whoever has the picture is told so', async () => {
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

  it('a result is kept on disk and used again after a restart', async () => {
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

  it('equal requests at once share one result', async () => {
    const assetCache = cache('shared');
    const other = start({ assetCache });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get('wide.jpg', '?width=44&format=avif', {}, other)),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(await readdir(assetCache)).toHaveLength(1);
  });

  it('a cache that cannot be kept does not keep the answer back', async () => {
    await writeFile(cache('no-folder'), '');
    const other = start({ assetCache: join(cache('no-folder'), 'x') });
    expect((await get('wide.jpg', '?width=9', {}, other)).status).toBe(200);
  });
});
