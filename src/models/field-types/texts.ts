import * as z from 'zod';
import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import { showValue } from '../../options.ts';
import { suggest } from '../../suggest.ts';
import { plainText } from '../plain-text.ts';
import { type Complain, expected, type FieldBase, isRecord, type Kind } from './field-type.ts';
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
  /**
   * Remove active content from the entries of loaders, build-time and live; a client gives texts as they are.
   * Text, headings, lists, tables, code, quotes, links, images, figures, audio and video stay, with colours and
   * alignment of `style`. Ids get the prefix `user-content-`. Classes are removed, except `language-*` and those
   * that `classes` allows. Scripts, event handlers, frames and other embeds, forms, SVG, comments, `data-*` (but in
   * portable HTML), and URLs that are neither relative nor of `http`, `https`, `mailto` or `tel` are removed.
   * Markdown is written anew in one plain form; what it is rendered to by `body` is cleaned once more, with what
   * plugins add. Needs the packages parse5 and hast-util-sanitize; for Markdown remark and remark-gfm too.
   */
  readonly sanitize?: boolean | SanitizeOptions;
}

export interface SanitizeOptions {
  /** Classes that may stay: names, or beginnings of names such as `note-*`. */
  readonly classes?: readonly string[];
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
  identifies: true,
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
  identifies: true,
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
      complain(
        '.format',
        `is ${showValue(field.format)}`,
        `${suggest(field.format, TEXT_FORMATS)}Use one of ${TEXT_FORMATS.join(', ')}.`,
      );
    }
    checkPictures(field, complain);
    checkSanitize(field, complain);
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
  const unknown =
    images === true ? undefined : Object.keys(images).find((key) => !PICTURE_KEYS.includes(key));
  if (unknown !== undefined) {
    complain(
      '.images',
      `has the unknown option ${showValue(unknown)}`,
      `${suggest(unknown, PICTURE_KEYS)}Options: ${PICTURE_KEYS.join(', ')}.`,
    );
  }
  if (format !== 'html' && format !== 'markdown') {
    complain(
      '.images',
      `cannot be with the format ${format}`,
      'use html or markdown, or take it off the field',
    );
  }
}

function checkSanitize({ sanitize, format }: FlexibleTextField, complain: Complain): void {
  if (isRecord(sanitize)) checkSanitizeOptions(sanitize, complain);
  else if (sanitize !== undefined && typeof sanitize !== 'boolean') {
    complain(
      '.sanitize',
      'must be true, false or options',
      "write `sanitize: true`, or `sanitize: { classes: ['note'] }`",
    );
  }
  if (sanitize && format === 'text') {
    // To read it as HTML would damage it, and to leave it would let who shows it as HTML believe it clean.
    complain(
      '.sanitize',
      'cannot be with the format text',
      'take it off the field: text holds no tags, and Astro escapes it where it is shown',
    );
  }
}

/** A class name as HTML has it, with a star at its end for all that begin so. */
const CLASS_PATTERN = /^(?:[^\s*]+\*?|\*)$/;

function checkSanitizeOptions(options: object, complain: Complain): void {
  const unknown = Object.keys(options).find((key) => key !== 'classes');
  if (unknown !== undefined) {
    complain('.sanitize', `has the key ${JSON.stringify(unknown)}`, "use `classes: ['note']`");
  }
  const { classes = [] } = options as { classes?: unknown };
  if (
    !Array.isArray(classes) ||
    !classes.every((name) => typeof name === 'string' && CLASS_PATTERN.test(name))
  ) {
    complain('.sanitize.classes', 'must be a list of class names', "write `classes: ['note', 'note-*']`");
  }
}
