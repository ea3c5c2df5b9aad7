import { mapImages } from '../../images/map-images.ts';
import type { Media } from '../../models/field-types/media.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import {
  boolean,
  callback,
  checkOptions,
  either,
  type OptionRule,
  type OptionRules,
  string,
  strings,
} from '../../shared/options.ts';
import { absoluteUrls } from './absolute-urls.ts';
import { callbackResult, optional, url } from './callback-result.ts';
import { descriptionOf } from './entry-summary.ts';
import { dataOf, isMedia, isObject, type ShownEntry } from './shown-entry.ts';

/** A file that belongs to an item. `length` is its size in bytes; 0 if it is not known. */
export interface RssEnclosure {
  url: string;
  length: number;
  type: string;
}

/** An item of a feed, for `items` of `@astrojs/rss`. */
export interface RssItem {
  title: string;
  link: string;
  description?: string;
  pubDate?: Date;
  content?: string;
  categories?: string[];
  enclosure?: RssEnclosure;
  author?: string;
}

type Maybe<T> = T | null | undefined;

export interface RssOptions<E extends ShownEntry> {
  /** The URL of the page of an entry, absolute or from the root of the site. */
  readonly link: (entry: E) => string | URL;
  /** `context.site`: makes links, and URLs in `content`, absolute. */
  readonly site?: string | URL | undefined;
  /** Default: `data._title`. If it is empty: `id`, since an item needs a title or a description. */
  readonly title?: ((entry: E) => string) | undefined;
  /**
   * HTML: readers of feeds render it. Default: `seo.description`, `description`, `summary`, `lead`, `excerpt`, or the
   * start of the body, as text.
   */
  readonly description?: ((entry: E) => Maybe<string>) | undefined;
  /** Default: `data._published_at`. */
  readonly pubDate?: ((entry: E) => Maybe<Date>) | undefined;
  /** `true`: the body of the entry, in full. Default: no content. */
  readonly content?: boolean | ((entry: E) => Maybe<string>) | undefined;
  readonly categories?: ((entry: E) => readonly string[]) | undefined;
  /** A media field, such as `({ data }) => data.cover`, or a file of any kind. */
  readonly enclosure?: ((entry: E) => Maybe<Media | RssEnclosure>) | undefined;
  readonly author?: ((entry: E) => Maybe<string>) | undefined;
}

/** What the callbacks return. */
const RESULTS = {
  link: url,
  title: optional(string),
  description: optional(string),
  pubDate: optional({
    expected: 'a valid Date',
    accepts: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  }),
  content: optional(string),
  categories: optional(strings),
  enclosure: optional({
    expected: 'a media or a file { url, length, type }',
    accepts: (value) => isObject(value) && typeof value.url === 'string',
  }),
  author: optional(string),
} satisfies Partial<Record<keyof RssOptions<ShownEntry>, OptionRule>>;

type Results = {
  readonly [Name in keyof typeof RESULTS]: ResultOf<RssOptions<ShownEntry>[Name]>;
};
type ResultOf<Option> = Option extends (entry: ShownEntry) => infer Result ? Result : never;

const RULES: OptionRules = {
  ...Object.fromEntries(Object.keys(RESULTS).map((name) => [name, callback])),
  site: either(string, { expected: 'a URL', accepts: (value) => value instanceof URL }),
  content: either(boolean, callback),
};

/** Items for `@astrojs/rss`, in the order of the entries. */
export function rssItems<E extends ShownEntry>(entries: readonly E[], options: RssOptions<E>): RssItem[] {
  checkOptions('rssItems', options, RULES);
  if (!options.link) {
    throw new LuidConfigError('rssItems: link is missing', {
      hint: "Pass the URL of the page of an entry: link: ({ id }) => '/articles/' + id.",
    });
  }
  return entries.map((entry) => rssItem(entry, options));
}

function rssItem<E extends ShownEntry>(entry: E, options: RssOptions<E>): RssItem {
  const { _title, _published_at } = dataOf(entry);
  const { site, content } = options;
  const results = Object.fromEntries(
    Object.entries(RESULTS).map(([name, rule]) => {
      const option = options[name as keyof typeof RESULTS];
      if (typeof option !== 'function') return [name, undefined];
      return [name, callbackResult(`rssItems: ${name}`, option(entry), entry, rule)];
    }),
  ) as unknown as Results;
  const link = site ? new URL(results.link, site).href : String(results.link);
  const description = options.description ? results.description : asHtml(descriptionOf(entry));
  const pubDate = options.pubDate ? results.pubDate : _published_at;
  const html = content === true ? entry.rendered?.html : results.content;
  const { categories, enclosure, author } = results;
  return {
    title: xmlText((options.title ? results.title : _title) || entry.id),
    link,
    ...(description && { description: xmlText(description) }),
    ...(pubDate && { pubDate }),
    ...(html && { content: xmlText(withoutPlaceholders(site ? absoluteUrls(html, link) : html)) }),
    ...(categories && { categories: categories.map(xmlText) }),
    ...(enclosure && { enclosure: toEnclosure(enclosure) }),
    ...(author && { author: xmlText(author) }),
  };
}

/** Readers of feeds have no style sheet that draws them. */
function withoutPlaceholders(html: string): string {
  return mapImages(html, () => ({ 'data-luid-placeholder': undefined }));
}

const TYPES: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  flac: 'audio/flac',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

function toEnclosure(file: Media | RssEnclosure): RssEnclosure {
  if (!isMedia(file)) return file as RssEnclosure;
  const extension = /\.(\w+)$/.exec(file.url.replace(/[?#].*/s, ''))?.[1]?.toLowerCase() ?? '';
  const url = URL.parse(file.url)?.href ?? file.url;
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  return { url, length: 0, type: type ?? 'application/octet-stream' };
}

/** Text as HTML that shows it. */
function asHtml(text: string | undefined): string | undefined {
  return text?.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Without characters that XML cannot contain: one of them would make the whole feed unreadable. */
function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow
  return text.toWellFormed().replaceAll(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '');
}
