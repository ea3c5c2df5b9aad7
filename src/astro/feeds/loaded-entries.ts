import type { LoaderContext } from 'astro/loaders';
import type { ShownEntry } from './shown-entry.ts';

type Store = Pick<LoaderContext['store'], 'values'>;

/** The stores of collections by name, if there is a sitemap that reads them. */
const stores = new Map<string, Store>();
let isRequested = false;

/** Called when the Astro config is read, before collections are loaded: without a sitemap no store is kept in memory. */
export function requestEntries(): void {
  isRequested = true;
}

/** Called by a loader when its collection is in the store. */
export function recordEntries({ collection, store }: Pick<LoaderContext, 'collection' | 'store'>): void {
  if (isRequested) stores.set(collection, store);
}

/** The entries of a collection; `undefined` if this process did not load it. */
export function loadedEntries(collection: string): readonly ShownEntry[] | undefined {
  return stores.get(collection)?.values();
}
