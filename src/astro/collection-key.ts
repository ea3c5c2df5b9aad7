import {
  type CollectionKeyOptions,
  type KeyedEntry,
  collectionKey as keyOfEntries,
} from '../entries/keys/collection-key.ts';

interface AnyFields {
  /** The fields that the list shows, or paths such as `'author.name'`. Default: everything, by the entries' digests. */
  readonly fields?: readonly string[];
}

/**
 * The `cacheKey` of a list, for Astro's incremental builds. It changes exactly if an entry is added or removed, the order
 * changes, or one of the named fields of an entry does. Filter, sort and cut the entries first, as the page does.
 */
export function collectionKey<E extends KeyedEntry>(
  entries: readonly E[],
  options?: CollectionKeyOptions<E>,
): string;
/** The key of a whole collection, by its name: `await collectionKey('articles', { fields: ['title'] })`. */
export function collectionKey(collection: string, options?: AnyFields): Promise<string>;
export function collectionKey(
  list: readonly KeyedEntry[] | string,
  options?: AnyFields,
): string | Promise<string> {
  return typeof list === 'string'
    ? keyOfCollection(list, options)
    : keyOfEntries(list, options as CollectionKeyOptions<KeyedEntry>);
}

async function keyOfCollection(name: string, options: AnyFields | undefined): Promise<string> {
  // In browsers, built as a function of src/platform.
  const { entriesOf } = await import('./entries-of.ts');
  return keyOfEntries(await entriesOf(name), options as CollectionKeyOptions<KeyedEntry>);
}
