// The main entry point as Astro's servers and builds import it. Vite processes this file, because of its extension, and so
// it can import modules of Astro. Node imports the rest, which takes a tenth of the time: see "Copies of the package" in
// docs/architecture.md. Whatever is called here is pure: bundles leave out what a page does not use.
import { collectionKeyWith, defineSpaceWith } from 'astro-luid/internal/space';
import { astro } from './astro/astro-environment.ts';

export {
  cacheKey,
  default,
  field,
  LuidConfigError,
  LuidContentError,
  LuidError,
  LuidRequestError,
  LuidResponseError,
} from 'astro-luid/internal/space';

export const defineSpace = /* @__PURE__ */ defineSpaceWith(astro);

// Of the module, a bundle needs only the function: the rest would bring all of zod into it.
export const collectionKey = /* @__PURE__ */ collectionKeyWith(() =>
  import('astro:content').then(
    ({ getCollection }) => getCollection,
    () => undefined,
  ),
);
