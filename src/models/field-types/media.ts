import * as z from 'zod';
import { isRecord } from '../../shared/is-record.ts';
import { checkBoolean, expected, type FieldBase, type FieldType, isEmpty } from './field-type.ts';

export interface MediaField extends FieldBase {
  readonly type: 'media';
  /** Add the image's `width` and `height`. */
  readonly dimensions?: boolean;
  /** Add the image's `placeholder`: a tiny preview to show until the image is loaded. */
  readonly placeholder?: boolean;
}

/** What to show until an image is loaded. */
export interface ImagePlaceholder {
  /** The image's ThumbHash, in base64. */
  thumbHash: string;
  /** The most frequent color, as `#rrggbb`. */
  color: string;
  /** Whether parts of the image are transparent. */
  hasAlpha: boolean;
}

/** An image or file: its URL below the assets URL, and its alternative text. */
export interface Media {
  url: string;
  alt: string;
  /** In pixels, as displayed. Only with `dimensions`, and if the image could be read. */
  width?: number;
  height?: number;
}

/** The media of a field with `placeholder: true`. */
export interface MediaWithPlaceholder extends Media {
  /** `null` if the image could not be read, in live collections without a replica, and for SVG and GIF files. */
  placeholder: ImagePlaceholder | null;
}

/** Placeholders are added to parsed content, whose times, `T`, are dates. */
export interface MediaTypes<F, T> {
  value: F extends { readonly placeholder: true } ? (T extends Date ? MediaWithPlaceholder : Media) : Media;
  empty: null;
  where: never;
  write: number;
}

/** §2.2: the output formats of the CDN image optimizer. */
export type MediaFormat = 'avif' | 'webp' | 'jpg' | 'jpeg' | 'pjpg' | 'png';

/** How an image fits a box: inside it, covering it, or cropped to exactly the box. */
export type MediaFit = 'bounds' | 'cover' | 'crop';

/** How an image is laid out in a page; the names are Astro's. */
export type MediaLayout = 'constrained' | 'full-width' | 'fixed' | 'none';

export const media: FieldType<MediaField> = {
  empty: () => null,
  operators: [],
  link: 'media',
  keys: ['dimensions', 'placeholder'],
  check: (field, _luid, { report }) => {
    checkBoolean(field, 'dimensions', report);
    checkBoolean(field, 'placeholder', report);
  },
  schema: (field) => {
    const error = expected('the URL of a media');
    return z.looseObject(
      {
        url: z.string({ error }).min(1, { error }),
        alt: z.preprocess((alt) => (isEmpty(alt) ? '' : alt), z.string({ error: expected('a string') })),
        ...(field.placeholder && { placeholder: z.preprocess(parsePlaceholder, z.any()) }),
      },
      { error: expected('media { url, alt }') },
    );
  },
  quickParse: (field, value) => {
    if (!isRecord(value) || Object.hasOwn(value, '__proto__')) return undefined;
    const { url, alt } = value;
    const isValid = typeof url === 'string' && url !== '' && typeof alt === 'string';
    if (!isValid) return undefined;
    // In the order of the schema.
    if (!field.placeholder) return { url, alt, ...value };
    const parsed = { placeholder: parsePlaceholder(value.placeholder) };
    return { url, alt, ...parsed, ...value, ...parsed };
  },
};

/** The placeholder that a loader has added; `null` for anything else. */
function parsePlaceholder(value: unknown): ImagePlaceholder | null {
  if (!isRecord(value)) return null;
  const { thumbHash, color, hasAlpha } = value;
  const isValid =
    typeof thumbHash === 'string' &&
    typeof color === 'string' &&
    /^#[\da-f]{6}$/.test(color) &&
    typeof hasAlpha === 'boolean';
  return isValid ? { thumbHash, color, hasAlpha } : null;
}
