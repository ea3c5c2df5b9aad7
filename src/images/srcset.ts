import type { Media, MediaFormat } from '../models/field-types/media.ts';
import { type Frame, type FrameOptions, frameOf } from './display-size.ts';
import { checked, mediaUrl } from './media-url.ts';
import { type AddressOptions, addressOf, resizable } from './source-url.ts';

interface SharedOptions extends FrameOptions, AddressOptions {
  readonly format?: MediaFormat | undefined;
}

export type SrcsetOptions = SharedOptions &
  (
    | { readonly widths: readonly number[]; readonly densities?: undefined }
    | { readonly densities: readonly number[]; readonly width: number; readonly widths?: undefined }
  );

/**
 * The candidates of a picture, narrowest first, each once, none wider than the picture itself where its
 * size is known. Empty for an empty field, and for what the CDN cannot resize.
 */
export function srcset(media: Media | null | undefined, options: SrcsetOptions): string {
  const { widths, densities, width = 0 } = options;
  if (!media) return '';
  const wanted = widths ?? densities.map((density) => width * density);
  return candidates(media, frameOf(media, options), wanted, options, densities && width);
}

/** The same for a frame that is known. With `per`, what is told is the density of a picture so wide. */
export function candidates(
  media: Media,
  frame: Frame,
  wanted: readonly number[],
  options: SharedOptions,
  per?: number,
): string {
  const offered = wanted.map((width) => Math.min(checked('width', width), frame.most));
  if (frame.isOpen || !resizable(addressOf(media, options))) return '';
  return [...new Set(offered.sort((a, b) => a - b))]
    .map((width) => {
      // A comma at its end would be taken for the list's.
      const url = sizedUrl(media, frame, width, options).replace(/,$/, '%2C');
      return `${url} ${per ? `${width / per}x` : `${width}w`}`;
    })
    .join(', ');
}

/** The picture of a frame in exactly this width; as it was asked for, where nobody can tell the width. */
export function sizedUrl(
  media: Media,
  { ratio, isOpen }: Frame,
  width: number | undefined,
  options: SharedOptions,
): string {
  const height = ratio && width && Math.max(1, Math.round(width * ratio));
  const size = isOpen ? options : ({ width, height, fit: 'crop', format: options.format } as const);
  return mediaUrl(media, size, options);
}
