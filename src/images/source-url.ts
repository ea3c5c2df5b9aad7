import type { Media } from '../models/field-types/media.ts';

export interface AddressOptions {
  /**
   * The base URL of media. With it, URLs outside of it are returned unchanged; without it, every http(s) URL
   * counts as that of a media.
   */
  readonly assetsUrl?: string | undefined;
}

export interface SourceUrl {
  /** Safe to load in a page; empty for `javascript:`, `data:` and other schemes. */
  readonly url: string;
  /** Set if the URL is that of a media. */
  readonly media?: URL;
}

export function parseSource(source: Media | string | URL, { assetsUrl }: AddressOptions): SourceUrl {
  const url = String((source as Media)?.url ?? source ?? '');
  if (!URL.canParse(url)) return { url };
  const media = new URL(url);
  if (!/^https?:/.test(media.protocol)) return { url: '' };
  const base = assetsUrl ? new URL(assetsUrl).href.replace(/\/*$/, '/') : '';
  return media.href.startsWith(base) ? { url, media } : { url };
}

/** The URL of a media that the CDN can resize; it returns SVG and GIF files unchanged. */
export function resizableUrl({ media }: SourceUrl): URL | false | undefined {
  return media && !/\.(svg|gif)$/i.test(media.pathname) && media;
}
