import * as z from 'zod';
import { expected, type FieldBase, isEmpty, type Kind } from './kind.ts';

export interface MediaField extends FieldBase {
  readonly type: 'media';
  /** Read width and height once and keep them beside the URL. */
  readonly dimensions?: boolean;
}

/** A picture or file: its address under the assets URL, and its alternative text. */
export interface Media {
  url: string;
  alt: string;
}

export interface MediaTypes<F> {
  value: F extends { readonly dimensions: true } ? Media & { width?: number; height?: number } : Media;
  empty: null;
  where: never;
  write: number;
}

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
