import {
  type CollectionKeyOptions,
  type KeyedEntry,
  collectionKey as keyOfEntries,
} from '../entries/keys/collection-key.ts';
import { LuidConfigError } from '../shared/errors.ts';

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
  return keyOf(list, options, undefined);
}

type GetCollection = (name: string) => Promise<readonly KeyedEntry[]>;
type ImportGetCollection = () => Promise<GetCollection | undefined>;

/** `collectionKey` that reads collections with Astro's `getCollection`. */
export function collectionKeyWith(importing: ImportGetCollection): typeof collectionKey {
  return ((list: readonly KeyedEntry[] | string, options?: AnyFields) =>
    keyOf(list, options, importing)) as typeof collectionKey;
}

function keyOf(
  list: readonly KeyedEntry[] | string,
  options: AnyFields | undefined,
  importing: ImportGetCollection | undefined,
): string | Promise<string> {
  return typeof list === 'string'
    ? keyOfCollection(list, options, importing)
    : keyOfEntries(list, options as CollectionKeyOptions<KeyedEntry>);
}

async function keyOfCollection(
  name: string,
  options: AnyFields | undefined,
  importing: ImportGetCollection | undefined,
): Promise<string> {
  const getCollection = await importing?.();
  if (!getCollection) {
    throw new LuidConfigError(
      `collectionKey: the collection ${JSON.stringify(name)} can only be read in a page of Astro`,
      { hint: 'Pass its entries instead of its name.' },
    );
  }
  return keyOfEntries(await getCollection(name), options as CollectionKeyOptions<KeyedEntry>);
}
