import type { Media } from '../../models/field-types/media.ts';
import { absoluteUrls } from './absolute-urls.ts';
import { descriptionOf } from './entry-summary.ts';
import { dataOf, isMedia, type ShownEntry } from './shown-entry.ts';

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

/** Items for `@astrojs/rss`, in the order of the entries. */
export function rssItems<E extends ShownEntry>(entries: readonly E[], options: RssOptions<E>): RssItem[] {
  return entries.map((entry) => rssItem(entry, options));
}

function rssItem<E extends ShownEntry>(entry: E, options: RssOptions<E>): RssItem {
  const { _title, _published_at } = dataOf(entry);
  const { site, content } = options;
  const link = site ? new URL(options.link(entry), site).href : String(options.link(entry));
  const description = options.description ? options.description(entry) : asHtml(descriptionOf(entry));
  const pubDate = options.pubDate ? options.pubDate(entry) : _published_at;
  const html = typeof content === 'function' ? content(entry) : content ? entry.rendered?.html : undefined;
  const categories = options.categories?.(entry);
  const enclosure = options.enclosure?.(entry);
  const author = options.author?.(entry);
  return {
    title: xmlText((options.title ? options.title(entry) : _title) || entry.id),
    link,
    ...(description && { description: xmlText(description) }),
    ...(pubDate && { pubDate }),
    ...(html && { content: xmlText(site ? absoluteUrls(html, link) : html) }),
    ...(categories && { categories: categories.map(xmlText) }),
    ...(enclosure && { enclosure: toEnclosure(enclosure) }),
    ...(author && { author: xmlText(author) }),
  };
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
