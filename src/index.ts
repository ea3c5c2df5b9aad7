export { default } from './astro/root-integration.ts';
export { defineSpace, type Space } from './astro/space.ts';
export { cacheKey } from './entries/cache-key.ts';
export {
  LuidConfigError,
  LuidContentError,
  LuidError,
  LuidRequestError,
  LuidResponseError,
} from './errors.ts';
export { field } from './models/field.ts';
export type { Media } from './models/kinds/media.ts';
export type { BlockProps, Depth, Entry, ModelMap } from './models/types.ts';
