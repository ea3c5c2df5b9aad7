import type { Media, MediaFormat, MediaLayout } from '../models/field-types/media.ts';
import { type DisplaySizeOptions, displaySizeOf } from './display-size.ts';
import { layoutWidths } from './layout.ts';
import type { AddressOptions } from './source-url.ts';
import { buildSrcset, sizedUrl } from './srcset.ts';

export interface AttributeOptions extends DisplaySizeOptions, AddressOptions {
  /** Default `constrained`: as wide as `width`, or as its container if that is narrower. */
  readonly layout?: MediaLayout | undefined;
  /** Default: that of the image. */
  readonly format?: MediaFormat | undefined;
  /** The displayed width, in CSS. Default: by layout and width. */
  readonly sizes?: string | undefined;
  /** The widths in `srcset`. Default: by layout, width and breakpoints. */
  readonly widths?: readonly number[] | undefined;
  /** Default: Astro's for CDNs. */
  readonly breakpoints?: readonly number[] | undefined;
  /** Load it immediately, before others: for images above the fold. */
  readonly priority?: boolean | undefined;
  /** Default: the media's own. */
  readonly alt?: string | undefined;
}

/** The attributes of an `<img>`. */
export interface MediaAttributes {
  /** Empty for a URL that a page must not load, such as `javascript:`. */
  src: string;
  srcset: string | undefined;
  sizes: string | undefined;
  width: number | undefined;
  height: number | undefined;
  alt: string;
  loading: 'lazy' | 'eager';
  decoding: 'async' | 'sync';
  fetchpriority: 'high' | undefined;
}

/** The attributes of an `<img>`; `undefined` for an empty field. */
export function mediaAttributes(media: Media, options?: AttributeOptions): MediaAttributes;
export function mediaAttributes(
  media: Media | null | undefined,
  options?: AttributeOptions,
): MediaAttributes | undefined;
export function mediaAttributes(
  media: Media | null | undefined,
  options: AttributeOptions = {},
): MediaAttributes | undefined {
  if (!media) return undefined;
  const { layout, breakpoints, priority } = options;
  const size = displaySizeOf(media, options);
  const { width, height, maxWidth } = size;
  const { widths, sizes } = layoutWidths(layout, width, maxWidth, breakpoints);
  const srcset = buildSrcset(media, size, options.widths ?? widths, options) || undefined;
  return {
    src: sizedUrl(media, size, width && Math.min(width, maxWidth), options),
    srcset,
    sizes: srcset && (options.sizes ?? sizes),
    width,
    height,
    alt: options.alt ?? media.alt ?? '',
    loading: priority ? 'eager' : 'lazy',
    decoding: priority ? 'sync' : 'async',
    fetchpriority: priority ? 'high' : undefined,
  };
}
