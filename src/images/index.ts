export type {
  ImagePlaceholder,
  Media,
  MediaFit,
  MediaFormat,
  MediaLayout,
  MediaWithPlaceholder,
} from '../models/field-types/media.ts';
export { type AttributeOptions, type MediaAttributes, mediaAttributes } from './attributes.ts';
export { type MediaOperations, mediaUrl } from './media-url.ts';
export type { AddressOptions } from './source-url.ts';
export { type SrcsetOptions, srcset } from './srcset.ts';
export { type TransformOperations, transform } from './transform.ts';
