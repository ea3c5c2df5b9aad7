import type { LoaderContext } from 'astro/loaders';
import { shareInProcess } from '../../process-registry.ts';
import type { ShownEntry } from './shown-entry.ts';

type Store = Pick<LoaderContext['store'], 'values'>;

/** The stores of collections by name, if there is a sitemap that reads them. */
const shared = shareInProcess('sitemap-stores', () => ({
  isRequested: false,
  stores: new Map<string, Store>(),
}));

/** Called when the Astro config is read, before collections are loaded: without a sitemap no store is kept in memory. */
export function requestEntries(): void {
  shared.isRequested = true;
}

/** Called by a loader when its collection is in the store. */
export function recordEntries({ collection, store }: Pick<LoaderContext, 'collection' | 'store'>): void {
  if (shared.isRequested) shared.stores.set(collection, store);
}

/** The entries of a collection; `undefined` if this process did not load it. */
export function loadedEntries(collection: string): readonly ShownEntry[] | undefined {
  return shared.stores.get(collection)?.values();
}
