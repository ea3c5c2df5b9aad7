import { listContents } from '../../client/endpoints/content-requests.ts';
import { convertStringIds } from '../../client/endpoints/string-ids.ts';
import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { ClientRequest, RetryBudget } from '../../client/http/client-request.ts';
import type { Connect } from '../../client/http/connection.ts';
import { isNeverSent } from '../../client/http/errors/explain-failure.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import type { ItemVersion, TimeProperty } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { formatsOf } from '../../models/formats.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidContentError, LuidRequestError } from '../../shared/errors.ts';
import type { KnownPage } from '../store/manifest/manifest.ts';
import { LimitedReader, type Part, type PartOptions, type ReadItems } from './limited-reader.ts';
import { createPageReader, type Page } from './page-bytes.ts';
import { PageSizes } from './page-sizes.ts';
import type { RequestStats } from './request-stats.ts';
import { createStableOrder, type ReadInOrder } from './stable-order.ts';

/** Reads flat lists in one language. Every request of a sync goes through here. */
export interface Source {
  readonly models: readonly string[];
  /**
   * The newest of all declared models by a time: up to 100, as many as the service sends at once. One fixed URL, so that
   * the CDN can cache it.
   */
  newest(by: NewestBy, options?: { readonly bypassCdn: boolean }): Promise<WireList>;
  /** One page in ascending order of a time. */
  page(query: PageQuery): Promise<Page>;
  /** How many items match: past the CDN, unless an earlier number will do. */
  count(
    models: Models,
    options?: { readonly filters?: QueryParameters; readonly bypassCdn?: boolean },
  ): Promise<number>;
  /** The items of these ids that exist: at most 100. */
  byId(ids: readonly number[]): Promise<WireContent[]>;
  /** The models of these ids that exist in the language of the source: at most 100. */
  modelsOf(ids: readonly number[]): Promise<ModelOf[]>;
  /** The local time, for what depends only roughly on it. */
  now(): Promise<number>;
}

export type NewestBy = '_updated_at' | '_last_published_at';
/** Which model an item is of, and which version it is. */
export type ModelOf = Pick<WireContent, '_model'> & ItemVersion;
export type Models = readonly string[];

export interface PageQuery {
  readonly models: Models;
  readonly by: TimeProperty;
  readonly filters?: QueryParameters | undefined;
  readonly offset: number;
  readonly limit: number;
  /** The CDN's copy may be older than what is known already. */
  readonly bypassCdn?: boolean | undefined;
  /** Hash the bytes of the page, and do not parse it if they are those of this one. */
  readonly hashed?: { readonly known: KnownPage | undefined } | undefined;
}

export interface SourceOptions {
  readonly connect: Connect;
  readonly map: ModelMap;
  /** Models whose formats do not conflict. Default: the first of these groups, in whose formats heads are read. */
  readonly models?: readonly string[] | undefined;
  readonly space?: string | undefined;
  /** Absent: the main language. */
  readonly lang?: string | undefined;
  readonly stats: RequestStats;
  readonly budget: RetryBudget;
  /**
   * Shared by all sources of a sync: the first error that a request ends with aborts it, so that all other
   * requests, in the queue or in flight, end at once with that same error.
   */
  readonly stop?: AbortController | undefined;
  /** Which pages are too large for the service. */
  readonly pageSizes?: PageSizes | undefined;
  /** Retry requests for which no connection could be made. Default true. */
  readonly retryConnecting?: boolean | undefined;
}

