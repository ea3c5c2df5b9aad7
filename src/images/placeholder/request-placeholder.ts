import { rgbaToThumbHash } from 'thumbhash';
import type { ImagePlaceholder } from '../../models/field-types/media.ts';
import { AssetError, type RequestOptions, requestAsset } from '../assets/request-asset.ts';
import { mediaUrl } from '../media-url.ts';
import { decodePng, type Pixels } from './decode-png.ts';
import { dominantColor } from './dominant-color.ts';

/** A ThumbHash keeps at most 7 frequencies per side, so that more pixels would not change it visibly. */
const SIDE = 32;
/** A PNG of that size has at most 8 kB of pixels; the rest leaves room for a color profile. */
const MAX_BYTES = 256 * 1024;
/** The CDN cannot resize the file: it is damaged, too large, or of another type. */
const REFUSALS = [400, 413, 415, 422];

/**
 * Requests a tiny version of an image from the CDN and makes its placeholder. PNG, because Node can decode it without
 * a native package. `bounds` with both sides limits them for every aspect ratio.
 */
export async function requestPlaceholder(url: string, options: RequestOptions): Promise<ImagePlaceholder> {
  const small = mediaUrl(url, { width: SIDE, height: SIDE, fit: 'bounds', format: 'png' });
  if (small === url) throw new AssetError('is a file that the CDN does not resize', { isFinal: true });
  const bytes = await requestAsset(small, { accept: 'image/png' }, options, readBytes, REFUSALS);
  const pixels = bytes && decodePng(bytes, SIDE);
  if (!pixels) throw new AssetError('has no small version as PNG', { isFinal: true });
  return createPlaceholder(pixels);
}

function createPlaceholder(pixels: Pixels): ImagePlaceholder {
  const { width, height, rgba } = pixels;
  return {
    thumbHash: Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64'),
    color: dominantColor(pixels),
    hasAlpha: rgba.some((value, index) => index % 4 === 3 && value < 255),
  };
}

/** The body; `undefined` if it is too long, and then the rest is not read. */
async function readBytes({ body }: Response): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) return undefined;
  }
  return Buffer.concat(parts);
}
