import { getContent, listContents } from '../../client/endpoints/content-requests.ts';
import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { Connect } from '../../client/http/connection.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { LuidRequestError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { checkProperties } from './check-properties.ts';

/** The requests that a survey makes, all limited to one space if `space` is set. */
export interface SurveyClient {
  list(parameters: QueryParameters): Promise<WireList>;
  /** `undefined` if the key cannot see such an item. */
  get(id: number, parameters: QueryParameters): Promise<WireContent | undefined>;
  /** The number of matches, or `undefined` if the service rejects the query (400). */
  count(parameters: QueryParameters): Promise<number | undefined>;
}

export interface SurveyClientOptions {
  readonly space?: string | undefined;
  /** Called when the service or its rate limit delays the survey. */
  readonly onLongWait: () => void;
  /** Called once if the service sends content ids as strings. */
  readonly onFirstStringIds: () => void;
}

export function createSurveyClient(
  connect: Connect,
  { space, onLongWait, onFirstStringIds }: SurveyClientOptions,
): SurveyClient {
  const onWait = reportLongWaits(connect, onLongWait);
  let sendsStringIds = false;
  const observed: Connect = async () => ({
    ...(await connect()),
    onStringIds() {
      if (!sendsStringIds) onFirstStringIds();
      sendsStringIds = true;
    },
  });

  async function list(parameters: QueryParameters): Promise<WireList> {
    const isFlat = parameters.depth === 0 && parameters.select === undefined;
    // Ids sent as strings look like text. At depth 1, references are recognisable.
    const depth = isFlat && sendsStringIds ? 1 : parameters.depth;
    const page = await listContents(observed, { ...parameters, depth, space }, { onWait });
    if (isFlat && depth === 0 && sendsStringIds) return list(parameters);
    const data = depth === parameters.depth ? page.data : page.data.map(flatten);
    for (const item of data) checkProperties(item, parameters);
    return { ...page, data };
  }
  return {
    list,
    async get(id, parameters) {
      const item = await undefinedOn(404, getContent(observed, id, parameters, { onWait }));
      if (item) checkProperties(item, parameters);
      return item;
    },
    count: async (parameters) =>
      (await undefinedOn(400, list({ ...parameters, depth: 0, limit: 1, select: '_id' })))?.total,
  };
}

/** The item as at depth 0: ids in place of embedded content. */
function flatten(item: WireContent): WireContent {
  const withIds = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withIds);
    if (!isRecord(value)) return value;
    return typeof value._id === 'number' && value._model !== undefined ? value._id : valuesWithIds(value);
  };
  const valuesWithIds = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withIds(value)]));
  return valuesWithIds(item) as WireContent;
}

async function undefinedOn<T>(status: number, response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (LuidRequestError.is(error) && error.status === status) return undefined;
    throw error;
  }
}

/** Shorter waits, in milliseconds, are not reported. */
const LONG_WAIT = 2_000;

/** Concurrent requests wait together: that is reported once. */
function reportLongWaits(connect: Connect, onLongWait: () => void): (wait: Promise<unknown>) => void {
  let isWatching = false;
  async function watch(wait: Promise<unknown>): Promise<void> {
    const { clock } = await connect();
    const finished = new AbortController();
    const end = () => finished.abort();
    wait.then(end, end);
    await clock.sleep(LONG_WAIT, finished.signal).then(onLongWait, () => {});
    await wait.catch(() => {});
  }
  return (wait) => {
    if (isWatching) return;
    isWatching = true;
    watch(wait).finally(() => {
      isWatching = false;
    });
  };
}
