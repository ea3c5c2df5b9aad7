import * as z from 'zod';
import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import { isRecord } from '../../shared/is-record.ts';
import { showValue } from '../../shared/options.ts';
import { suggest } from '../../shared/suggest.ts';
import { valueOrderKey } from '../order-keys.ts';
import { markdownSearchText } from '../text/markdown-search-text.ts';
import { htmlSearchText } from '../text/search-text.ts';
import {
  checkBoolean,
  checkKeys,
  expected,
  type FieldBase,
  type FieldType,
  type ReportProblem,
} from './field-type.ts';
import type { MediaFormat, MediaLayout } from './media.ts';

export interface TextField extends FieldBase {
  readonly type: 'text';
  /** `_title` is taken from this field. Default: from the first text field. */
  readonly title?: boolean;
}

export interface MultilineField extends FieldBase {
  readonly type: 'multiline';
}

export interface FlexibleTextField extends FieldBase {
  readonly type: 'flexible_text';
  /** Default `html`. */
  readonly format?: TextFormat;
  /** Make the images inside responsive. */
  readonly images?: boolean | TextPictures;
  /**
   * Remove active content from the entries of loaders, build-time and live. A client returns the original HTML.
   * Text, headings, lists, tables, code, quotes, links, images, figures, audio and video are kept, with colours and
   * alignment in `style`. Ids get the prefix `user-content-`. Classes are removed, except `language-*` and those
   * that `classes` allows. Scripts, event handlers, frames and other embeds, forms, SVG, comments, `data-*` (except in
   * portable HTML), and URLs that are neither relative nor `http`, `https`, `mailto` or `tel` are removed.
   * Markdown is normalized; the HTML that `body` renders from it is sanitized again, with what plugins add.
   * Needs the packages parse5 and hast-util-sanitize; for Markdown also remark and remark-gfm.
   */
  readonly sanitize?: boolean | SanitizeOptions;
}

export interface SanitizeOptions {
  /** Classes to keep: names, or prefixes such as `note-*`. */
  readonly classes?: readonly string[];
}

/** How the images in a flexible text are displayed. */
export interface TextPictures {
  /** The largest width of an image: that of the text column, in pixels. Default: the image's own. */
  readonly width?: number;
  /** The `sizes` attribute. Default: from layout and width. */
  readonly sizes?: string;
  /** Default `constrained`. */
  readonly layout?: MediaLayout;
  /** Default `webp`. */
  readonly format?: MediaFormat;
  readonly breakpoints?: readonly number[];
  /** Show a tiny preview of each image until it is loaded. */
  readonly placeholder?: boolean;
}

const IMAGE_OPTIONS = ['width', 'sizes', 'layout', 'format', 'breakpoints', 'placeholder'];

/** Of `text` and `multiline`. */
export interface TextTypes {
  value: string;
  empty: never;
  where: { eq?: string; in?: readonly string[]; contains?: string | readonly string[] };
  write: string;
  sortable: true;
  usableAsId: true;
}
export interface FlexibleTextTypes {
  value: string;
  empty: never;
  where: { contains?: string | readonly string[] };
  write: string;
}

const quickString = (_field: unknown, value: unknown) => (typeof value === 'string' ? value : undefined);

/** Of `text` and `multiline`. */
const shortText = {
  empty: () => '',
  operators: ['eq', 'in', 'contains'],
  orderKey: valueOrderKey,
  usableAsId: true,
  schema: () => z.string({ error: expected('a string') }),
  quickParse: quickString,
} as const;

export const text: FieldType<TextField> = {
  ...shortText,
  text: 'line',
  keys: ['title'],
  check: (field, _luid, { report }) => checkBoolean(field, 'title', report),
};

export const multiline: FieldType<MultilineField> = {
  ...shortText,
  text: 'lines',
  keys: [],
};

export const flexibleText: FieldType<FlexibleTextField> = {
  empty: () => '',
  operators: ['contains'],
  text: 'rich',
  keys: ['format', 'images', 'sanitize'],
  check: (field, _luid, { report }) => {
    if (field.format !== undefined && !TEXT_FORMATS.includes(field.format)) {
      report(
        '.format',
        `is ${showValue(field.format)}`,
        `${suggest(field.format, TEXT_FORMATS)}Use one of ${TEXT_FORMATS.join(', ')}.`,
      );
    }
    checkImages(field, report);
    checkSanitize(field, report);
  },
  plainText: ({ format }, value) => {
    if (typeof value !== 'string' || format === 'text') return undefined;
    return format === 'markdown' ? markdownSearchText(value) : htmlSearchText(value);
  },
  schema: () => z.string({ error: expected('a string') }),
  quickParse: quickString,
};

function checkImages({ images, format = 'html' }: FlexibleTextField, report: ReportProblem): void {
  if (images === undefined || images === false) return;
  if (isRecord(images)) {
    const reportBelow: ReportProblem = (below, ...rest) => report(`.images${below}`, ...rest);
    checkKeys(images, IMAGE_OPTIONS, `Options: ${IMAGE_OPTIONS.join(', ')}.`, reportBelow);
    checkBoolean(images, 'placeholder', reportBelow);
  } else if (images !== true) {
    report('.images', 'must be true, false or options', 'Write `images: true`, or `images: { width: 720 }`.');
    return;
  }
  if (format !== 'html' && format !== 'markdown') {
    report(
      '.images',
      `cannot be used with the format ${format}`,
      'Use html or markdown, or remove it from the field.',
    );
  }
}

function checkSanitize({ sanitize, format }: FlexibleTextField, report: ReportProblem): void {
  if (isRecord(sanitize)) {
    checkKeys(sanitize, ['classes'], "Use `classes: ['note']`.", (below, ...rest) =>
      report(`.sanitize${below}`, ...rest),
    );
    if (!isClassList(sanitize.classes ?? [])) {
      report('.sanitize.classes', 'must be a list of class names', "Write `classes: ['note', 'note-*']`.");
    }
  } else if (sanitize !== undefined && typeof sanitize !== 'boolean') {
    report(
      '.sanitize',
      'must be true, false or options',
      "Write `sanitize: true`, or `sanitize: { classes: ['note'] }`.",
    );
  }
  if (sanitize && format === 'text') {
    // Parsing it as HTML would damage it; accepting the option would make it seem safe to render as HTML.
    report(
      '.sanitize',
      'cannot be used with the format text',
      'Remove it from the field: text contains no tags, and Astro escapes it.',
    );
  }
}

/** A class name, or a prefix of class names that ends with a star. */
const CLASS_PATTERN = /^(?:[^\s*]+\*?|\*)$/;

function isClassList(classes: unknown): boolean {
  return (
    Array.isArray(classes) && classes.every((name) => typeof name === 'string' && CLASS_PATTERN.test(name))
  );
}
