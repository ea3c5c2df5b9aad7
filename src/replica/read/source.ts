import { listContents } from '../../client/endpoints/content-requests.ts';
import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { RetryBudget } from '../../client/http/client-request.ts';
import type { Connect } from '../../client/http/connection.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import type { ItemVersion, TimeProperty } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LuidContentError } from '../../errors.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { formatsOf } from '../../models/formats.ts';
import type { ModelMap } from '../../models/types.ts';
import type { RequestStats } from './request-stats.ts';
import { createStableOrder, type ReadInOrder } from './stable-order.ts';

/** Reads flat lists in one language. Every request of a sync goes through here. */
export interface Source {
  readonly models: readonly string[];
  /** The newest by a time. One fixed URL, so that the CDN can cache it. */
  newest(by: NewestBy, options?: { readonly bypassCdn: boolean }): Promise<WireList>;
  /** One page in ascending order of a time. */
  page(query: PageQuery): Promise<WireList>;
  /** How many items match. */
  count(models: Models, filters?: QueryParameters): Promise<number>;
  /** The items of these ids that exist: at most 100. */
  byId(ids: readonly number[]): Promise<WireContent[]>;
  /** The models of these ids that exist in the main language, or in the language of the source: at most 100. */
  modelsOf(ids: readonly number[], options?: { readonly mainLanguage: boolean }): Promise<ModelOf[]>;
  /** The local time, for what depends only roughly on it. */
  now(): Promise<number>;
}

export type NewestBy = '_updated_at' | '_last_published_at';
/** Which model an item is of, and which version it is. */
export type ModelOf = Pick<WireContent, '_model'> & ItemVersion;
/** Some models, or every one that the space has, undeclared ones too. */
export type Models = readonly string[] | 'all';

export interface PageQuery {
  readonly models: Models;
  readonly by: TimeProperty;
  readonly filters?: QueryParameters | undefined;
  readonly offset: number;
  readonly limit: number;
  /** The CDN's copy may be older than what is known already. */
  readonly bypassCdn?: boolean | undefined;
}

export interface SourceOptions {
  readonly connect: Connect;
  readonly map: ModelMap;
  /** Models whose formats do not conflict. */
  readonly models: readonly string[];
  /** The models whose newest items are read. Default: `models`. */
  readonly newestOf?: Models | undefined;
  readonly space: string | undefined;
  /** Absent: the main language. */
  readonly lang: string | undefined;
  readonly stats: RequestStats;
  readonly budget: RetryBudget;
  /**
   * Shared by all sources of a sync: the first error that a request ends with aborts it, so that all other
   * requests, in the queue or in flight, end at once with that same error.
   */
  readonly stop?: AbortController | undefined;
}

