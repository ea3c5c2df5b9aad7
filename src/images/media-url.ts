import type { Media, MediaFit, MediaFormat } from '../models/field-types/media.ts';
import { LuidConfigError } from '../shared/errors.ts';
import { type AddressOptions, parseSource, resizableUrl } from './source-url.ts';

/** Parameters of the CDN's image optimizer (§2.2). */
export interface MediaOperations {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly format?: MediaFormat | undefined;
  /** Used only if both sides are set, and omitted otherwise. */
  readonly fit?: MediaFit | undefined;
}

/** The longest side of an image that the CDN returns, in pixels. */
export const MAX_SIDE = 8192;

/** The allowed values of the CDN's parameters, in the order of the query; `undefined` for lengths. */
const ALLOWED: { readonly [name: string]: readonly unknown[] | undefined } = {
  width: undefined,
  height: undefined,
  format: ['avif', 'webp', 'jpg', 'jpeg', 'pjpg', 'png'] satisfies MediaFormat[],
  fit: ['bounds', 'cover', 'crop'] satisfies MediaFit[],
};
const NAMES = Object.keys(ALLOWED);

type Values = { [name: string]: unknown };

/**
 * The URL of a media in another size or format. Replaces the CDN's parameters and keeps all others and the hash. A
 * new size replaces the old one. URLs of other sites, and of media that the CDN cannot resize, are returned
 * unchanged; a URL that a page must not load, such as `javascript:`, becomes empty.
 */
export function mediaUrl(
  source: Media | string | URL,
  operations: MediaOperations = {},
  options: AddressOptions = {},
): string {
  const parsed = parseSource(source, options);
  const url = resizableUrl(parsed);
  const isResized = operations.width ?? operations.height;
  const values = checkOperations(operations);
  for (const name of NAMES) {
    if (url && (!isResized || name === 'format')) values[name] ??= readParameter(url, name);
  }
  if (!values.width || !values.height) delete values.fit;
  return url ? buildUrl(url, values) : parsed.url;
}

/** A media's URL without the CDN's parameters, and these parameters; `undefined` for any other URL. */
export function parseMediaUrl(
  source: Media | string | URL,
  options: AddressOptions = {},
): { src: string; operations: MediaOperations } | undefined {
  const { media } = parseSource(source, options);
  if (!media) return undefined;
  const operations = NAMES.map((name) => [name, readParameter(media, name)]).filter(([, value]) => value);
  return { src: buildUrl(media, {}), operations: Object.fromEntries(operations) };
}

/** The value of a parameter, if the CDN accepts it. */
function readParameter({ searchParams }: URL, name: string): unknown {
  return normalize(name, searchParams.get(name));
}

/** Keeps all other parameters byte for byte. */
function buildUrl({ href, search, hash }: URL, values: Values): string {
  const isForeign = (part: string) =>
    part && !NAMES.some((name) => new URLSearchParams(`&${part}`).has(name));
  const foreign = search.slice(1).split('&').filter(isForeign);
  const own = NAMES.filter((name) => values[name]).map((name) => `${name}=${values[name]}`);
  const query = [...foreign, ...own].join('&');
  return href.replace(/[?#].*/, '') + (query && `?${query}`) + hash;
}

/** The value as the CDN takes it; falsy if it is not allowed. */
function normalize(name: string, value: unknown): unknown {
  const allowed = ALLOWED[name];
  const length = Math.round(value as number);
  return allowed ? allowed.find((one) => one === value) : length > 0 && length <= MAX_SIDE && length;
}

/** Operations as the CDN takes them. Throws if it does not accept one. */
export function checkOperations(operations: MediaOperations): Values {
  const values = operations as Values;
  const set = NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, checkOperation(name, values[name])]));
}

export function checkOperation(name: string, value: unknown): number {
  const accepted = normalize(name, value);
  if (accepted) return accepted as number;
  // Encoded, a value cannot damage a log; `printable` would be a tenth of this bundle.
  throw new LuidConfigError(`${name} is ${encodeURI(value as string)}, which the CDN does not accept`, {
    hint: `Use ${ALLOWED[name]?.join(', ') ?? `a number from 1 to ${MAX_SIDE}`}.`,
  });
}
