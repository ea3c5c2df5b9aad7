import type { KeyedEntry } from '../entries/keys/collection-key.ts';
import { LuidConfigError } from '../shared/errors.ts';

/** The entries of a collection of the site, in Astro's order. */
export async function entriesOf(collection: string): Promise<readonly KeyedEntry[]> {
  // Bundlers that do not know the module leave an import alone whose failure is handled. Taking only the function from it
  // keeps the rest of the module, all of zod, out of the bundle of a server.
  const read = await import('astro:content').then(
    ({ getCollection }) => getCollection,
    (cause: unknown) => {
      throw new LuidConfigError(
        `collectionKey: the collection ${JSON.stringify(collection)} can only be read in a page of Astro`,
        { hint: 'Pass its entries instead of its name.', cause },
      );
    },
  );
  return read(collection);
}
