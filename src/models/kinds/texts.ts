import * as z from 'zod';
import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import { plainText } from '../plain-text.ts';
import { expected, type FieldBase, type Kind } from './kind.ts';

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
  readonly images?: boolean | { readonly [option: string]: unknown };
  /** Remove active content. */
  readonly sanitize?: boolean;
}

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
  },
  plain: ({ format }, value) =>
    typeof value === 'string' && format !== 'text' && format !== 'markdown' ? plainText(value) : undefined,
  schema: string('flexible text'),
  // §4.3 has `ft_format`, an earlier statement denies it: assumed to work.
  write: string('flexible text'),
};
