import type { Media } from '../models/kinds/media.ts';

export interface MediaOperations {
  readonly width?: number;
  readonly height?: number;
  /** e.g. `webp`, `avif`. */
  readonly format?: string;
  /** Acts only when both sides are given. */
  readonly fit?: string;
}

const PARAMETERS = ['width', 'height', 'format', 'fit'] as const;

/** The address of a media in another size or format: the CDN's parameters set, all others kept (§2.2). */
export function mediaUrl(media: Media | string, operations: MediaOperations = {}): string {
  const source = typeof media === 'string' ? media : media.url;
  const [beforeHash = '', hash] = source.split('#', 2);
  const [address = '', search = ''] = beforeHash.split('?', 2);
  const query = new URLSearchParams(search);
  for (const name of PARAMETERS) {
    const value = operations[name];
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return `${address}${text && `?${text}`}${hash === undefined ? '' : `#${hash}`}`;
}
