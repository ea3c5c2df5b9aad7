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

// A cache outside of the process limits the tags of a page (CloudFront: 50), and may need a call for each tag that is
// invalidated (Vercel). Where there are more, tags of whole collections and models take their place: pages that did not
// change may be rendered again, none is left out.

/** Tags of a change, and the ones that invalidate at least the same pages. */
export interface ChangedTags {
  readonly exact: readonly string[];
  readonly coarse: readonly string[];
}

/** The tags of a change: those of the largest groups are coarse, until there are at most `max`. */
export function limitChange(groups: readonly ChangedTags[], max: number): string[] {
  let count = groups.reduce((sum, { exact }) => sum + exact.length, 0);
  const largestFirst = [...groups].sort((a, b) => b.exact.length - a.exact.length);
  const tags = largestFirst.flatMap(({ exact, coarse }) => {
    if (count <= max || exact.length <= coarse.length) return exact;
    count -= exact.length - coarse.length;
    return coarse;
  });
  return [...new Set(tags)];
}

/**
 * The tags by which every change finds a page, whether the change has exact or coarse tags. With more than `max`, those of
 * entries and items become those of their collections and models.
 */
export function limitPage(tags: readonly string[], max: number): string[] {
  const all = new Set(tags);
  for (const tag of tags) {
    const model = modelOf(tag);
    if (model !== undefined && !all.has(`luid:${model}`)) all.add(itemsTag(model));
  }
  if (all.size <= max) return [...all];
  const coarse = [...all].filter((tag) => !tag.startsWith('luid:entry:')).map(coarseTag);
  return [...new Set(coarse)];
}

/** A tag that every change of the same collection or model invalidates. */
function coarseTag(tag: string): string {
  const model = modelOf(tag) ?? /^luid:items:(.*)/.exec(tag)?.[1];
  return model === undefined ? tag.replace(/^luid:entries:/, 'luid:lists:') : `luid:${model}`;
}

/** The model of an item's tag. */
function modelOf(tag: string): string | undefined {
  return /^luid:(\w+):\d+$/.exec(tag)?.[1];
}
