import type { Media } from '../models/field-types/media.ts';

export interface AddressOptions {
  /**
   * Where media lie. With it, a URL that is not below it is left alone; without it, every web address
   * counts as that of a media.
   */
  readonly assetsUrl?: string | undefined;
}

export interface Address {
  /** What a page may load; empty for `javascript:`, `data:` and the like. */
  readonly text: string;
  /** Set if it is a media's, and not one that only looks like it. */
  readonly media?: URL;
}

export function addressOf(source: Media | string | URL, { assetsUrl }: AddressOptions): Address {
  const text = String((source as Media)?.url ?? source ?? '');
  if (!URL.canParse(text)) return { text };
  const media = new URL(text);
  if (!/^https?:/.test(media.protocol)) return { text: '' };
  const below = assetsUrl ? new URL(assetsUrl).href.replace(/\/*$/, '/') : '';
  return media.href.startsWith(below) ? { text, media } : { text };
}

/** A picture that the CDN can resize. Drawings and moving pictures are passed through as they are. */
export function resizable({ media }: Address): URL | false | undefined {
  return media && !/\.(svg|gif)$/i.test(media.pathname) && media;
}
