import type { Media, MediaFormat, MediaLayout } from '../models/field-types/media.ts';
import { type FrameOptions, frameOf } from './display-size.ts';
import { layOut } from './layout.ts';
import type { AddressOptions } from './source-url.ts';
import { candidates, sizedUrl } from './srcset.ts';

export interface AttributeOptions extends FrameOptions, AddressOptions {
  /** Default `constrained`: as wide as `width`, or as its place where that is narrower. */
  readonly layout?: MediaLayout | undefined;
  /** Default: that of the picture. */
  readonly format?: MediaFormat | undefined;
  /** How wide the picture is shown, in CSS. Default: by layout and width. */
  readonly sizes?: string | undefined;
  /** Offer these widths. Default: by layout, width and breakpoints. */
  readonly widths?: readonly number[] | undefined;
  /** Default: Astro's for CDNs. */
  readonly breakpoints?: readonly number[] | undefined;
  /** Load it at once, before others: for what is seen first. */
  readonly priority?: boolean | undefined;
  /** Default: the media's own. */
  readonly alt?: string | undefined;
}

/** What an `<img>` needs. */
export interface MediaAttributes {
  /** Empty for an address that a page must not load, such as `javascript:`. */
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

/** The attributes of a picture; nothing for an empty field. */
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
  const frame = frameOf(media, options);
  const { width, height, most } = frame;
  const { widths, sizes } = layOut(layout, width, most, breakpoints);
  const srcset = candidates(media, frame, options.widths ?? widths, options) || undefined;
  return {
    src: sizedUrl(media, frame, width && Math.min(width, most), options),
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
