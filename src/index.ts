export { collectionKey } from './astro/collection-key.ts';
export { defineSpace, type Space } from './astro/define-space.ts';
export { default } from './astro/integration/root-integration.ts';
export { cacheKey } from './entries/keys/cache-key.ts';
export { field } from './models/field.ts';
export type { Media } from './models/field-types/media.ts';
export type { BlockProps, Depth, Entry, ModelMap } from './models/types.ts';
export {
  LuidConfigError,
  LuidContentError,
  LuidError,
  LuidRequestError,
  LuidResponseError,
} from './shared/errors.ts';
