import { listContents } from '../../client/endpoints/content-requests.ts';
import { iteratePages } from '../../client/endpoints/iterate-pages.ts';
import { readStablePages } from '../../client/endpoints/stable-pages.ts';
import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { Connect } from '../../client/http/connection.ts';
import { type AnyQuery, matchesNothing, queryParameters } from '../../client/query/query.ts';
import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { type Conditions, compileFilter } from '../../entries/query/filter.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { isReference } from '../../models/field-types/index.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import type { CheckReferences } from './empty-references.ts';

export interface LiveListOptions {
  readonly models: ModelMap;
  readonly model: string;
  readonly connect: Connect;
  /** Parameters of every request. */
  readonly shape: Pick<AnyQuery, 'lang' | 'fallback'> & { readonly depth: number };
  /** Parameters for the formats of flexible texts. */
  readonly formats: QueryParameters;
  /** LUID of the sub-space. */
  readonly space: string | undefined;
  /** Corrects the items of a page before they are filtered. */
  readonly check: CheckReferences | undefined;
}

/**
 * Returns a function that lists entries of a model: of all items that match, or the first `limit` of them. `entryOf` makes
 * an entry of an item; with `skips`, it may return `undefined` for an item that is not shown, and does not count.
 */
export function createLiveList(options: LiveListOptions) {
  const { models, model, connect, shape, formats, space, check } = options;
  const place = `liveLoader(${JSON.stringify(model)})`;
  const fields: FieldsBase = fieldsOf(models, model);

  /** Checks each item again: the service's filters also match data that the key does not show (§8). */
  function filterOf(where: Conditions = {}): (item: WireContent) => boolean {
    compileFilter(models, model, where, place);
    const visible = Object.entries(where).filter(([path]) => shape.depth > 0 || !isInReference(path));
    const filter = compileFilter(models, model, Object.fromEntries(visible), place);
    return (item) => filter(item, NO_TARGETS);
  }

  /** Whether a path continues in referenced content, which items do not embed at depth 0. */
  function isInReference(path: string): boolean {
    const [luid = '', ...rest] = path.split('.');
    const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
    return rest.length > 0 && field !== undefined && isReference(field);
  }

  return async <T extends object>(
    { limit = Number.POSITIVE_INFINITY, offset = 0, ...query }: AnyQuery,
    entryOf: (item: WireContent) => T | undefined,
    { skips = false } = {},
  ): Promise<T[]> => {
    const matches = filterOf(query.where as Conditions | undefined);
    if (matchesNothing(query)) return [];
    const parameters = { ...formats, ...queryParameters({ ...query, ...shape, space }), model };
    const shown = (items: readonly WireContent[]) =>
      items.filter(matches).flatMap((item) => entryOf(item) ?? []);
    // `offset` counts the items that match here and are shown, so reading starts at the first if some may not be.
    const [start, skip] = query.where === undefined && !skips ? [offset, 0] : [0, offset];
    const needed = skip + limit;
    const readPage = readStablePages(parameters.order, async (order, page, signal) => {
      const list = await listContents(connect, { ...parameters, order, ...page }, { signal, models });
      return check ? { ...list, data: await check(list.data, signal) } : list;
    });
    if (needed <= LIMITS.pageSize) {
      const { data, total } = await readPage({ limit: needed, offset: start });
      const found = shown(data);
      if (found.length === data.length || start + data.length >= total) return found.slice(skip);
    }
    const found: T[] = [];
    for await (const item of iteratePages(readPage, { start })) {
      found.push(...shown([item]));
      if (found.length >= needed) break;
    }
    return found.slice(skip);
  };
}

/** Items embed their references, so a filter needs no other source of content. The service names only what exists. */
const NO_TARGETS = { get: () => undefined, has: () => true, isUndeclared: () => false };
