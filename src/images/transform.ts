import { type MediaOperations, mediaUrl } from './media-url.ts';
import type { AddressOptions } from './source-url.ts';

/** What unpic hands to a transformer. The CDN knows no `quality`. */
export interface TransformOperations {
  readonly width?: number | string | undefined;
  readonly height?: number | string | undefined;
  readonly format?: string | undefined;
  readonly quality?: number | string | undefined;
  readonly fit?: string | undefined;
}

/** `mediaUrl` in the shape of unpic's transformers, which fill a box that has both sides. */
export function transform(
  src: string | URL,
  operations: TransformOperations,
  options?: AddressOptions,
): string {
  return mediaUrl(src, { fit: 'crop', ...operations } as MediaOperations, options);
}
