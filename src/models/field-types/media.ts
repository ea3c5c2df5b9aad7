import * as z from 'zod';
import { checkBoolean, expected, type FieldBase, type FieldType, isEmpty, isRecord } from './field-type.ts';

export interface MediaField extends FieldBase {
  readonly type: 'media';
  /** Add the image's `width` and `height`. */
  readonly dimensions?: boolean;
}

/** An image or file: its URL below the assets URL, and its alternative text. */
export interface Media {
  url: string;
  alt: string;
  /** In pixels, as displayed. Only with `dimensions`, and if the image could be read. */
  width?: number;
  height?: number;
}

export interface MediaTypes {
  value: Media;
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
  control: 'media',
  keys: ['dimensions'],
  check: (field, _luid, { report }) => checkBoolean(field, 'dimensions', report),
  schema: () => {
    const error = expected('the URL of a media');
    return z.looseObject(
      {
        url: z.string({ error }).min(1, { error }),
        alt: z.preprocess((alt) => (isEmpty(alt) ? '' : alt), z.string({ error: expected('a string') })),
      },
      { error: expected('media { url, alt }') },
    );
  },
  quickParse: (_field, value) => {
    if (!isRecord(value) || Object.hasOwn(value, '__proto__')) return undefined;
    const { url, alt } = value;
    const isValid = typeof url === 'string' && url !== '' && typeof alt === 'string';
    // In the order of the schema.
    return isValid ? { url, alt, ...value } : undefined;
  },
  write: () => z.int({ error: expected('a media id') }).positive({ error: expected('a media id') }),
};
