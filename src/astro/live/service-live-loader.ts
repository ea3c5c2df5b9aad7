import type { CacheHint, LiveDataEntry } from 'astro';
import { getContent } from '../../client/endpoints/content-requests.ts';
import { type AnyQuery, queryParameters } from '../../client/query/query.ts';
import type { WireContent } from '../../contract/content.ts';
import { entryId, unusableIdsError } from '../../entries/entry-id.ts';
import { invalidContentError } from '../../entries/problems/content-errors.ts';
import { describeItem } from '../../entries/problems/describe-item.ts';
import { renderHtml } from '../../entries/render-html.ts';
import { ID_PREFIX } from '../../entries/sanitize/id-prefix.ts';
import { isSanitized, openSanitizer, type Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { formatsOf } from '../../models/formats.ts';
import { LuidContentError, LuidRequestError } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';
import { emptyInvalid } from './empty-invalid.ts';
import { createReferenceCheck } from './empty-references.ts';
import { cacheHintOf, listCacheHint } from './live-cache-hint.ts';
import { createLiveList } from './live-list.ts';
import {
  type AnyLiveLoader,
  checkCollectionFilter,
  checkEntryFilter,
  checkLiveOptions,
  type LiveOptions,
  type LiveSpace,
} from './live-options.ts';
import { returnError } from './return-error.ts';

/**
 * Entries of one model, requested from the service when a page is requested. A failure is returned as `{ error }`,
 * an entry that does not exist as `undefined`. Items are checked against the filter again, as in a build.
 */
export function serviceLiveLoader(space: LiveSpace, model: string, options: LiveOptions): AnyLiveLoader {
  checkLiveOptions(space, model, options);
  const { depth = 1, id: idField = '_id', drafts = false, lang, fallback, body } = options;
  const { space: subSpace, languages, onInvalid = 'fail' } = space.settings ?? {};
  const skips = onInvalid === 'skip';
  const schema = space.schema(model, { depth });
  const connect = space.connect({ drafts, onRequest: true });
  const shape = { depth, lang, fallback };
  const formats = formatsOf(fieldsOf(space.models, model));
  const check = languages?.sub?.length ? createReferenceCheck(space.models, connect, shape) : undefined;
  const list = createLiveList({
    models: space.models,
    model,
    connect,
    shape,
    formats,
    space: subSpace,
    check,
  });

  let opening: Promise<Sanitizer | undefined> | undefined;

  async function findByContentId(digits: string): Promise<WireContent | undefined> {
    const id = /^[1-9]\d*$/.test(digits) ? Number(digits) : Number.NaN;
    if (!Number.isSafeInteger(id)) return undefined;
    const parameters = { ...formats, ...queryParameters(shape) };
    const item = await getContent(connect, id, parameters, { models: space.models }).catch(
      undefinedIfNotFound,
    );
    if (!item) return undefined;
    const isInOtherSpace = subSpace !== undefined && item._space !== undefined && item._space !== subSpace;
    if (item._model !== model || isInOtherSpace) return undefined;
    return check ? (await check([item]))[0] : item;
  }

  async function findByField(field: string, id: string): Promise<WireContent | undefined> {
    if (id === '') return undefined;
    const [item, other] = await list({ where: { [field]: { eq: id } }, limit: 2 }, (one) => one);
    if (item && other) throw duplicateId(item, other, field);
    return item;
  }

  type LiveEntry = LiveDataEntry<Record<string, unknown>> & { cacheHint: CacheHint };

  async function find(filter: object): Promise<LiveEntry | undefined> {
    checkEntryFilter(space.models, model, filter);
    const { id, ...query } = filter as { id?: string } & AnyQuery;
    if (id === undefined) return (await list({ ...query, limit: 1 }, await entryMaker(), { skips }))[0];
    const item = await (idField === '_id' ? findByContentId(String(id)) : findByField(idField, String(id)));
    return item && (await entryMaker())(item);
  }

  /** Returns a function that makes the entry of an item; `undefined` if it is skipped, with a warning. */
  async function entryMaker(): Promise<(item: WireContent) => LiveEntry | undefined> {
    opening ??= openSanitizer(space.models, { memoize: true });
    const sanitizer = await opening;
    return (item) => {
      try {
        return entryOf(sanitizer ? sanitizer.sanitizeItem(item) : item);
      } catch (error) {
        if (!skips || !LuidContentError.is(error)) throw error;
        console.warn(`[astro-luid] skipped: ${error.message}`);
        return undefined;
      }
    };
  }

  function parse(item: WireContent) {
    const result = schema.safeParse(item);
    return result.success || !skips ? result : schema.safeParse(emptyInvalid(space as never, item, depth));
  }

  function entryOf(item: WireContent): LiveEntry {
    const { success, data, error } = parse(item);
    if (!success) throw invalidContentError([{ data: item, issues: error.issues, because: [] }]);
    const named = entryId(item, idField);
    if ('problem' in named) throw unusableIdsError([{ item, problem: named.problem }], idField);
    const idPrefix = isSanitized(fieldsOf(space.models, model)[body ?? '']) ? ID_PREFIX : '';
    const html: unknown = body && (data as Record<string, unknown>)[body];
    return {
      id: named.id,
      data: data as Record<string, unknown>,
      ...(typeof html === 'string' && { rendered: renderHtml(html, idPrefix) }),
      cacheHint: cacheHintOf(space.models, data),
    };
  }

  return {
    name: 'astro-luid',
    loadEntry: ({ filter }) => returnError(() => find(filter)),
    loadCollection: ({ filter = {} }) =>
      returnError(async () => {
        checkCollectionFilter(space.models, model, filter);
        const entries = await list(filter as AnyQuery, await entryMaker(), { skips });
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
