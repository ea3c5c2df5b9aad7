import * as z from 'zod';
import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import { plainText } from '../plain-text.ts';
import { type Complain, expected, type FieldBase, isRecord, type Kind } from './kind.ts';
import type { MediaFormat, MediaLayout } from './media.ts';

export interface TextField extends FieldBase {
  readonly type: 'text';
  /** This field gives `_title`; else the first text field does. */
  readonly title?: boolean;
}

export interface MultilineField extends FieldBase {
  readonly type: 'multiline';
}

export interface FlexibleTextField extends FieldBase {
  readonly type: 'flexible_text';
  /** Default `html`. */
  readonly format?: TextFormat;
  /** Make the pictures inside responsive. */
  readonly images?: boolean | TextPictures;
  /** Remove active content. */
  readonly sanitize?: boolean;
}

/** How the pictures inside a text are shown. */
export interface TextPictures {
  /** The widest that a picture is shown: that of the text, in pixels. Default: its own. */
  readonly width?: number;
  /** How wide pictures are shown, in CSS. Default: by layout and width. */
  readonly sizes?: string;
  /** Default `constrained`. */
  readonly layout?: MediaLayout;
  /** Default `webp`. */
  readonly format?: MediaFormat;
  readonly breakpoints?: readonly number[];
}

const PICTURE_KEYS = ['width', 'sizes', 'layout', 'format', 'breakpoints'];

interface ShortTextTypes {
  value: string;
  empty: never;
  where: { eq?: string; in?: readonly string[]; contains?: string | readonly string[] };
  write: string;
}
export interface TextTypes extends ShortTextTypes {}
export interface MultilineTypes extends ShortTextTypes {}
export interface FlexibleTextTypes {
  value: string;
  empty: never;
  where: { contains?: string | readonly string[] };
  write: string;
}

const string = (noun: string) => () => z.string({ error: expected(noun) });

export const text: Kind<TextField> = {
  noun: 'text',
  empty: () => '',
  operators: ['eq', 'in', 'contains'],
  keys: ['title'],
  check: (field, _luid, { complain }) => {
    if (field.title !== undefined && typeof field.title !== 'boolean') {
      complain('.title', 'must be true or false', 'remove it, or write `title: true`');
    }
  },
  schema: string('text'),
  write: string('text'),
};

export const multiline: Kind<MultilineField> = {
  noun: 'text',
  empty: () => '',
  operators: ['eq', 'in', 'contains'],
  keys: [],
  schema: string('text'),
  write: string('text'),
};

export const flexibleText: Kind<FlexibleTextField> = {
  noun: 'flexible text',
  empty: () => '',
  operators: ['contains'],
  keys: ['format', 'images', 'sanitize'],
  check: (field, _luid, { complain }) => {
    if (field.format !== undefined && !TEXT_FORMATS.includes(field.format)) {
      complain('.format', `is ${JSON.stringify(field.format)}`, `use one of ${TEXT_FORMATS.join(', ')}`);
    }
    checkPictures(field, complain);
  },
  plain: ({ format }, value) =>
    typeof value === 'string' && format !== 'text' && format !== 'markdown' ? plainText(value) : undefined,
  schema: string('flexible text'),
  // §4.3 has `ft_format`, an earlier statement denies it: assumed to work.
  write: string('flexible text'),
};

function checkPictures({ images, format = 'html' }: FlexibleTextField, complain: Complain): void {
  if (images === undefined || images === false) return;
  if (images !== true && !isRecord(images)) {
    complain(
      '.images',
      'must be true, false or options',
      'write `images: true`, or `images: { width: 720 }`',
    );
    return;
  }
  const unknown = images === true ? [] : Object.keys(images).filter((key) => !PICTURE_KEYS.includes(key));
  if (unknown.length > 0) {
    complain('.images', `has the key ${JSON.stringify(unknown[0])}`, `use ${PICTURE_KEYS.join(', ')}`);
  }
  if (format !== 'html' && format !== 'markdown') {
    complain(
      '.images',
      `cannot be with the format ${format}`,
      'use html or markdown, or take it off the field',
    );
  }
}
