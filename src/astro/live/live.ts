import type { CacheHint, LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import { getContent } from '../../client/endpoints/content-requests.ts';
import { type AnyQuery, queryParameters } from '../../client/query/query.ts';
import type { ServiceDepth } from '../../client/query/query-types.ts';
import type { WireContent } from '../../contract/content.ts';
import { entryId, unusableIdsError } from '../../entries/entry-id.ts';
import { invalidContentError } from '../../entries/problems/content-errors.ts';
import { describeItem } from '../../entries/problems/describe-item.ts';
import { renderHtml } from '../../entries/render-html.ts';
import { ID_PREFIX } from '../../entries/sanitize/id-prefix.ts';
import { isSanitized, openSanitizer, type Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import { LuidContentError, type LuidError, LuidRequestError } from '../../errors.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { formatsOf } from '../../models/formats.ts';
import type { Content, ModelMap } from '../../models/types.ts';
import { printable } from '../../printable.ts';
import { cacheHintOf, listCacheHint } from './live-cache-hint.ts';
import { createLiveList } from './live-list.ts';
import {
  checkCollectionFilter,
  checkEntryFilter,
  checkLiveOptions,
  type LiveCollectionFilter,
  type LiveEntryFilter,
  type LiveOptions,
} from './live-options.ts';
import type { LiveSpace } from './live-space.ts';
import { returnError } from './return-error.ts';

export type { LiveCollectionFilter, LiveEntryFilter, LiveOptions } from './live-options.ts';

export type SpaceLiveLoader<
  M extends ModelMap,
  N extends keyof M & string,
  D extends ServiceDepth,
> = LiveLoader<Content<M, N, D>, LiveEntryFilter<M, N>, LiveCollectionFilter<M, N>, LuidError>;

/**
 * Entries of one model, requested from the service when a page is requested. A failure is returned as `{ error }`,
 * an entry that does not exist as `undefined`. Items are checked against the filter again, as in a build.
 */
export function liveLoader<
  M extends ModelMap,
  N extends keyof M & string,
  D extends ServiceDepth = 1,
  L extends string = string,
>(
  space: LiveSpace<M, L>,
  model: N,
  options: LiveOptions<D, M, N, NoInfer<L>> = {},
): SpaceLiveLoader<M, N, D> {
  checkLiveOptions(space, model, options);
  const { depth = 1 as D, id: idField = '_id', drafts = false, lang, fallback, body } = options;
  const { space: subSpace, onInvalid = 'fail' } = space.settings ?? {};
  const schema = space.schema(model, { depth });
  const connect = space.connect({ drafts, onRequest: true });
  const shape = { depth, lang, fallback };
  const formats = formatsOf(fieldsOf(space.models, model));
  const list = createLiveList({ models: space.models, model, connect, shape, formats, space: subSpace });

  let opening: Promise<Sanitizer | undefined> | undefined;
  /** Sanitizes the fields that have `sanitize: true`. */
  async function sanitize(items: readonly WireContent[]): Promise<readonly WireContent[]> {
    opening ??= openSanitizer(space.models, { memoize: true });
    const sanitizer = await opening;
    return sanitizer ? items.map(sanitizer.sanitizeItem) : items;
  }

  async function findByContentId(digits: string): Promise<WireContent | undefined> {
    const id = /^[1-9]\d*$/.test(digits) ? Number(digits) : Number.NaN;
    if (!Number.isSafeInteger(id)) return undefined;
    const parameters = { ...formats, ...queryParameters(shape) };
    const item = await getContent(connect, id, parameters, { models: space.models }).catch(
      undefinedIfNotFound,
    );
    if (!item) return undefined;
    const isInOtherSpace = subSpace !== undefined && item._space !== undefined && item._space !== subSpace;
    return item._model === model && !isInOtherSpace ? item : undefined;
  }

  async function findByField(field: string, id: string): Promise<WireContent | undefined> {
    if (id === '') return undefined;
    const [item, other] = await list({ where: { [field]: { eq: id } }, limit: 2 });
    if (item && other) throw duplicateId(item, other, field);
    return item;
  }

  function find(filter: LiveEntryFilter<M, N>): Promise<WireContent | undefined> {
    checkEntryFilter(space.models, model, filter);
    const { id, ...query } = filter as { id?: string } & AnyQuery;
    if (id === undefined) return list({ ...query, limit: 1 }).then(([first]) => first);
    return idField === '_id' ? findByContentId(String(id)) : findByField(idField, String(id));
  }

  function entryOf(item: WireContent): LiveDataEntry<Content<M, N, D>> & { cacheHint: CacheHint } {
    const { success, data, error } = schema.safeParse(item);
    if (!success) throw invalidContentError([{ data: item, issues: error.issues }]);
    const named = entryId(item, idField);
    if ('problem' in named) throw unusableIdsError([{ item, problem: named.problem }], idField);
    const idPrefix = isSanitized(fieldsOf(space.models, model)[body ?? '']) ? ID_PREFIX : '';
    const html: unknown = body && (data as Record<string, unknown>)[body];
    return {
      id: named.id,
      data: data as Content<M, N, D>,
      ...(typeof html === 'string' && { rendered: renderHtml(html, idPrefix) }),
      cacheHint: cacheHintOf(space.models, data),
    };
  }

  /** With `onInvalid: 'skip'`, items that do not fit the model are skipped with a warning. */
  function entriesOf(items: readonly WireContent[]) {
    return items.flatMap((item) => {
      try {
        return [entryOf(item)];
      } catch (error) {
        if (onInvalid === 'fail' || !LuidContentError.is(error)) throw error;
        console.warn(`[astro-luid] skipped: ${error.message}`);
        return [];
      }
    });
  }

  return {
    name: 'astro-luid',
    loadEntry: ({ filter }) =>
      returnError(async () => {
        const item = await find(filter);
        const [sanitized] = item ? await sanitize([item]) : [];
        return sanitized && entryOf(sanitized);
      }),
    loadCollection: ({ filter = {} }) =>
      returnError(async () => {
        checkCollectionFilter(space.models, model, filter);
        const entries = entriesOf(await sanitize(await list(filter as AnyQuery)));
        return { entries, cacheHint: listCacheHint(model, entries) };
      }),
  };
}

/** No content has this id, for this key. Other errors are thrown. */
function undefinedIfNotFound(error: unknown): undefined {
  if (LuidRequestError.is(error) && error.status === 404) return undefined;
  throw error;
}

function duplicateId(item: WireContent, other: WireContent, field: string): LuidContentError {
  return new LuidContentError(
    `${describeItem(item)} and ${describeItem(other)} have the same id: ${field} is ${printable(JSON.stringify(item[field]) ?? '', 80)}`,
    {
      model: item._model,
      id: item._id,
      field,
      hint: 'Make the field unique, or choose another `id` for the live loader.',
    },
  );
}
