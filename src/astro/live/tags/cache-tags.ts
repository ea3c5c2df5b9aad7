import { hashText } from '../../../shared/hash-text.ts';
import type { LiveQuery } from '../serve/query.ts';

// Tags are part of a header: ASCII, without commas and spaces. Entry ids and filters are hashed.

/** The tag of an entry: invalidated if and only if what a request for this id shows has changed. */
export function entryTag(collection: string, entryId: string): string {
  return `luid:entry:${hashText(`${collection} ${entryId}`)}`;
}

/** The tag of a list: invalidated if and only if other entries match, or in another order. */
export function listTag(collection: string, query: LiveQuery): string {
  return `luid:list:${hashText(`${collection} ${queryKey(query)}`)}`;
}

/**
 * The tag of every page with entry tags of a collection: invalidated if nothing can be compared, or in a cache outside of
 * the process, if there are too many changes to name each.
 */
export function entriesTag(collection: string): string {
  return `luid:entries:${hashText(collection)}`;
}

/** The tag of every list of a collection. In a cache outside of the process, every change of the collection invalidates it. */
export function listsTag(collection: string): string {
  return `luid:lists:${hashText(collection)}`;
}

/** The tags of all pages that show a collection. */
export function collectionTags(collection: string): string[] {
  return [entriesTag(collection), listsTag(collection)];
}

/** Tags to invalidate by hand: everything of a model, and everything of one item. */
export function itemTags({ _model, _id }: { readonly _model: string; readonly _id: number }): string[] {
  return [`luid:${_model}`, `luid:${_model}:${_id}`];
}

/** The tag of every page with tags of items of a model, in a cache outside of the process: see {@link entriesTag}. */
export function itemsTag(model: string): string {
  return `luid:items:${model}`;
}

/** Equal for equal queries. */
export function queryKey({ where, order, limit, offset, contains, lang }: LiveQuery): string {
  return JSON.stringify([
    where ?? {},
    order ?? null,
    limit ?? null,
    offset ?? 0,
    contains ?? null,
    lang ?? null,
  ]);
}
