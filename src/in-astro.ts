// The main entry point as Astro's servers and builds import it. Vite processes this file, because of its extension, and so
// it can import modules of Astro. Node imports the rest, which takes a tenth of the time: see "Copies of the package" in
// docs/architecture.md.
import { collectionKeyWith } from 'astro-luid/internal/space';
import './astro/connect-astro.ts';

export {
  cacheKey,
  default,
  defineSpace,
  field,
  LuidConfigError,
  LuidContentError,
  LuidError,
  LuidRequestError,
  LuidResponseError,
} from 'astro-luid/internal/space';

// Only the function: the rest of the module would bring all of zod into the bundle of a server.
export const collectionKey = collectionKeyWith(() =>
  import('astro:content').then(({ getCollection }) => getCollection),
);
