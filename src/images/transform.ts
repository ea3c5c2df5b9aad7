import { type MediaOperations, mediaUrl } from './media-url.ts';
import type { AddressOptions } from './source-url.ts';

/** The operations of unpic's transformers. The CDN has no `quality`. */
export interface TransformOperations {
  readonly width?: number | string | undefined;
  readonly height?: number | string | undefined;
  readonly format?: string | undefined;
  readonly quality?: number | string | undefined;
  readonly fit?: string | undefined;
}

/** `mediaUrl` as a transformer for unpic, which crops to a box if both sides are set. */
export function transform(
  src: string | URL,
  operations: TransformOperations,
  options?: AddressOptions,
): string {
  return mediaUrl(src, { ...operations, fit: operations.fit ?? 'crop' } as MediaOperations, options);
}
