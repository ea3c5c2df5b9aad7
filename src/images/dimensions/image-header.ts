import { isAvifRotated } from './avif-rotation.ts';
import type { ImageInfo } from './known-dimensions.ts';
import { isSvg, svgSize } from './svg-size.ts';

/** EXIF orientations from this one on rotate by 90°. */
const FIRST_ROTATED_ORIENTATION = 5;

interface Size {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}
type Parse = (header: Buffer) => Size | undefined;

interface Format {
  readonly name: string;
  /** Whether a file that starts with these bytes has this format. */
  matches(start: Buffer): boolean;
  /** Bytes that the parser gets: for malicious files it is quadratic in them. */
  readonly maxBytes: number;
  parser(): Promise<Parse>;
}

/** A parser of image-size. */
interface Parser {
  validate(bytes: Uint8Array): boolean;
  calculate(bytes: Uint8Array): Size;
}

function checked(parser: Parser): Parse {
  return (header) => (parser.validate(header) ? parser.calculate(header) : undefined);
}

const startsWith = (text: string, at = 0) => {
  const bytes = Buffer.from(text, 'latin1');
  return (start: Buffer) => start.subarray(at, at + bytes.length).equals(bytes);
};
/** `avis` is that of animations. */
const isAvifBrand = [startsWith('avif', 8), startsWith('avis', 8), startsWith('mif1', 8)];

/** The formats that browsers display. Other files are not parsed. */
const FORMATS: readonly Format[] = [
  {
    name: 'jpg',
    matches: startsWith('\xff\xd8\xff'),
    // A large profile or preview may precede the dimensions.
    maxBytes: 1024 * 1024,
    parser: async () => checked((await import('image-size/types/jpg')).JPG),
  },
  {
    name: 'png',
    matches: startsWith('\x89PNG\r\n\x1a\n'),
    maxBytes: 64,
    parser: async () => checked((await import('image-size/types/png')).PNG),
  },
  {
    name: 'gif',
    matches: startsWith('GIF8'),
    maxBytes: 64,
    parser: async () => checked((await import('image-size/types/gif')).GIF),
  },
  {
    name: 'webp',
    matches: (start) => startsWith('RIFF')(start) && startsWith('WEBPVP8', 8)(start),
    maxBytes: 64,
    parser: async () => checked((await import('image-size/types/webp')).WEBP),
  },
  {
    name: 'avif',
    matches: (start) => startsWith('ftyp', 4)(start) && isAvifBrand.some((matches) => matches(start)),
    maxBytes: 16 * 1024,
    parser: async () => {
      const { HEIF } = await import('image-size/types/heif');
      return (header) => ({
        ...HEIF.calculate(header),
        orientation: isAvifRotated(header) ? FIRST_ROTATED_ORIENTATION : 1,
      });
    },
  },
  {
    name: 'svg',
    matches: (start) => isSvg(start.toString()),
    maxBytes: 16 * 1024,
    parser: async () => (header) => svgSize(header.toString()),
  },
];

/** The bytes that the format is detected from. A licence may precede the root element of an SVG image. */
const SIGNATURE_LENGTH = 16 * 1024;

/** Reads the first bytes of an image; `undefined` if they are too few, or not of an image for the web. */
export async function parseImageHeader(bytes: Uint8Array): Promise<ImageInfo | undefined> {
  // A copy, because the parsers read past the end of a view, into whatever memory is next to it. The parsers slice at
  // every step: slices of a Buffer are views, copies would make them quadratic.
  const view = Buffer.from(new Uint8Array(bytes).buffer);
  const start = view.subarray(0, SIGNATURE_LENGTH);
  const format = FORMATS.find(({ matches }) => matches(start));
  if (!format) return undefined;
  const parse = await format.parser();
  try {
    const { width = 0, height = 0, orientation = 1 } = parse(view.subarray(0, format.maxBytes)) ?? {};
    if (!isPlausible(width) || !isPlausible(height)) return undefined;
    const image = { width: Math.round(width), height: Math.round(height), format: format.name };
    return orientation < FIRST_ROTATED_ORIENTATION
      ? image
      : { ...image, width: image.height, height: image.width };
  } catch {
    // Truncated before the dimensions, or malformed.
    return undefined;
  }
}

/** More pixels than an image for the web has: the file is malformed or malicious. */
const MAX_SIDE_LENGTH = 100_000;

function isPlausible(side: number): boolean {
  return side >= 1 && side <= MAX_SIDE_LENGTH;
}
