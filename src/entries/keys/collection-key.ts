import { LuidConfigError } from '../../shared/errors.ts';
import { hashText } from '../../shared/hash-text.ts';
import { canonicalText, isPlainObject } from './canonical-text.ts';

/** An entry of any collection. */
export interface KeyedEntry {
  readonly id: string;
  readonly digest?: string | number | undefined;
  readonly data: object;
}

type Scalar = string | number | bigint | boolean | symbol | Date | URL | null | undefined;
/** What a path can go into: an object, or the elements of a list. */
type Inside<T> = T extends Scalar ? never : T extends readonly (infer One)[] ? Inside<One> : T;
type NamesOf<T> = T extends unknown ? keyof T & string : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
/** The names of `T` itself, and for each the paths below it. */
type Paths<T, Below extends Record<NamesOf<T>, string>> =
  | NamesOf<T>
  | { [K in NamesOf<T>]: [Below[K]] extends [never] ? never : `${K}.${Below[K]}` }[NamesOf<T>];
type Paths1<T> = Paths<T, { [K in NamesOf<T>]: NamesOf<Inside<ValueOf<T, K>>> }>;
type Paths2<T> = Paths<T, { [K in NamesOf<T>]: Paths1<Inside<ValueOf<T, K>>> }>;

/** A field, or a path into an object, a list or referenced content, of up to four names: `'author.name'`. */
export type FieldPath<T> = Paths<T, { [K in NamesOf<T>]: Paths2<Inside<ValueOf<T, K>>> }>;

export interface CollectionKeyOptions<E extends KeyedEntry> {
  /** The fields that the list shows, or paths such as `'author.name'`. Default: everything, by the entries' digests. */
  readonly fields?: readonly FieldPath<E['data']>[];
}

/**
 * The `cacheKey` of a list, for Astro's incremental builds. It changes exactly if an entry is added or removed, the order
 * changes, or one of the named fields of an entry does. Filter, sort and cut the entries first, as the page does.
 */
export function collectionKey<E extends KeyedEntry>(
  entries: readonly E[],
  options?: CollectionKeyOptions<E>,
): string;
export function collectionKey(
  entries: readonly KeyedEntry[],
  { fields }: { readonly fields?: readonly string[] } = {},
): string {
  const paths = fields?.map((path) => [path, path.split('.')] as const);
  for (const [path, names] of paths ?? []) checkField(entries, path, names);
  const parts = entries.map((entry) => {
    if (paths) return [entry.id, ...paths.map(([path, names]) => valueAt(entry.data, path, names))];
    if (entry.digest !== undefined) return [entry.id, entry.digest];
    throw new LuidConfigError(`collectionKey: the entry ${JSON.stringify(entry.id)} has no digest`, {
      hint: 'Name the fields that the list shows: `{ fields: [...] }`.',
    });
  });
  return `${entries.length}-${hashText(canonicalText([fields ?? null, parts]))}`;
}

/** The value at a path; of a list, those of its elements. Where the path ends early, the value there, and how early. */
function valueAt(value: unknown, path: string, names: readonly string[]): unknown {
  const [name, ...below] = names;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => valueAt(one, path, names));
  // A `null` author is not an author whose name is `null`.
  if (!isPlainObject(value)) return new Map([[names.length, value]]);
  if (Object.hasOwn(value, path)) return value[path];
  return valueAt(Object.hasOwn(value, name) ? value[name] : undefined, below.join('.'), below);
}

/** Entries that astro-luid loaded have every field of their model, so a name that none has is misspelled. */
function checkField(entries: readonly KeyedEntry[], path: string, [name = '']: readonly string[]): void {
  const has = ({ data }: KeyedEntry, property: string) => Object.hasOwn(data, property);
  const isUnknown = (entry: KeyedEntry) =>
    has(entry, '_model') && has(entry, '_id') && !has(entry, name) && !has(entry, path);
  if (entries.length === 0 || !entries.every(isUnknown)) return;
  throw new LuidConfigError(`collectionKey: no entry has the field ${JSON.stringify(path)}`, {
    hint: `They have ${Object.keys((entries[0] as KeyedEntry).data).join(', ')}.`,
  });
}