export function createSource(options: SourceOptions): Source {
  const { connect, map, models, newestOf = models, space, lang, stats, budget } = options;
  const { stop = new AbortController() } = options;
  const shape = { depth: 0, space, lang };
  const onPermanentError = (error: unknown) => stop.abort(error);
  const always = { budget, signal: stop.signal, onPermanentError, ...stats };
  const readInStableOrder = createStableOrder(stop);

  /** Stops also if a request fails only after retries, or the response is not valid. */
  async function orStop<T>(response: Promise<T>): Promise<T> {
    try {
      return await response;
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  const list = (names: Models, parameters: QueryParameters, bypassCdn = true) =>
    orStop(request(names, parameters, bypassCdn));

  async function request(
    names: Models,
    parameters: QueryParameters,
    bypassCdn: boolean,
    how: Parameters<ReadInOrder>[1] = {},
  ): Promise<WireList> {
    const filter = bypassCdn ? await alwaysTrue() : {};
    const model = names === 'all' ? undefined : names.join(',');
    const query: QueryParameters = { ...shape, ...formatsFor(names), ...parameters, ...filter, model };
    const list = await listContents(connect, query, { ...always, ...how, models: map });
    if (!query.select) checkModelNames(list.data);
    return list;
  }

  /** A filter that matches all content, even if the local clock is years behind, and makes the URL unique. */
  async function alwaysTrue(): Promise<QueryParameters> {
    const { clock } = await connect();
    serial = Math.max(serial + 1, clock.now());
    return { '_created_at[lte]': new Date(serial + A_CENTURY).toISOString() };
  }

  /**
   * The formats of the models that are requested, as far as the source has them: others may need other formats, and
   * the service may refuse a format for a field that none of the requested models has.
   */
  function formatsFor(names: Models): QueryParameters {
    const ours = names === 'all' ? models : names.filter((name) => models.includes(name));
    return Object.assign({}, ...ours.map((name) => formatsOf(fieldsOf(map, name))));
  }

  return {
    models,
    newest: (by, { bypassCdn } = { bypassCdn: false }) =>
      list(newestOf, { ...EVER_PUBLISHED[by], order: `-${by}`, limit: LIMITS.pageSize }, bypassCdn),
    async page({ models: names, by, filters = {}, offset, limit, bypassCdn = false }) {
      const parameters = { ...filters, offset, limit };
      const read: ReadInOrder = (order, how) => request(names, { ...parameters, order }, bypassCdn, how);
      return orStop(readInStableOrder(by, read));
    },
    count: async (names, filters = {}) => (await list(names, { ...filters, limit: 1, select: '_id' })).total,
    byId: async (ids) => (await list(models, { '_id[in]': ids.join(','), limit: LIMITS.pageSize })).data,
    now: async () => (await connect()).clock.now(),
    async modelsOf(ids, { mainLanguage } = { mainLanguage: false }) {
      const parameters = {
        ...(await alwaysTrue()),
        '_id[in]': ids.join(','),
        depth: 0,
        limit: LIMITS.pageSize,
        select: '_id,_model,_status,_updated_at,_last_published_at',
        space,
        lang: mainLanguage ? undefined : lang,
      };
      return (await orStop(listContents(connect, parameters, always))).data;
    },
  };
}

/**
 * Where empty values are sorted is not specified: drafts that were never published could fill the list. The total
 * is then of what was published at least once.
 */
const EVER_PUBLISHED: { readonly [by in NewestBy]: QueryParameters } = {
  _updated_at: {},
  _last_published_at: { '_last_published_at[gte]': new Date(0).toISOString() },
};

/** The client checks that content is of the requested models, if it names its model. */
function checkModelNames(data: readonly WireContent[]): void {
  const nameless = data.find(({ _model }) => _model === undefined);
  if (!nameless) return;
  throw new LuidContentError(`Content ${nameless._id} in the response has no _model`, {
    id: nameless._id,
    hint: 'Check whether a proxy changes the responses of the service.',
  });
}

const A_CENTURY = 100 * 365 * 24 * 60 * 60 * 1000;
let serial = 0;

/** Models in as few groups as can be requested together: a request has one format per field. */
export function groupByFormats(map: ModelMap): string[][] {
  const groups: { models: string[]; formats: Record<string, string>; fields: Set<string> }[] = [];
  for (const [model, fields] of Object.entries(map)) {
    const formats = formatsOf(fields);
    const group = groups.find((other) => areCompatible(other, formats, fields));
    if (group) {
      group.models.push(model);
      Object.assign(group.formats, formats);
      for (const luid of Object.keys(fields)) group.fields.add(luid);
    } else groups.push({ models: [model], formats: { ...formats }, fields: new Set(Object.keys(fields)) });
  }
  return groups.map(({ models }) => models);
}

/** Whether two sets of models can be requested with the same formats. */
function areCompatible(
  group: { formats: Record<string, string>; fields: ReadonlySet<string> },
  formats: Record<string, string>,
  fields: object,
): boolean {
  const luidOf = (parameter: string) => parameter.split(/[.[]/)[0] ?? '';
  const clashes = (
    mine: Record<string, string>,
    theirs: Record<string, string>,
    has: (luid: string) => boolean,
  ) => Object.entries(mine).some(([name, format]) => has(luidOf(name)) && theirs[name] !== format);
  return (
    !clashes(group.formats, formats, (luid) => Object.hasOwn(fields, luid)) &&
    !clashes(formats, group.formats, (luid) => group.fields.has(luid))
  );
}
