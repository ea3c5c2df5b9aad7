import sharp from 'sharp';
import { expect, test } from 'vitest';
import { parseImageHeader } from '../../../src/images/dimensions/image-header.ts';

const image = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#123' } });
const parse = async (bytes: Buffer) => parseImageHeader(new Uint8Array(bytes));

test.each([
  ['jpg', () => image().jpeg()],
  ['png', () => image().png()],
  ['gif', () => image().gif()],
  ['webp', () => image().webp()],
  ['avif', () => image().avif()],
] as const)('the dimensions of a %s are read', async (format, encode) => {
  expect(await parse(await encode().toBuffer())).toEqual({ width: 40, height: 30, format });
});

test('the dimensions of an SVG are read', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>');
  expect(await parse(svg)).toEqual({ width: 30, height: 20, format: 'svg' });
});

test('EXIF rotation swaps width and height', async () => {
  const rotated = await image().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await parse(rotated)).toMatchObject({ width: 30, height: 40 });
});

test('a truncated header and other files give nothing', async () => {
  expect(await parse((await image().png().toBuffer()).subarray(0, 20))).toBeUndefined();
  expect(await parse(Buffer.from('%PDF-1.7'))).toBeUndefined();
  expect(await parse(Buffer.alloc(0))).toBeUndefined();
});

test('an implausible size gives nothing', async () => {
  expect(await parse(Buffer.from('<svg width="200000" height="1"></svg>'))).toBeUndefined();
});

test('what lies next to the bytes in memory is not read', async () => {
  const memory = Buffer.from('GIF89a\x10\x20\x10\x20', 'latin1');
  expect(await parseImageHeader(memory)).toMatchObject({ format: 'gif' });
  expect(await parseImageHeader(memory.subarray(0, 6))).toBeUndefined();
});
