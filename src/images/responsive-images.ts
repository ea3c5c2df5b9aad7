import type { TextPictures } from '../models/field-types/texts.ts';
import { mediaAttributes } from './attributes.ts';
import type { Size } from './dimensions/known-dimensions.ts';
import { frameOf } from './display-size.ts';
import { type Attributes, mapImages } from './map-images.ts';
import { parseMediaUrl } from './media-url.ts';

export interface PictureContext {
  readonly assetsUrl: string;
  /** By the address of a media without the CDN's parameters. */
  readonly sizeOf: (src: string) => Size | undefined;
}

/** The media that an HTML text shows as pictures, without the CDN's parameters. */
export function picturesIn(html: string, assetsUrl: string): string[] {
  const found: string[] = [];
  mapImages(html, (attributes) => {
    const parsed = parseMediaUrl(attributes.get('src') ?? '', { assetsUrl });
    if (parsed) found.push(parsed.src);
    return undefined;
  });
  return found;
}

/**
 * Makes the pictures of an HTML text responsive, those that are media: they come in the size in which
 * they are shown, keep their place, and are loaded when they come into view. What the text says itself
 * of a picture stays. A picture whose size is not known is loaded late, and else left as it is: to
 * promise a width that it may not have would make it too small.
 */
export function responsivePictures(html: string, options: TextPictures, context: PictureContext): string {
  return mapImages(html, (attributes) => {
    const parsed = parseMediaUrl(attributes.get('src') ?? '', context);
    if (!parsed) return undefined;
    const size = context.sizeOf(parsed.src);
    return {
      ...(size && sized(attributes, parsed, size, options, context)),
      ...(!attributes.has('loading') && { loading: 'lazy' }),
      ...(!attributes.has('decoding') && { decoding: 'async' }),
    };
  });
}

function sized(
  attributes: Attributes,
  { src, operations }: NonNullable<ReturnType<typeof parseMediaUrl>>,
  size: Size,
  { layout, width: widest, format = 'webp', sizes, breakpoints }: TextPictures,
  { assetsUrl }: PictureContext,
): Record<string, string | number> {
  // The picture as the text means it: with the CDN's parameters, which fit into a box unless they cut to it.
  const frame = frameOf(size, { fit: 'bounds', ...operations });
  const ratio = (frame.height ?? size.height) / (frame.width ?? size.width);
  const meant = Math.min(frame.width ?? size.width, frame.most);
  const isCut = operations.width && operations.height && operations.fit === 'crop';
  const width = Math.min(meant, widest ?? meant, ownWidth(attributes, ratio) ?? meant);
  const picture = mediaAttributes(
    { url: src, alt: '', width: size.width, height: size.height },
    {
      ...{ layout, width, format, sizes, breakpoints, assetsUrl },
      ...(isCut && { height: heightOf(width, ratio) }),
    },
  );
  return {
    ...missingSides(attributes, width, ratio),
    ...(!attributes.has('srcset') && {
      src: picture.src,
      ...(picture.srcset && { srcset: picture.srcset }),
      ...(picture.sizes && { sizes: picture.sizes }),
    }),
  };
}

/** How wide the text itself wants the picture. */
function ownWidth(attributes: Attributes, ratio: number): number | undefined {
  const height = pixels(attributes.get('height'));
  return pixels(attributes.get('width')) ?? (height && Math.max(1, Math.round(height / ratio)));
}

/** The sides that the text does not tell; none where it tells one in other terms than pixels. */
function missingSides(attributes: Attributes, width: number, ratio: number): Record<string, number> {
  const hasWidth = attributes.has('width');
  const hasHeight = attributes.has('height');
  const own = ownWidth(attributes, ratio);
  if (!hasWidth && !hasHeight) return { width, height: heightOf(width, ratio) };
  if (!own || (hasWidth && hasHeight)) return {};
  return hasWidth ? { height: heightOf(own, ratio) } : { width: own };
}

function heightOf(width: number, ratio: number): number {
  return Math.max(1, Math.round(width * ratio));
}

function pixels(text: string | undefined): number | undefined {
  return (/^\s*[1-9]\d{0,3}\s*$/.test(text ?? '') && Number(text)) || undefined;
}
