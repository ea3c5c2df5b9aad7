import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodePng } from '../../../src/images/placeholder/decode-png.ts';
import { disc, landscape } from '../drawn-images.ts';

const MAX = 32;

function chunk(name: string, data: Uint8Array | string = ''): Buffer {
  const body = Buffer.concat([Buffer.from(name), Buffer.from(data as string, 'latin1')]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

interface Parts {
  readonly width?: number;
  readonly height?: number;
  /** Bit depth, color type, compression, filter, interlace. */
  readonly rest?: readonly number[];
  readonly data?: Uint8Array;
  readonly more?: readonly Buffer[];
  readonly end?: Buffer;
}

/** A grayscale PNG of 2 × 2, or what `parts` make of it. */
function png({ width = 2, height = 2, rest = [8, 0, 0, 0, 0], data, more = [], end = chunk('IEND') }: Parts) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set(rest, 8);
  const pixels = data ?? deflateSync(Buffer.from([0, 10, 20, 0, 30, 40]));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), ...more, chunk('IDAT', pixels), end]);
}
const reds = (bytes: Uint8Array) => decodePng(bytes, MAX)?.rgba.filter((_, index) => index % 4 === 0);
const alphas = (bytes: Uint8Array) => decodePng(bytes, MAX)?.rgba.filter((_, index) => index % 4 === 3);

describe('a PNG is decoded as sharp does', () => {
  const small = () => landscape(31, 17).removeAlpha();
  test.each<[string, () => Sharp]>([
    ['in true color', () => small().png()],
    ['with transparent parts', () => disc(32, 20).png()],
    ['in grayscale', () => small().grayscale().png()],
    ['in grayscale with transparent parts', () => disc(20, 32).toColourspace('b-w').png()],
    ['with a palette', () => small().png({ palette: true })],
    ['with a palette of four colors', () => small().png({ palette: true, colors: 4, dither: 0 })],
    ['with a palette of two colors', () => small().png({ palette: true, colors: 2, dither: 0 })],
    ['with a palette with transparent colors', () => disc(32, 20).png({ palette: true })],
    ['with every filter', () => small().png({ adaptiveFiltering: true, compressionLevel: 0 })],
    ['with 16 bits per channel', () => small().toColourspace('rgb16').png()],
    ['of one pixel', () => landscape(1, 1).png()],
  ])('%s', async (_, draw) => {
    const bytes = await draw().toBuffer();
    const expected = await sharp(bytes)
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const decoded = decodePng(bytes, MAX);
    expect(decoded).toMatchObject({ width: expected.info.width, height: expected.info.height });
    // libvips truncates 16 bits to 8, which differs by one from rounding.
    const furthest = Math.max(
      ...expected.data.map((value, index) => Math.abs(value - (decoded?.rgba[index] ?? -99))),
    );
    expect(furthest).toBeLessThanOrEqual(1);
  });

  test('with each filter', () => {
    const rows = (filter: number) => deflateSync(Buffer.from([filter, 10, 20, filter, 30, 40]));
    const decoded = [0, 1, 2, 3, 4].map((filter) => [...(reds(png({ data: rows(filter) })) ?? [])]);
    expect(decoded).toEqual([
      [10, 20, 30, 40],
      [10, 30, 30, 70],
      [10, 20, 40, 60],
      [10, 25, 35, 70],
      [10, 30, 40, 80],
    ]);
  });

  test('with a transparent color', () => {
    expect(alphas(png({ more: [chunk('tRNS', Buffer.from([0, 20]))] }))).toEqual(
      Uint8Array.of(255, 0, 255, 255),
    );
    const data = deflateSync(Buffer.from([0, 1, 2, 3, 0, 1, 2, 4]));
    const colored = { width: 1, rest: [8, 2, 0, 0, 0], data };
    const more = [chunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 4]))];
    expect(alphas(png({ ...colored, more }))).toEqual(Uint8Array.of(255, 0));
  });

  test('with data in several chunks', () => {
    const data = deflateSync(Buffer.from([0, 10, 20, 0, 30, 40]));
    const more = [chunk('IDAT', data.subarray(0, 3)), chunk('tEXt', 'a')];
    expect(reds(png({ more, data: data.subarray(3) }))).toEqual(Uint8Array.of(10, 20, 30, 40));
  });

  test('animated: its still image', () => {
    const more = [chunk('acTL', Buffer.alloc(8)), chunk('fcTL', Buffer.alloc(26))];
    const end = Buffer.concat([chunk('fdAT', Buffer.alloc(10)), chunk('IEND')]);
    expect(reds(png({ more, end }))).toEqual(Uint8Array.of(10, 20, 30, 40));
  });
});

