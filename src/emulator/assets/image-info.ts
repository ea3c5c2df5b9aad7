import { extname } from 'node:path';
import type { Metadata } from 'sharp';
import { badRequest } from '../http/refusal.ts';
import { openPicture } from './sharp.ts';

/** The kinds of picture that can be worked on, as sharp names them. */
export const PICTURES = ['jpeg', 'png', 'webp', 'avif'] as const;
export type PictureFormat = (typeof PICTURES)[number];

export const PICTURE_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
};

const EXTENSIONS: ReadonlyMap<string, PictureFormat> = new Map([
  ['.jpg', 'jpeg'],
  ['.jpeg', 'jpeg'],
  ['.png', 'png'],
  ['.webp', 'webp'],
  ['.avif', 'avif'],
]);

/** The kind of picture that a file name speaks of. */
export function namedPicture(name: string): PictureFormat | undefined {
  return EXTENSIONS.get(extname(name).toLowerCase());
}

/** A picture as its header tells it. */
export interface Picture {
  readonly format: PictureFormat;
  /** As it is to be seen, turned by its EXIF orientation. */
  readonly width: number;
  readonly height: number;
}

/** An image of more pixels is not resized: some would be held in memory as a whole, at 4 bytes a pixel. */
const MOST_PIXELS = 64_000_000;

/** What the header says; `undefined` if it is not an image to work on, has too many pixels, or moves. */
export async function inspect(bytes: Uint8Array): Promise<Picture | undefined> {
  const metadata = await readHeader(bytes);
  const format = metadata && formatOf(metadata);
  if (!metadata || !format || (metadata.pages ?? 1) > 1) return undefined;
  if (metadata.width * metadata.height > MOST_PIXELS) return undefined;
  return { format, ...metadata.autoOrient };
}

/** Refuses an upload whose name or type says that it is a picture, if its header does not agree. */
export async function checkPicture(bytes: Uint8Array, name: string, type: string): Promise<void> {
  const typed = PICTURES.find((format) => PICTURE_TYPES[format] === type.toLowerCase().split(';')[0]);
  const claims = new Set([namedPicture(name), typed].filter((claim) => claim !== undefined));
  if (claims.size === 0) return;
  const metadata = await readHeader(bytes);
  const format = metadata && formatOf(metadata);
  if (!format || claims.size > 1 || !claims.has(format)) throw badRequest();
}

/** `undefined`: it has no header that sharp knows, or one that promises too many pixels. */
async function readHeader(bytes: Uint8Array): Promise<Metadata | undefined> {
  if (bytes.length === 0) return undefined;
  const image = await openPicture(bytes);
  return image.metadata().catch(() => undefined);
}

function formatOf({ format, compression }: Metadata): PictureFormat | undefined {
  if (format === 'heif' && compression === 'av1') return 'avif';
  return PICTURES.find((known) => known === format);
}
