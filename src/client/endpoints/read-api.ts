import type { WireContent, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Include } from '../../contract/parameters.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { RequestOptions } from '../http/client-request.ts';
import type { Connect } from '../http/connection.ts';
import { type AnyQuery, declaredFormats, matchesNothing, queryParameters } from '../query/query.ts';
import { checkQuery } from '../query/query-check.ts';
import type {
  GetQuery,
  Included,
  Item,
  ListQuery,
  Selected,
  SelectPath,
  ServiceDepth,
} from '../query/query-types.ts';
import { checkId } from './check-id.ts';
import { getContent, listContents } from './content-requests.ts';
import { iteratePages } from './iterate-pages.ts';
import { readStablePages } from './stable-pages.ts';

/** A page of a list (§2.3). */
export interface Page<T> extends WireList<T> {}

type PathsOf<M extends ModelMap, N extends keyof M & string, D extends ServiceDepth> = SelectPath<
  Item<M, N, D>
>;

/** Reading content. Values are as the service sends them, times as ISO 8601 strings. */
export interface ReadContents<M extends ModelMap> {
  /** §4.1: one page of the content of one or several models. */
  list<N extends keyof M & string, D extends ServiceDepth = 1, const S extends PathsOf<M, N, D> = never>(
    model: N | readonly N[],
    query?: ListQuery<M, N, D, S>,
    options?: RequestOptions,
  ): Promise<Page<Selected<Item<M, N, D>, S>>>;

  /**
   * Every matching item once, even if content is added or removed meanwhile. With an `order` by a field that edits
   * change, an item that moves meanwhile may be missed. Keeps up to two pages and all ids in memory.
   */
  iterate<N extends keyof M & string, D extends ServiceDepth = 1, const S extends PathsOf<M, N, D> = never>(
    model: N | readonly N[],
    query?: Omit<ListQuery<M, N, D, S>, 'limit' | 'offset'>,
    options?: RequestOptions,
  ): AsyncGenerator<Selected<Item<M, N, D>, S>, void, undefined>;

  /** Every matching item, as an array. */
  all<N extends keyof M & string, D extends ServiceDepth = 1, const S extends PathsOf<M, N, D> = never>(
    model: N | readonly N[],
    query?: Omit<ListQuery<M, N, D, S>, 'limit' | 'offset'>,
    options?: RequestOptions,
  ): Promise<Selected<Item<M, N, D>, S>[]>;

  /** The number of matching items. */
  count<N extends keyof M & string>(
    model: N | readonly N[],
    query?: Pick<ListQuery<M, N>, 'where' | 'contains' | 'lang' | 'fallback' | 'space'>,
    options?: RequestOptions,
  ): Promise<number>;

  /** §4.2: one item by its id. */
  get<
    N extends keyof M & string,
    D extends ServiceDepth = 1,
    const S extends PathsOf<M, N, D> = never,
    const I extends Include = never,
  >(
    id: number,
    query?: GetQuery<M, N, D, S, I>,
    options?: RequestOptions,
  ): Promise<Selected<Included<Item<M, N, D>, I>, S>>;
}

export function createContentsReader(
  connect: Connect,
  models: ModelMap | undefined,
  space?: string,
): ReadContents<ModelMap> {
  function listParameters(model: string | readonly string[], query: AnyQuery) {
    const names = typeof model === 'string' ? [model] : model;
    const formats = declaredFormats(models, names, (parameter, conflicting) => {
      if (namesFormat(query, parameter)) return;
      const declaring = conflicting.map(({ name }) => name).join(' and ');
      throw new LuidConfigError(`list: ${declaring} declare different formats for ${parameter}`, {
        hint: 'Pass the `format` to use, or request each model separately.',
      });
    });
    return { ...formats, ...queryParameters(query), space: query.space ?? space, model: names.join(',') };
  }

  /** The formats of one item. If models declare different ones for a field, those of its model, which is requested. */
  async function itemFormats(id: number, query: AnyQuery, options?: RequestOptions) {
    const { select, include, lang, fallback } = query;
    let isAmbiguous = false;
    const formats = declaredFormats(models, Object.keys(models ?? {}), (parameter) => {
      const isSelected =
        !select?.length ||
        include?.length ||
        select.some((path) => parameter.startsWith(path.split('.')[0] ?? ''));
      if (isSelected && !namesFormat(query, parameter)) isAmbiguous = true;
    });
    if (!isAmbiguous) return formats;
    const parameters = { ...queryParameters({ lang, fallback }), depth: 0, select: '_model' };
    const { _model } = await getContent(connect, id, parameters, options);
    return declaredFormats(models, [_model]);
  }

  async function* iterate(
    model: string | readonly string[],
    query: AnyQuery = {},
    { signal }: RequestOptions = {},
  ) {
    checkQuery('iterate', query);
    if (matchesNothing(query)) return;
    const { select } = query;
    const withId = !select?.length || select.includes('_id');
    const parameters = listParameters(model, withId ? query : { ...query, select: [...select, '_id'] });
    const readPage = readStablePages(parameters.order, (order, page, stop) =>
      listContents(
        connect,
        { ...parameters, order, ...page },
        { signal: signal && stop ? AbortSignal.any([signal, stop]) : stop, models },
      ),
    );
    for await (const item of iteratePages(readPage)) {
      if (withId) yield item;
      else {
        // Requested for `iteratePages`, not by the caller.
        const { _id, ...selected } = item;
        yield selected;
      }
    }
  }

  return {
    async list(model: string | readonly string[], query: AnyQuery = {}, options?: RequestOptions) {
      checkQuery('list', query);
      if (matchesNothing(query)) {
        return { total: 0, offset: query.offset ?? 0, limit: query.limit ?? LIMITS.pageSize, data: [] };
      }
      return listContents(connect, listParameters(model, query), { ...options, models });
    },
    iterate,
    async all(model: string | readonly string[], query?: AnyQuery, options?: RequestOptions) {
      const items: unknown[] = [];
      for await (const item of iterate(model, query, options)) items.push(item);
      return items;
    },
    async count(model: string | readonly string[], query: AnyQuery = {}, options?: RequestOptions) {
      checkQuery('count', query);
      if (matchesNothing(query)) return 0;
      const parameters = { ...listParameters(model, query), depth: 0, limit: 1, select: '_id' };
      return (await listContents(connect, parameters, options)).total;
    },
    async get(
      id: number,
      query: AnyQuery & { neighbours?: AnyQuery & { model?: string | readonly string[] } } = {},
      options?: RequestOptions,
    ): Promise<WireContent> {
      checkQuery('get', query);
      checkId('get', id);
      const { neighbours: { model, order, where } = {}, ...shape } = query;
      const parameters = {
        ...(await itemFormats(id, query, options)),
        // A request cannot express an empty list of values; no item has the id 0.
        ...queryParameters({
          ...shape,
          order,
          where: matchesNothing({ where }) ? { _id: { eq: 0 } } : where,
        }),
        model: typeof model === 'string' ? model : model?.join(','),
      };
      return getContent(connect, id, parameters, { ...options, models });
    },
  } as unknown as ReadContents<ModelMap>;
}

/** Whether the `format` of a query has this parameter. */
function namesFormat({ format = {} }: AnyQuery, parameter: string): boolean {
  return Object.hasOwn(format, parameter.slice(0, -'[format]'.length));
}