describe('nothing is decoded of', () => {
  const whole = png({});
  test.each<[string, Uint8Array]>([
    ['an empty file', Buffer.alloc(0)],
    ['another format', Buffer.from('GIF89a')],
    ['only a signature', whole.subarray(0, 8)],
    ['a file that ends within a chunk', whole.subarray(0, -20)],
    ['a file that ends before its end chunk', whole.subarray(0, -12)],
    ['a header of the wrong length', png({ rest: [8, 0, 0, 0] }).fill(12, 11, 12)],
    ['no width', png({ width: 0 })],
    ['no height', png({ height: 0 })],
    ['too great a width', png({ width: MAX + 1 })],
    ['too great a height', png({ height: MAX + 1 })],
    ['a valid file that is too wide', png({ width: 33, height: 1, data: deflateSync(Buffer.alloc(34)) })],
    ['gigapixels', png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 })],
    ['an unknown color type', png({ rest: [8, 5, 0, 0, 0] })],
    ['an unknown bit depth', png({ rest: [3, 0, 0, 0, 0] })],
    ['a bit depth that the color type does not have', png({ rest: [4, 2, 0, 0, 0] })],
    ['an unknown compression', png({ rest: [8, 0, 1, 0, 0] })],
    ['an unknown filter method', png({ rest: [8, 0, 0, 1, 0] })],
    ['interlaced pixels', png({ rest: [8, 0, 0, 0, 1] })],
    ['an unknown filter', png({ data: deflateSync(Buffer.from([5, 10, 20, 0, 30, 40])) })],
    ['too few pixels', png({ data: deflateSync(Buffer.from([0, 10, 20])) })],
    ['too many pixels', png({ data: deflateSync(Buffer.from([0, 10, 20, 0, 30, 40, 50])) })],
    ['a decompression bomb', png({ data: deflateSync(Buffer.alloc(50_000_000)) })],
    ['truncated pixels', png({ data: deflateSync(Buffer.from([0, 10, 20, 0, 30, 40])).subarray(0, 6) })],
    ['pixels that are not compressed', png({ data: Buffer.from([0, 10, 20, 0, 30, 40]) })],
    [
      'a hundred thousand chunks and no pixels',
      png({ more: Array(100_000).fill(chunk('aaaa')), data: Buffer.of() }),
    ],
  ])('%s', (_, bytes) => {
    expect(decodePng(bytes, MAX)).toBeUndefined();
  });
});

test('a decompression bomb takes no memory', async () => {
  const deflate = createDeflate();
  const compressed = buffer(deflate);
  const zeros = Buffer.alloc(2 ** 20);
  for (let megabyte = 0; megabyte < 300; megabyte++) {
    if (!deflate.write(zeros)) await once(deflate, 'drain');
  }
  deflate.end();
  const bomb = png({ data: await compressed });
  const before = process.resourceUsage().maxRSS;
  expect(decodePng(bomb, MAX)).toBeUndefined();
  const kilobytes = process.resourceUsage().maxRSS - before;
  expect(kilobytes).toBeLessThan(100 * 1024);
});

test('colors that a palette does not have are black', () => {
  const data = deflateSync(Buffer.from([0, 0, 9, 0, 0, 9]));
  const more = [chunk('PLTE', Buffer.from([7, 8, 9]))];
  const { rgba } = decodePng(png({ rest: [8, 3, 0, 0, 0], data, more }), MAX) ?? {};
  expect(rgba?.subarray(0, 8)).toEqual(Uint8Array.of(7, 8, 9, 255, 0, 0, 0, 255));
});
