import { GIF } from 'image-size/types/gif';
import { HEIF } from 'image-size/types/heif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { isAvifRotated } from './avif-rotation.ts';
import type { ImageInfo } from './known-dimensions.ts';
import { svgSize } from './svg-size.ts';

/** EXIF orientations from this one on rotate by 90°. */
const FIRST_ROTATED_ORIENTATION = 5;

interface Size {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

interface Format {
  readonly name: string;
  /** What files of this format start with, byte for byte. */
  readonly signature: RegExp;
  /** Bytes that the parser gets: for malicious files it is quadratic in them. */
  readonly maxBytes: number;
  /** Reads the size as it is stored, or throws. */
  parse(header: Buffer): Size | undefined;
}

/** The formats that browsers display. Other files are not parsed. */
const FORMATS: readonly Format[] = [
  // A large profile or preview may precede the dimensions.
  { name: 'jpg', signature: /^\xff\xd8\xff/, maxBytes: 1024 * 1024, parse: JPG.calculate },
  { name: 'png', signature: /^\x89PNG.{8}IHDR/s, maxBytes: 64, parse: PNG.calculate },
  { name: 'gif', signature: /^GIF8[79]a/, maxBytes: 64, parse: GIF.calculate },
  { name: 'webp', signature: /^RIFF.{4}WEBPVP8/s, maxBytes: 64, parse: WEBP.calculate },
  {
    name: 'avif',
    // `avis` is that of animations.
    signature: /^.{4}ftyp(?:avif|avis|mif1)/s,
    maxBytes: 16 * 1024,
    parse: (header) => ({
      ...HEIF.calculate(header),
      orientation: isAvifRotated(header) ? FIRST_ROTATED_ORIENTATION : 1,
    }),
  },
  // Any text: the parser finds out whether it is an image. A licence may precede the root element.
  { name: 'svg', signature: /^/, maxBytes: 16 * 1024, parse: (header) => svgSize(header.toString()) },
];
const SIGNATURE_LENGTH = 16;

/** Reads the first bytes of an image; `undefined` if they are too few, or not of an image for the web. */
export function parseImageHeader(bytes: Uint8Array): ImageInfo | undefined {
  // A copy, because the parsers read past the end of a view, into whatever memory is next to it. The parsers slice at
  // every step: slices of a Buffer are views, copies would make them quadratic.
  const view = Buffer.from(new Uint8Array(bytes).buffer);
  const start = view.toString('latin1', 0, SIGNATURE_LENGTH);
  const format = FORMATS.find(({ signature }) => signature.test(start));
  if (!format) return undefined;
  try {
    const { width = 0, height = 0, orientation = 1 } = format.parse(view.subarray(0, format.maxBytes)) ?? {};
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
