import { badRequest, HttpError } from '../http/http-error.ts';
import type { Parameters } from '../read/parse-query.ts';
import { findFormat, type ImageFormat, type ImageInfo } from './image-info.ts';

/** The parameters of the CDN image optimizer (§2.2). */
export interface ImageRequest {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fit: Fit;
  /** `undefined`: the format of the original. */
  readonly format: ImageFormat | undefined;
  readonly progressive: boolean;
}

/**
 * How an image is fitted to a width and height, always with its aspect ratio: `bounds` inside of the box, `cover`
 * around it, `crop` cropped at the centre to exactly the box.
 */
const FITS = ['bounds', 'cover', 'crop'] as const;
type Fit = (typeof FITS)[number];

const MAX_SIDE = 8_192;
/** As AVIF, the slowest format, this takes some seconds and 600 MB of memory. */
const MAX_PIXELS = 4_096 * 4_096;

/** Parses the parameters; `undefined` if none changes the image. */
export function parseImageRequest(parameters: Parameters): ImageRequest | undefined {
  const width = parseSide(parameters.get('width'));
  const height = parseSide(parameters.get('height'));
  const fit = FITS.find((known) => known === (parameters.get('fit') ?? FITS[0]));
  const name = parameters.get('format');
  const progressive = name === 'pjpg';
  const format = progressive ? 'jpeg' : findFormat(name);
  if (!fit || (name !== undefined && !format)) throw badRequest();
  if (width === undefined && height === undefined && format === undefined) return undefined;
  return { width, height, fit, format, progressive };
}

/**
 * The size of the result; `undefined` if an original that would not be enlarged is above the limits. One side
 * alone never enlarges, two sides do. The side that decides is exact, the other one is rounded.
 */
export function computeSize(request: ImageRequest, original: Size): Size | undefined {
  const size = requestedSize(request, original);
  const isTooLarge = Math.max(size.width, size.height) > MAX_SIDE || size.width * size.height > MAX_PIXELS;
  if (!isTooLarge) return size;
  if (size.width <= original.width && size.height <= original.height) return undefined;
  throw new HttpError(400, {
    explanation: `The image would be enlarged to ${size.width} × ${size.height} pixels. The emulator makes at most ${MAX_SIDE} on a side and ${MAX_PIXELS} in total.`,
  });
}

export type Size = Pick<ImageInfo, 'width' | 'height'>;

function requestedSize(request: ImageRequest, { width, height }: Size): Size {
  const scaled = (scale: number) => ({
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  });
  if (request.width === undefined && request.height === undefined) return { width, height };
  if (request.height === undefined) return scaled(Math.min(1, (request.width as number) / width));
  if (request.width === undefined) return scaled(Math.min(1, request.height / height));
  if (request.fit === 'crop') return { width: request.width, height: request.height };
  const scales = [request.width / width, request.height / height] as const;
  return scaled(request.fit === 'cover' ? Math.max(...scales) : Math.min(...scales));
}

function parseSide(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const length = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (length < 1 || length > MAX_SIDE) throw badRequest();
  return length;
}
