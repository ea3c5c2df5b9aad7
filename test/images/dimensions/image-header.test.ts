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

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>',
  '<svg viewBox="0,0,30,20"/>',
  '<svg viewBox=" -1, -1  30\n20 "></svg>',
  "<?xml version='1.0'?><!-- <svg width='1' height='1'> --><svg\nheight = '20' width='30'>",
  '<svg width=30 height=20></svg>',
  '<svg width="30px" height="15pt"></svg>',
  '<svg width="3e1" height="20.4" viewBox="0 0 1 1"></svg>',
  '<svg width="100%" height="100%" viewBox="0 0 30 20"></svg>',
  '<svg width="30" viewBox="0 0 300 200"></svg>',
  '<svg height="20" viewBox="0 0 300 200"><svg width="1" height="1"/></svg>',
])('the dimensions of the SVG %j are read', async (svg) => {
  expect(await parse(Buffer.from(svg))).toEqual({ width: 30, height: 20, format: 'svg' });
});

test.each(['<svg width="30" ', '<svg a>', '<svg width="30%" height="20"/>', '<svg viewBox="0 0 0 20"/>'])(
  'the SVG %j has no dimensions',
  async (svg) => {
    expect(await parse(Buffer.from(svg))).toBeUndefined();
  },
);

test('EXIF rotation swaps width and height', async () => {
  const rotated = await image().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await parse(rotated)).toMatchObject({ width: 30, height: 40 });
});

test.each([1, 3, 5, 6, 7, 8])(
  'an AVIF with the orientation %i has the size in which it is displayed',
  async (orientation) => {
    const file = await image().withMetadata({ orientation }).avif().toBuffer();
    const { width, height } = await sharp(file).metadata();
    expect([width, height]).toEqual(orientation < 5 ? [40, 30] : [30, 40]);
    expect(await parse(file)).toEqual({ width, height, format: 'avif' });
    for (let length = 0; length < file.length; length += 7) {
      const partial = await parse(file.subarray(0, length));
      if (partial) expect(partial).toEqual({ width, height, format: 'avif' });
    }
  },
);

test('the dimensions of an animated AVIF are read', async () => {
  const file = await image().avif().toBuffer();
  file.write('avis', 8, 'latin1');
  expect(await parse(file)).toEqual({ width: 40, height: 30, format: 'avif' });
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
  expect(parseImageHeader(memory)).toMatchObject({ format: 'gif' });
  expect(parseImageHeader(memory.subarray(0, 6))).toBeUndefined();
});

test.each([
  ['a licence', `<!-- ${'licence <svg> '.repeat(500)}-->`],
  ['a declaration and a byte order mark', `\uFEFF<?xml version="1.0"?>\n<!DOCTYPE svg>\n${' '.repeat(5000)}`],
])('an SVG image is recognised after %s of several kB', async (_, before) => {
  const svg = `${before}<svg width="30" height="20"></svg>`;
  expect(await parse(Buffer.from(svg))).toEqual({ width: 30, height: 20, format: 'svg' });
});

test('a page or a text that contains an SVG image is not one', async () => {
  const svg = '<svg width="30" height="20"></svg>';
  expect(await parse(Buffer.from(`<!doctype html><p>${svg}</p>`))).toBeUndefined();
  expect(await parse(Buffer.from(`text ${svg}`))).toBeUndefined();
});
