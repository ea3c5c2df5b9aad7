import type { KnownSize } from './known-dimensions.ts';

/** The first EXIF orientation of those that lay a picture on its side. */
const ON_ITS_SIDE = 5;

interface Parser {
  validate(bytes: Uint8Array): boolean;
  calculate(bytes: Uint8Array): { width: number; height: number; orientation?: number };
}

interface Format {
  readonly name: string;
  /** Whether an image that begins with these bytes is of this format. */
  matches(start: Buffer): boolean;
  /** How many bytes the parser may look at: it is quadratic in them for hostile files. */
  readonly mostBytes: number;
  parser(): Promise<Parser>;
}

const startsWith = (text: string, at = 0) => {
  const wanted = Buffer.from(text, 'latin1');
  return (start: Buffer) => start.subarray(at, at + wanted.length).equals(wanted);
};
const isAvifBrand = [startsWith('avif', 8), startsWith('mif1', 8)];

/** The formats that browsers show. No other is parsed, whatever a file claims to be. */
const FORMATS: readonly Format[] = [
  {
    name: 'jpg',
    matches: startsWith('\xff\xd8\xff'),
    // A large profile or preview may come before the size.
    mostBytes: 1024 * 1024,
    parser: async () => (await import('image-size/types/jpg')).JPG,
  },
  {
    name: 'png',
    matches: startsWith('\x89PNG\r\n\x1a\n'),
    mostBytes: 64,
    parser: async () => (await import('image-size/types/png')).PNG,
  },
  {
    name: 'gif',
    matches: startsWith('GIF8'),
    mostBytes: 64,
    parser: async () => (await import('image-size/types/gif')).GIF,
  },
  {
    name: 'webp',
    matches: (start) => startsWith('RIFF')(start) && startsWith('WEBPVP8', 8)(start),
    mostBytes: 64,
    parser: async () => (await import('image-size/types/webp')).WEBP,
  },
  {
    name: 'avif',
    matches: (start) => startsWith('ftyp', 4)(start) && isAvifBrand.some((matches) => matches(start)),
    mostBytes: 16 * 1024,
    parser: async () => (await import('image-size/types/heif')).HEIF,
  },
  {
    name: 'svg',
    matches: (start) => /<svg\s/.test(start.toString('latin1')),
    mostBytes: 16 * 1024,
    parser: async () => (await import('image-size/types/svg')).SVG,
  },
];

/** The bytes by which a format is told. */
const START = 1000;

/** What the first bytes of an image say of it; `undefined` if they are too few, or not an image for the web. */
export async function readSize(bytes: Uint8Array): Promise<KnownSize | undefined> {
  // The parsers slice at every step: a view of a Buffer costs nothing, a copy of the rest makes them quadratic.
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.subarray(0, START);
  const format = FORMATS.find(({ matches }) => matches(start));
  if (!format) return undefined;
  const parser = await format.parser();
  try {
    const looked = view.subarray(0, format.mostBytes);
    if (!parser.validate(looked)) return undefined;
    const { width, height, orientation = 1 } = parser.calculate(looked);
    if (!isSensible(width) || !isSensible(height)) return undefined;
    const size = { width: Math.round(width), height: Math.round(height), format: format.name };
    return orientation < ON_ITS_SIDE ? size : { ...size, width: size.height, height: size.width };
  } catch {
    // Cut off before the size, or malformed.
    return undefined;
  }
}

/** More than any image for the web: what claims more is malformed or hostile. */
const MOST_PIXELS = 100_000;

function isSensible(side: number): boolean {
  return side >= 1 && side <= MOST_PIXELS;
}
