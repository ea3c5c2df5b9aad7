import type { LoaderContext } from 'astro/loaders';
import { shareInProcess } from '../../process-registry.ts';
import type { ShownEntry } from './shown-entry.ts';

/** The stores of collections that a sitemap reads, by name: `undefined` until they are loaded. */
const stores = shareInProcess(
  'sitemap-stores',
  () => new Map<string, Pick<LoaderContext['store'], 'values'> | undefined>(),
);

/** Called when the Astro config is read, before collections are loaded: only these stores are kept in memory. */
export function requestEntries(collections: readonly string[]): void {
  for (const collection of collections) if (!stores.has(collection)) stores.set(collection, undefined);
}

/** Called by a loader when its collection is in the store. */
export function recordEntries({ collection, store }: Pick<LoaderContext, 'collection' | 'store'>): void {
  if (stores.has(collection)) stores.set(collection, store);
}

/** The entries of a collection that was requested; `undefined` if this process did not load it. */
export function loadedEntries(collection: string): readonly ShownEntry[] | undefined {
  return stores.get(collection)?.values();
}
