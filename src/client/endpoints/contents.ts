import type { WireContent, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ModelMap } from '../../models/types.ts';
import { isObject } from '../../options.ts';
import type { Connect } from '../http/connection.ts';
import { type Ask, request } from '../http/request.ts';
import type { QueryParameters } from '../http/url.ts';
import { numberIds } from './string-ids.ts';

interface How extends Pick<Ask, 'signal' | 'budget' | 'onAnswer' | 'onRefusal' | 'onRetry' | 'onWait'> {
  /** What says which fields are references, where that is known. */
  readonly models?: ModelMap | undefined;
}

/** §4.1: one page of a list, which is what was asked for or an error. */
export async function listContents(
  connect: Connect,
  parameters: QueryParameters,
  how?: How,
): Promise<WireList> {
  const check = (json: unknown) => whatIsWrong(json, parameters);
  return (await read(connect, '/contents', parameters, check, how)) as WireList;
}

/** §4.2: one item. */
export async function getContent(
  connect: Connect,
  id: number,
  parameters: QueryParameters,
  how?: How,
): Promise<WireContent> {
  const check = (json: unknown) => {
    const isIt = isObject(json) && (parameters.select !== undefined || json._id === id);
    return isIt ? undefined : `the response is not content ${id}`;
  };
  return (await read(connect, `/contents/${id}`, parameters, check, how)) as WireContent;
}

/** Ids are numbers for the check, and for everything after it, also where the service sends strings. */
async function read(
  connect: Connect,
  path: string,
  parameters: QueryParameters,
  check: (json: unknown) => string | undefined,
  { models, ...how }: How = {},
): Promise<unknown> {
  const connection = await connect();
  const checkWithIds = (json: unknown) => {
    const { found, tooLarge } = numberIds(json, models);
    if (tooLarge) return { what: tooLarge, hint: 'JavaScript numbers hold ids up to 2^53 − 1.' };
    const wrong = check(json);
    if (!wrong && found) connection.onStringIds?.();
    return wrong;
  };
  return request(connection, { method: 'GET', path, parameters, check: checkWithIds, ...how });
}

/** Pages are asked for by the total: one without end would be asked for without end. */
const MOST_ITEMS = 1_000_000;

/**
 * An envelope (§2.3) that is not of the page asked for would leave a hole in whatever is read from
 * it: fewer items than its own `total` promises, another offset, items that are none or of other
 * models, or one in place of another.
 */
function whatIsWrong(json: unknown, parameters: QueryParameters): string | undefined {
  if (!isObject(json)) return 'the response is not a list';
  const { total, offset, limit, data } = json;
  if (!isCount(total)) return `the list's total is ${JSON.stringify(total)}`;
  if (total > MOST_ITEMS) return `the list's total is ${total}, and no more than ${MOST_ITEMS} can be read`;
  if (!Array.isArray(data)) return 'the list has no data';
  const asked = {
    offset: Number(parameters.offset ?? 0),
    limit: Number(parameters.limit ?? LIMITS.pageSize),
  };
  if (offset !== asked.offset || limit !== asked.limit) {
    return `the list is of offset ${JSON.stringify(offset)} and limit ${JSON.stringify(limit)}, not ${asked.offset} and ${asked.limit}`;
  }
  const due = Math.min(asked.limit, Math.max(0, total - asked.offset));
  if (data.length !== due)
    return `the page has ${data.length} items where its total of ${total} promises ${due}`;
  if (!data.every(isObject)) return 'the list has items that are no content objects';
  const bad = data.find(
    ({ _id }) => !isCount(_id) && !(_id === undefined && parameters.select !== undefined),
  );
  if (bad) return `the list has an item whose _id is ${JSON.stringify(bad._id)?.slice(0, 80)}`;
  const foreign = findForeign(data, parameters);
  if (foreign)
    return `the list has content of ${JSON.stringify(foreign._model)?.slice(0, 80)}, which was not asked for`;
  const twice = firstTwice(data.flatMap(({ _id }) => _id ?? []));
  if (twice !== undefined) return `the list has content ${twice} twice`;
  return undefined;
}

/** An item that says to be of another model than those asked for; without any, every model will do. */
function findForeign(data: readonly Record<string, unknown>[], { model }: QueryParameters) {
  const asked = model === undefined ? undefined : new Set<unknown>(String(model).split(','));
  const isForeign = (named: unknown) => (asked ? !asked.has(named) : typeof named !== 'string');
  return data.find(({ _model }) => _model !== undefined && isForeign(_model));
}

function firstTwice(ids: readonly unknown[]): unknown {
  const seen = new Set<unknown>();
  return ids.find((id) => seen.size === seen.add(id).size);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
