import type { Media, MediaFit } from '../models/field-types/media.ts';
import { LONGEST_SIDE, mediaUrl } from './media-url.ts';

export interface FrameOptions {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** How the picture meets `width` and `height` where both are given. Default `crop`: exactly that box. */
  readonly fit?: MediaFit | undefined;
}

/** The size in which a picture is shown. */
export interface Frame {
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The widest without enlarging, as far as the picture's own size is known. */
  readonly most: number;
  /** The height for each pixel of width, where the picture is cut to it. */
  readonly ratio?: number;
  /** Set if nobody can tell how wide the picture will be: it depends on a shape that is not known. */
  readonly isOpen?: unknown;
}

export function frameOf(media: Partial<Media>, options: FrameOptions): Frame {
  // Refuses what cannot be asked for, before anything is made of it.
  mediaUrl('', options);
  const { width, height, fit = 'crop' } = options;
  const { width: ownWidth, height: ownHeight } = media;
  const { min, max, round } = Math;
  const most = min(ownWidth || LONGEST_SIDE, LONGEST_SIDE);
  if (width && height && fit === 'crop') {
    const ratio = height / width;
    const widest = min(most, (ownHeight || LONGEST_SIDE) / ratio);
    return { width, height, most: max(1, Math.floor(widest)), ratio };
  }
  if (!ownWidth || !ownHeight) return { width, height, most, isOpen: height };
  const scales = [width! / ownWidth, height! / ownHeight].filter((scale) => scale > 0);
  const scale = scales.length ? (fit === 'cover' ? max : min)(...scales) : 1;
  return { width: max(1, round(ownWidth * scale)), height: max(1, round(ownHeight * scale)), most };
}
