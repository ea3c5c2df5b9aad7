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
  readonly isInterlaced: boolean;
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
const GRAYSCALE = [0, 4];
const PALETTE = 3;

interface Pass {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}
const WHOLE: readonly Pass[] = [{ x: 0, y: 0, dx: 1, dy: 1 }];
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

/**
 * Decodes a PNG with sides of at most `maxSide`; `undefined` if it is larger, malformed or not a PNG. Memory and time
 * are limited by `maxSide`, whatever the file claims. Of an animated PNG, the still image is decoded.
 */
export function decodePng(bytes: Uint8Array, maxSide: number): Pixels | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) return undefined;
  const chunks = readChunks(file);
  const header = chunks && parseHeader(chunks.get('IHDR')?.[0]);
  if (!header || Math.max(header.width, header.height) > maxSide) return undefined;
  const rows = inflateRows(chunks.get('IDAT') ?? [], header);
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
  const [bitDepth = 0, colorType = 0, compression, filter, interlace = 0] = chunk.subarray(8);
  const isKnown = COLOR_TYPES.get(colorType)?.depths.includes(bitDepth);
  if (width === 0 || height === 0 || !isKnown || compression !== 0 || filter !== 0 || interlace > 1) {
    return undefined;
  }
  return { width, height, bitDepth, colorType, isInterlaced: interlace === 1 };
}

/** The unfiltered rows of each pass. */
interface PassRows extends Pass {
  readonly width: number;
  readonly rows: readonly Buffer[];
}

function inflateRows(data: readonly Buffer[], header: Header): readonly PassRows[] | undefined {
  const samples = COLOR_TYPES.get(header.colorType)?.samples ?? 0;
  const bitsPerPixel = samples * header.bitDepth;
  const passes = (header.isInterlaced ? ADAM7 : WHOLE)
    .map((pass) => {
      const width = Math.ceil((header.width - pass.x) / pass.dx);
      const height = Math.ceil((header.height - pass.y) / pass.dy);
      return { ...pass, width, height, rowBytes: Math.ceil((width * bitsPerPixel) / 8) };
    })
    .filter(({ width, height }) => width > 0 && height > 0);
  const size = passes.reduce((sum, { height, rowBytes }) => sum + height * (rowBytes + 1), 0);
  let inflated: Buffer;
  try {
    inflated = inflateSync(Buffer.concat(data), { maxOutputLength: size });
  } catch {
    // Truncated, damaged, or longer than its header says.
    return undefined;
  }
  if (inflated.length !== size) return undefined;
  const distance = Math.max(1, bitsPerPixel / 8);
  const result: PassRows[] = [];
  let at = 0;
  for (const { height, rowBytes, ...pass } of passes) {
    const rows: Buffer[] = [];
    let above: Buffer = Buffer.alloc(rowBytes);
    for (let y = 0; y < height; y++, at += rowBytes + 1) {
      const row = unfilter(inflated[at] ?? 0, inflated.subarray(at + 1, at + 1 + rowBytes), above, distance);
      if (!row) return undefined;
      rows.push(row);
      above = row;
    }
    result.push({ ...pass, rows });
  }
  return result;
}

/** Reverses the filter of a row, in place; `undefined` for an unknown filter. */
function unfilter(filter: number, row: Buffer, above: Buffer, distance: number): Buffer | undefined {
  if (filter > 4) return undefined;
  for (let i = 0; i < row.length; i++) {
    const left = i < distance ? 0 : (row[i - distance] ?? 0);
    const up = above[i] ?? 0;
    const upLeft = i < distance ? 0 : (above[i - distance] ?? 0);
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter] ?? 0;
    row[i] = (row[i] ?? 0) + predicted;
  }
  return row;
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const distances = [left, up, upLeft].map((value) => Math.abs(estimate - value));
  const [toLeft = 0, toUp = 0, toUpLeft = 0] = distances;
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

function toRgba(passes: readonly PassRows[], header: Header, chunks: Chunks): Uint8Array {
  const { width, height, bitDepth, colorType } = header;
  const samples = COLOR_TYPES.get(colorType)?.samples ?? 0;
  const colorOf = createColorReader(header, chunks);
  const rgba = new Uint8Array(width * height * 4);
  for (const pass of passes) {
    for (const [row, bytes] of pass.rows.entries()) {
      for (let column = 0; column < pass.width; column++) {
        const values = Array.from({ length: samples }, (_, n) =>
          readSample(bytes, column * samples + n, bitDepth),
        );
        const at = (pass.y + row * pass.dy) * width + pass.x + column * pass.dx;
        rgba.set(colorOf(values), at * 4);
      }
    }
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
  const isGrayscale = GRAYSCALE.includes(colorType);
  const colors = isGrayscale ? 1 : 3;
  const transparent =
    transparency?.length === colors * 2
      ? Array.from({ length: colors }, (_, n) => transparency.readUInt16BE(n * 2))
      : undefined;
  return (values) => {
    const [red = 0, green = 0, blue = 0, alpha] = values.map((value) => Math.round(value * scale));
    const isTransparent =
      values.length === colors && transparent?.every((value, n) => value === values[n]) === true;
    const opacity = isTransparent ? 0 : 255;
    return isGrayscale
      ? [red, red, red, values.length > colors ? green : opacity]
      : [red, green, blue, alpha ?? opacity];
  };
}
