import type { Media, MediaFit } from '../models/field-types/media.ts';
import { checkOperations, MAX_SIDE } from './media-url.ts';

export interface DisplaySizeOptions {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** How the image fits into `width` and `height` if both are set. Default `crop`: exactly that box. */
  readonly fit?: MediaFit | undefined;
}

/** The size in which an image is displayed, as far as it is known. */
export interface DisplaySize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The widest that does not enlarge the image, as far as its dimensions are known. */
  readonly maxWidth: number;
  /** Height divided by width, if the image is cropped to it. */
  readonly ratio?: number;
  /** Truthy if the width depends on dimensions that are not known. */
  readonly isUnknown?: unknown;
}

export function displaySizeOf(media: Partial<Media>, options: DisplaySizeOptions): DisplaySize {
  const { width, height, fit = 'crop' } = options;
  checkOperations(options);
  const { width: ownWidth, height: ownHeight } = media;
  const { min, max, round } = Math;
  const maxWidth = min(ownWidth || MAX_SIDE, MAX_SIDE);
  if (width && height && fit === 'crop') {
    const ratio = height / width;
    const widest = min(maxWidth, (ownHeight || MAX_SIDE) / ratio);
    return { width, height, maxWidth: max(1, Math.floor(widest)), ratio };
  }
  if (!ownWidth || !ownHeight) {
    // The image has other sides than the box that it fits into or covers.
    const isBox = width && height;
    return isBox ? { maxWidth, isUnknown: true } : { width, height, maxWidth, isUnknown: height };
  }
  const scales = [width! / ownWidth, height! / ownHeight].filter((scale) => scale > 0);
  const scale = scales.length ? (fit === 'cover' ? max : min)(...scales) : 1;
  return { width: max(1, round(ownWidth * scale)), height: max(1, round(ownHeight * scale)), maxWidth };
}
