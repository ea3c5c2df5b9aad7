import { inflateSync } from 'node:zlib';

/** Pixels row by row, 4 bytes each: red, green, blue, alpha (not premultiplied). */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly samplesPerPixel: number;
}

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Samples per pixel and allowed bit depths, by color type. */
const COLOR_TYPES: ReadonlyMap<number, { readonly samples: number; readonly depths: readonly number[] }> =
  new Map([
    [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
    [2, { samples: 3, depths: [8, 16] }],
    [3, { samples: 1, depths: [1, 2, 4, 8] }],
    [4, { samples: 2, depths: [8, 16] }],
    [6, { samples: 4, depths: [8, 16] }],
  ]);
const PALETTE = 3;

/**
 * Decodes a PNG with sides of at most `maxSide`; `undefined` if it is larger, malformed, interlaced (no CDN makes tiny
 * images so) or not a PNG. Memory and time are limited by `maxSide`, whatever the file claims. Of an animated PNG, the
 * still image is decoded.
 */
export function decodePng(bytes: Uint8Array, maxSide: number): Pixels | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) return undefined;
  const chunks = readChunks(file);
  const header = chunks && parseHeader(chunks.get('IHDR')?.[0]);
  if (!header || Math.max(header.width, header.height) > maxSide) return undefined;
  const rows = readRows(chunks.get('IDAT') ?? [], header);
  return rows && { width: header.width, height: header.height, rgba: toRgba(rows, header, chunks) };
}

type Chunks = ReadonlyMap<string, readonly Buffer[]>;

/** The chunks by name; `undefined` if the file ends within one. */
function readChunks(file: Buffer): Chunks | undefined {
  const chunks = new Map<string, Buffer[]>();
  for (let at = SIGNATURE.length; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    if (name === 'IEND') return chunks;
    const end = at + 8 + length;
    if (end > file.length) return undefined;
    const named = chunks.get(name) ?? [];
    named.push(file.subarray(at + 8, end));
    chunks.set(name, named);
    at = end + 4;
  }
  return undefined;
}

function parseHeader(chunk: Buffer | undefined): Header | undefined {
  if (chunk?.length !== 13) return undefined;
  const [width, height] = [chunk.readUInt32BE(0), chunk.readUInt32BE(4)];
  const [bitDepth = 0, colorType = 0, ...methods] = chunk.subarray(8);
  const known = COLOR_TYPES.get(colorType);
  const isPlain = methods.every((method) => method === 0);
  if (width === 0 || height === 0 || !known?.depths.includes(bitDepth) || !isPlain) return undefined;
  return { width, height, bitDepth, colorType, samplesPerPixel: known.samples };
}

/** The unfiltered rows. */
function readRows(
  data: readonly Buffer[],
  { width, height, bitDepth, samplesPerPixel }: Header,
): readonly Buffer[] | undefined {
  const bitsPerPixel = samplesPerPixel * bitDepth;
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  const size = height * (rowBytes + 1);
  let inflated: Buffer;
  try {
    inflated = inflateSync(Buffer.concat(data), { maxOutputLength: size });
  } catch {
    // Truncated, damaged, or longer than its header says.
    return undefined;
  }
  if (inflated.length !== size) return undefined;
  const rows: Buffer[] = [];
  for (let at = 0; at < size; at += rowBytes + 1) {
    const filter = inflated[at] ?? 0;
    if (filter > 4) return undefined;
    const row = inflated.subarray(at + 1, at + 1 + rowBytes);
    unfilter(filter, row, rows.at(-1) ?? Buffer.alloc(rowBytes), Math.max(1, bitsPerPixel / 8));
    rows.push(row);
  }
  return rows;
}

/** Reverses the filter of a row, in place. */
function unfilter(filter: number, row: Buffer, above: Buffer, distance: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = i < distance ? 0 : (row[i - distance] ?? 0);
    const up = above[i] ?? 0;
    const upLeft = i < distance ? 0 : (above[i - distance] ?? 0);
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter] ?? 0;
    row[i] = (row[i] ?? 0) + predicted;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const distances = [left, up, upLeft].map((value) => Math.abs(estimate - value));
  const [toLeft = 0, toUp = 0, toUpLeft = 0] = distances;
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

function toRgba(rows: readonly Buffer[], header: Header, chunks: Chunks): Uint8Array {
  const { width, height, bitDepth, samplesPerPixel } = header;
  const colorOf = createColorReader(header, chunks);
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const row = rows[Math.floor(pixel / width)] as Buffer;
    const first = (pixel % width) * samplesPerPixel;
    const values = Array.from({ length: samplesPerPixel }, (_, n) => readSample(row, first + n, bitDepth));
    rgba.set(colorOf(values), pixel * 4);
  }
  return rgba;
}

function readSample(row: Buffer, index: number, bitDepth: number): number {
  if (bitDepth === 16) return row.readUInt16BE(index * 2);
  const bit = index * bitDepth;
  return ((row[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
}

type Rgba = readonly [number, number, number, number];

/** Maps the samples of a pixel to its color. */
function createColorReader({ bitDepth, colorType }: Header, chunks: Chunks): (values: number[]) => Rgba {
  const transparency = chunks.get('tRNS')?.[0];
  if (colorType === PALETTE) {
    const palette = chunks.get('PLTE')?.[0];
    return ([index = 0]) => {
      const [red = 0, green = 0, blue = 0] = palette?.subarray(index * 3, index * 3 + 3) ?? [];
      return [red, green, blue, transparency?.[index] ?? 255];
    };
  }
  const scale = 255 / (2 ** bitDepth - 1);
  // One of the colors can be marked as transparent.
  const isTransparent = (values: number[]) =>
    transparency?.length === values.length * 2 &&
    values.every((value, n) => value === transparency.readUInt16BE(n * 2));
  return (values) => {
    const opacity = isTransparent(values) ? 0 : 255;
    const [first = 0, second = opacity, third = 0, alpha = opacity] = values.map((one) =>
      Math.round(one * scale),
    );
    return values.length < 3 ? [first, first, first, second] : [first, second, third, alpha];
  };
}
