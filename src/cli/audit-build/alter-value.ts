import type { TextFormat } from '../../contract/parameters.ts';
import { isRecord } from '../../shared/is-record.ts';

/** What a value is replaced by. */
export interface Alteration {
  /** A word that occurs nowhere else. Strings that people read contain it afterwards. */
  readonly marker: string;
  /** The values of this field in other items. */
  readonly others: readonly unknown[];
  readonly field: { readonly format?: TextFormat; readonly options?: readonly string[] };
}

/** Another value of the same kind; the value itself if there is none. */
export type AlterValue = (value: unknown, alteration: Alteration) => unknown;

/** A string that is part of URLs, such as a slug: lower case, without spaces. */
const IDENTIFIER = /^[a-z0-9]+(?:[-_/.][a-z0-9]+)*$/;
const NUMBER = /^-?\d+(?:[.,]\d+)*$/;

/** Whether a string decides URLs, so that changing it can rename a page. */
export function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' && IDENTIFIER.test(value) && !NUMBER.test(value);
}

/** Keeps the form of numbers, URLs, times and slugs, which pages may parse. */
export const alterText: AlterValue = (value, { marker, others }) => {
  if (typeof value !== 'string') return value;
  if (NUMBER.test(value)) return value.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  if (isIdentifier(value)) return `${value}-${marker}`;
  if (/^[a-z][a-z+.-]*:\/\//i.test(value)) return `${value}${value.includes('#') ? '' : '#'}${marker}`;
  if (/^(?:[#/{[]|\d{1,4}[-:/])/.test(value)) return otherOf(value, others);
  // In front, where an excerpt shows it too.
  return `${marker} ${value}`;
};

export const alterRichText: AlterValue = (value, { marker, field: { format = 'html' } }) => {
  if (typeof value !== 'string') return value;
  return format === 'html' || format === 'portable_html'
    ? `<p>${marker}</p>${value}`
    : `${marker}\n\n${value}`;
};

export const alterBoolean: AlterValue = (value) => (typeof value === 'boolean' ? !value : value);

const DAY = 24 * 60 * 60 * 1000;

export const alterDatetime: AlterValue = (value) => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time + DAY).toISOString();
};

export const alterSelect: AlterValue = (value, { field: { options }, others }) =>
  otherOf(value, options ?? others);

/** One option more or less. */
export const alterList: AlterValue = (value, { field: { options }, others }) => {
  if (!Array.isArray(value)) return value;
  const more = (options ?? others.flat()).find((option) => !value.includes(option));
  return more === undefined ? value.slice(1) : [...value, more];
};

/** The media of another item, whose dimensions are known, with another alternative text. */
export const alterMedia: AlterValue = (value, { marker, others }) => {
  if (!isRecord(value)) return value;
  const other = others.find((one) => isRecord(one) && one.url !== value.url);
  return { ...value, ...(isRecord(other) && { url: other.url }), alt: `${marker} ${value.alt ?? ''}`.trim() };
};

export const alterReference: AlterValue = (value, { others }) => otherOf(value, others);

export const alterUnknown: AlterValue = (value, alteration) =>
  typeof value === 'string' ? alterText(value, alteration) : value;

function otherOf(value: unknown, candidates: readonly unknown[]): unknown {
  return candidates.find((one) => one !== value && one !== null && one !== undefined) ?? value;
}
