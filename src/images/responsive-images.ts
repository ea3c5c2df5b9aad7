import type { TextPictures } from '../models/field-types/texts.ts';
import { mediaAttributes } from './attributes.ts';
import type { Dimensions } from './dimensions/known-dimensions.ts';
import { displaySizeOf } from './display-size.ts';
import { type Attributes, mapImages } from './map-images.ts';
import { type MediaOperations, parseMediaUrl } from './media-url.ts';

export type PreviewOf = (src: string, ratio: number | undefined) => Readonly<Record<string, string>>;

export interface ImageContext {
  readonly assetsUrl: string;
  /** By URL without the CDN's parameters. */
  readonly dimensionsOf: (src: string) => Dimensions | undefined;
  /** The attributes that show the placeholder of an image, by the same URL. `ratio` is that of the box it is cropped to. */
  readonly previewOf?: PreviewOf | undefined;
}

/** The URLs of images in HTML that are media, without the CDN's parameters. */
export function imageUrlsIn(html: string, assetsUrl: string): string[] {
  const found: string[] = [];
  mapImages(html, (attributes) => {
    const parsed = parseMediaUrl(attributes.get('src') ?? '', { assetsUrl });
    if (parsed) found.push(parsed.src);
    return undefined;
  });
  return found;
}

/**
 * Adds `srcset`, `sizes`, `width`, `height`, `loading` and `decoding` to images in HTML that are media. Existing
 * attributes are kept. An image of unknown dimensions gets only `loading` and `decoding`: with a wrong width in
 * `srcset` it would be displayed too small. With `placeholder`, each image also gets its preview.
 */
export function makeImagesResponsive(html: string, options: TextPictures, context: ImageContext): string {
  return mapImages(html, (attributes) => {
    const parsed = parseMediaUrl(attributes.get('src') ?? '', context);
    if (!parsed) return undefined;
    const dimensions = context.dimensionsOf(parsed.src);
    return {
      ...(dimensions && responsiveAttributes(attributes, parsed, dimensions, options, context)),
      ...(!attributes.has('loading') && { loading: 'lazy' }),
      ...(!attributes.has('decoding') && { decoding: 'async' }),
      ...(options.placeholder && context.previewOf?.(parsed.src, croppedRatio(parsed.operations))),
    };
  });
}

function responsiveAttributes(
  attributes: Attributes,
  { src, operations }: NonNullable<ReturnType<typeof parseMediaUrl>>,
  dimensions: Dimensions,
  { layout, width: maxWidth, format = 'webp', sizes, breakpoints }: TextPictures,
  { assetsUrl }: ImageContext,
): Record<string, string | number> {
  // The CDN's parameters in the URL decide on the intended size; their default fit is `bounds`.
  const size = displaySizeOf(dimensions, { fit: 'bounds', ...operations });
  const ratio = (size.height ?? dimensions.height) / (size.width ?? dimensions.width);
  const intended = Math.min(size.width ?? dimensions.width, size.maxWidth);
  const width = Math.min(intended, maxWidth ?? intended, widthIn(attributes, ratio) ?? intended);
  const image = mediaAttributes(
    { url: src, alt: '', width: dimensions.width, height: dimensions.height },
    {
      ...{ layout, width, format, sizes, breakpoints, assetsUrl },
      ...(croppedRatio(operations) && { height: heightFor(width, ratio) }),
    },
  );
  return {
    ...missingSides(attributes, width, ratio),
    ...(!attributes.has('srcset') && {
      src: image.src,
      ...(image.srcset && { srcset: image.srcset }),
      ...(image.sizes && { sizes: image.sizes }),
    }),
  };
}

/** Height divided by width of the box that the CDN's parameters crop an image to. */
function croppedRatio({ width, height, fit }: MediaOperations): number | undefined {
  return width && height && fit === 'crop' ? height / width : undefined;
}

/** The width that the HTML itself sets, also by `height`. */
function widthIn(attributes: Attributes, ratio: number): number | undefined {
  const height = parsePixels(attributes.get('height'));
  return parsePixels(attributes.get('width')) ?? (height && Math.max(1, Math.round(height / ratio)));
}

/** A side in `style`, also as a limit; not `border-width` or `line-height`. */
const STYLED_SIDE = /(?:^|;)\s*(?:max-|min-)?(?:width|height)\s*:/i;

/**
 * `width` and `height` as far as the HTML does not set them; none if it sets one in other units than pixels, or in
 * `style`: the other side would distort the image.
 */
function missingSides(attributes: Attributes, width: number, ratio: number): Record<string, number> {
  if (STYLED_SIDE.test(attributes.get('style') ?? '')) return {};
  const hasWidth = attributes.has('width');
  const hasHeight = attributes.has('height');
  const own = widthIn(attributes, ratio);
  if (!hasWidth && !hasHeight) return { width, height: heightFor(width, ratio) };
  if (!own || (hasWidth && hasHeight)) return {};
  return hasWidth ? { height: heightFor(own, ratio) } : { width: own };
}

function heightFor(width: number, ratio: number): number {
  return Math.max(1, Math.round(width * ratio));
}

function parsePixels(value: string | undefined): number | undefined {
  return (/^\s*[1-9]\d{0,3}\s*$/.test(value ?? '') && Number(value)) || undefined;
}
