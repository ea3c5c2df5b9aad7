import { extname } from 'node:path';
import type { Metadata } from 'sharp';
import { badRequest } from '../http/http-error.ts';
import { openImage } from './sharp.ts';

/** The image formats that can be resized, as sharp names them. */
const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** The image format that a file extension indicates. */
export function formatFromName(name: string): ImageFormat | undefined {
  return findFormat(extname(name).slice(1).toLowerCase());
}

/** The image format with this name; `jpg` is `jpeg`. */
export function findFormat(name: string | undefined): ImageFormat | undefined {
  return name === 'jpg' ? 'jpeg' : IMAGE_FORMATS.find((known) => known === name);
}

/** The content type of an image format. */
export function imageType(format: ImageFormat): string {
  return `image/${format}`;
}

/** The properties of an image, read from its header. */
export interface ImageInfo {
  readonly format: ImageFormat;
  /** After rotation by the EXIF orientation. */
  readonly width: number;
  readonly height: number;
}

/** Images with more pixels are not resized: some formats are decoded in memory, at 4 bytes per pixel. */
const MAX_PIXELS = 64_000_000;

/** `undefined` if the file is not an image that can be resized: another format, too many pixels, or animated. */
export async function readImageInfo(bytes: Uint8Array): Promise<ImageInfo | undefined> {
  const metadata = await readHeader(bytes);
  const format = metadata && formatOf(metadata);
  if (!metadata || !format || (metadata.pages ?? 1) > 1) return undefined;
  if (metadata.width * metadata.height > MAX_PIXELS) return undefined;
  return { format, ...metadata.autoOrient };
}

/** Throws a 400 if an upload has the name or content type of an image format, but not its header. */
export async function checkUploadedImage(bytes: Uint8Array, name: string, type: string): Promise<void> {
  const formatFromType = IMAGE_FORMATS.find(
    (format) => imageType(format) === type.toLowerCase().split(';')[0],
  );
  const claimed = new Set([formatFromName(name), formatFromType].filter((format) => format !== undefined));
  if (claimed.size === 0) return;
  const metadata = await readHeader(bytes);
  const format = metadata && formatOf(metadata);
  if (!format || claimed.size > 1 || !claimed.has(format)) throw badRequest();
}

/** `undefined`: sharp cannot read the header, or it declares too many pixels. */
async function readHeader(bytes: Uint8Array): Promise<Metadata | undefined> {
  if (bytes.length === 0) return undefined;
  const image = await openImage(bytes);
  return image.metadata().catch(() => undefined);
}

function formatOf({ format, compression }: Metadata): ImageFormat | undefined {
  return format === 'heif' && compression === 'av1' ? 'avif' : findFormat(format);
}