export function createSource(options: SourceOptions): Source {
  const { connect, map, models = groupByFormats(map)[0] ?? [], space, lang, stats, budget } = options;
  const { stop = new AbortController(), retryConnecting = true, pageSizes = new PageSizes() } = options;
  const shape = { depth: 0, space, lang };
  const onPermanentError = (error: unknown) => {
    // A smaller request may succeed.
    if (!LuidRequestError.is(error) || error.status !== 413) stop.abort(error);
  };
  const onRetry = (error: unknown) => {
    if (retryConnecting || !isNeverSent(error)) stats.onRetry?.(error);
    else stop.abort(error);
  };
  const always = { budget, signal: stop.signal, onPermanentError, ...stats, onRetry };
  const readInStableOrder = createStableOrder(stop, onPermanentError);
  const limited = new LimitedReader({
    sizes: pageSizes,
    signal: stop.signal,
    checkService: () => request(models, { limit: 1, select: '_id' }, true),
  });

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
    how: Parameters<ReadInOrder>[1] & Pick<ClientRequest, 'recognize' | 'budget'> = {},
  ): Promise<Page> {
    const filter = bypassCdn ? await alwaysTrue() : {};
    const model = names.join(',');
    const query: QueryParameters = { ...shape, ...formatsFor(names), ...parameters, ...filter, model };
    const list: Page = await listContents(connect, query, { ...always, ...how, models: map });
    if (!query.select && !list.known) checkModelNames(list.data);
    return list;
  }

  /** What was checked before, with the same bytes. */
  function parse(text: string): WireList {
    const list = JSON.parse(text) as WireList;
    convertStringIds(list, map);
    return list;
  }

  /** Retries a trial once at most. That it failed because of its size leaves the other retries to the rest of the sync. */
  async function inTrial(
    { isTrial }: Pick<PartOptions, 'isTrial'>,
    send: (retries: { readonly budget?: RetryBudget }) => Promise<WireList>,
  ): Promise<WireList> {
    if (!isTrial) return send({});
    const allowed = Math.min(1, budget.retriesLeft);
    const own = { retriesLeft: allowed };
    const list = await send({ budget: own });
    budget.retriesLeft -= allowed - own.retriesLeft;
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
    const ours = names.filter((name) => models.includes(name));
    return Object.assign({}, ...ours.map((name) => formatsOf(fieldsOf(map, name))));
  }

  const byIds =
    (names: Models): ReadItems =>
    (ids, { select, ...how }) =>
      inTrial(how, (retries) =>
        request(
          names,
          { '_id[in]': ids.join(','), limit: LIMITS.pageSize, ...(select && { select }) },
          how.bypassCdn,
          retries,
        ),
      );

  return {
    models,
    newest(by, { bypassCdn } = { bypassCdn: false }) {
      const order = { ...EVER_PUBLISHED[by], order: `-${by}` };
      const read = ({ offset, ...part }: Part, how: PartOptions) =>
        inTrial(how, (retries) =>
          request(
            Object.keys(map),
            { ...order, ...(offset > 0 && { offset }), ...part },
            how.bypassCdn,
            retries,
          ),
        );
      return orStop(limited.first({ name: 'heads', read }, bypassCdn));
    },
    page({ models: names, by, filters = {}, offset, limit, bypassCdn = false, hashed }) {
      const read = async (part: Part, how: PartOptions): Promise<Page> => {
        // Parts are smaller than the page that is known.
        const isWhole = part.offset === offset && part.limit === limit && !part.select;
        const reader = isWhole && hashed ? createPageReader(hashed.known, parse) : undefined;
        const page = await inTrial(how, (retries) =>
          readInStableOrder(by, (order, signals) =>
            request(names, { ...filters, ...part, order }, how.bypassCdn, {
              ...signals,
              ...retries,
              recognize: reader?.recognize,
            }),
          ),
        );
        return reader ? reader.pageOf(page) : page;
      };
      return orStop(
        limited.page({ name: names.join(','), read }, { offset, limit }, byIds(names), bypassCdn),
      );
    },
    count: async (names, { filters = {}, bypassCdn = true } = {}) =>
      (await list(names, { ...filters, limit: 1, select: '_id' }, bypassCdn)).total,
    byId: (ids) => orStop(limited.byId(models.join(','), ids, byIds(models))),
    now: async () => (await connect()).clock.now(),
    async modelsOf(ids) {
      const parameters = {
        ...(await alwaysTrue()),
        '_id[in]': ids.join(','),
        depth: 0,
        limit: LIMITS.pageSize,
        select: '_id,_model,_status,_updated_at,_last_published_at',
        space,
        lang,
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
