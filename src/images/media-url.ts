import type { Media, MediaFit, MediaFormat } from '../models/field-types/media.ts';
import { type AddressOptions, addressOf, resizable } from './source-url.ts';

/** What the CDN is asked for (§2.2). */
export interface MediaOperations {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly format?: MediaFormat | undefined;
  /** Acts only when both sides are given, and is left out else. */
  readonly fit?: MediaFit | undefined;
}

/** No result of the CDN is longer. */
export const LONGEST_SIDE = 8192;

/** The CDN's parameters, in the order in which they are written: a length, or one of some words. */
const WORDS: { readonly [name: string]: readonly unknown[] | undefined } = {
  width: undefined,
  height: undefined,
  format: ['avif', 'webp', 'jpg', 'jpeg', 'pjpg', 'png'] satisfies MediaFormat[],
  fit: ['bounds', 'cover', 'crop'] satisfies MediaFit[],
};
const NAMES = Object.keys(WORDS);

type Values = { [name: string]: unknown };

/**
 * The address of a media in another size or format: the CDN's parameters set, all others and the hash
 * kept as they are. A size replaces the one that the address had. An address that is not a media's, or
 * of one that the CDN cannot resize, is left alone; one that a page must not load, such as
 * `javascript:`, becomes the empty text.
 */
export function mediaUrl(
  source: Media | string | URL,
  operations: MediaOperations = {},
  options: AddressOptions = {},
): string {
  const address = addressOf(source, options);
  const url = resizable(address);
  const isSized = operations.width ?? operations.height;
  const values: Values = {};
  for (const name of NAMES) {
    const asked = (operations as Values)[name];
    if (asked !== undefined) values[name] = checked(name, asked);
    else if (url && (!isSized || name === 'format')) values[name] = present(url, name);
  }
  if (!values.width || !values.height) delete values.fit;
  return url ? build(url, values) : address.text;
}

/** A media's address without the CDN's parameters, and what these ask for; `undefined` for any other address. */
export function parseMediaUrl(
  source: Media | string | URL,
  options: AddressOptions = {},
): { src: string; operations: MediaOperations } | undefined {
  const { media } = addressOf(source, options);
  if (!media) return undefined;
  const operations = NAMES.map((name) => [name, present(media, name)]).filter(([, value]) => value);
  return { src: build(media, {}), operations: Object.fromEntries(operations) };
}

/** What a parameter asks for, if it can be had. */
function present({ searchParams }: URL, name: string): unknown {
  return allowed(name, searchParams.get(name));
}

/** The parameters of others stay as they are, to the byte. */
function build({ href, search, hash }: URL, values: Values): string {
  const isForeign = (part: string) =>
    part && !NAMES.some((name) => new URLSearchParams(`&${part}`).has(name));
  const foreign = search.slice(1).split('&').filter(isForeign);
  const own = NAMES.filter((name) => values[name]).map((name) => `${name}=${values[name]}`);
  const query = [...foreign, ...own].join('&');
  return href.replace(/[?#].*/, '') + (query && `?${query}`) + hash;
}

/** The value, or nothing if the CDN does not know it. */
function allowed(name: string, value: unknown): unknown {
  const words = WORDS[name];
  const length = Math.round(value as number);
  return words ? words.find((word) => word === value) : length > 0 && length <= LONGEST_SIDE && length;
}

/** What a program asks for must be right, or it is told at once. */
export function checked(name: string, value: unknown): number {
  const found = allowed(name, value);
  if (!found) throw new RangeError(`${name} is ${value}, not ${WORDS[name] ?? `1 to ${LONGEST_SIDE}`}`);
  return found as number;
}
