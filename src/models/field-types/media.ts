import * as z from 'zod';
import { expected, type FieldBase, isEmpty, type Kind } from './field-type.ts';

export interface MediaField extends FieldBase {
  readonly type: 'media';
  /** Read width and height once and keep them beside the URL. */
  readonly dimensions?: boolean;
}

/** A picture or file: its address under the assets URL, and its alternative text. */
export interface Media {
  url: string;
  alt: string;
  /** In pixels, as it is to be seen; where `dimensions` asks for it and the picture could be read. */
  width?: number;
  height?: number;
}

export interface MediaTypes {
  value: Media;
  empty: null;
  where: never;
  write: number;
}

/** §2.2: what the CDN image optimizer can make of a picture. */
export type MediaFormat = 'avif' | 'webp' | 'jpg' | 'jpeg' | 'pjpg' | 'png';

/** How a picture meets a box of two sides: inside of it, around it, or cut to exactly the box. */
export type MediaFit = 'bounds' | 'cover' | 'crop';

/** How a picture takes its place in a page, in Astro's words. */
export type MediaLayout = 'constrained' | 'full-width' | 'fixed' | 'none';

export const media: Kind<MediaField> = {
  leaf: true,
  noun: 'media { url, alt }',
  empty: () => null,
  operators: [],
  keys: ['dimensions'],
  check: (field, _luid, { complain }) => {
    if (field.dimensions !== undefined && typeof field.dimensions !== 'boolean') {
      complain('.dimensions', 'must be true or false', 'remove it, or write `dimensions: true`');
    }
  },
  schema: () =>
    z.looseObject(
      {
        url: z.string({ error: expected('the URL of a media') }).min(1, {
          error: expected('the URL of a media'),
        }),
        alt: z.preprocess((alt) => (isEmpty(alt) ? '' : alt), z.string({ error: expected('text') })),
      },
      { error: expected('media { url, alt }') },
    ),
  write: () => z.int({ error: expected('a media id') }).positive({ error: expected('a media id') }),
};
