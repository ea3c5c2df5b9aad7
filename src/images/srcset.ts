import type { Media, MediaFormat } from '../models/field-types/media.ts';
import { type DisplaySize, type DisplaySizeOptions, displaySizeOf } from './display-size.ts';
import { checkOperation, mediaUrl } from './media-url.ts';
import { type AddressOptions, parseSource, resizableUrl } from './source-url.ts';

interface SharedOptions extends DisplaySizeOptions, AddressOptions {
  readonly format?: MediaFormat | undefined;
}

export type SrcsetOptions = SharedOptions &
  (
    | { readonly widths: readonly number[]; readonly densities?: undefined }
    | { readonly densities: readonly number[]; readonly width: number; readonly widths?: undefined }
  );

/**
 * The `srcset` of an image: the narrowest candidate first, no duplicates, none wider than the image if its
 * dimensions are known. Empty for an empty field, and for media that the CDN cannot resize.
 */
export function srcset(media: Media | null | undefined, options: SrcsetOptions): string {
  const { widths, densities, width = 0 } = options;
  if (!media) return '';
  const size = displaySizeOf(media, options);
  // In a box, an image that is not cropped may be narrower or wider than `width`.
  const shown = width && (size.width ?? width);
  const requested = widths ?? densities.map((density) => shown * density);
  return buildSrcset(media, size, requested, options, densities && shown);
}

/** With `baseWidth`, descriptors are densities relative to it (`2x`), otherwise widths (`800w`). */
export function buildSrcset(
  media: Media,
  size: DisplaySize,
  requested: readonly number[],
  options: SharedOptions,
  baseWidth?: number,
): string {
  const offered = requested.map((width) => Math.min(checkOperation('width', width), size.maxWidth));
  if (size.isUnknown || !resizableUrl(parseSource(media, options))) return '';
  return [...new Set(offered.sort((a, b) => a - b))]
    .map((width) => {
      // A comma at the end of a URL would separate candidates.
      const url = sizedUrl(media, size, width, options).replace(/,$/, '%2C');
      return `${url} ${baseWidth ? `${width / baseWidth}x` : `${width}w`}`;
    })
    .join(', ');
}

/** The URL of the image in this width; with the original options if the width is unknown. */
export function sizedUrl(
  media: Media,
  { ratio, isUnknown }: DisplaySize,
  width: number | undefined,
  options: SharedOptions,
): string {
  const height = ratio && width && Math.max(1, width * ratio);
  const operations = isUnknown ? options : ({ width, height, fit: 'crop', format: options.format } as const);
  return mediaUrl(media, operations, options);
}
