import type { KeyedEntry } from '../entries/keys/collection-key.ts';
import { LuidConfigError } from '../shared/errors.ts';

/** The entries of a collection of the site, in Astro's order. */
export async function entriesOf(collection: string): Promise<readonly KeyedEntry[]> {
  // Bundlers that do not know the module leave an import alone whose failure is handled.
  const content = await import('astro:content').catch((cause: unknown) => {
    throw new LuidConfigError(
      `collectionKey: the collection ${JSON.stringify(collection)} can only be read in a page of Astro`,
      { hint: 'Pass its entries instead of its name.', cause },
    );
  });
  return content.getCollection(collection);
}
