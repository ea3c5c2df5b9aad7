import type { WireContent, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ModelMap } from '../../models/types.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { QueryParameters } from '../http/canonical-url.ts';
import type { ClientRequest } from '../http/client-request.ts';
import type { Connect } from '../http/connection.ts';
import { sendRequest } from '../http/send-request.ts';
import { convertStringIds } from './string-ids.ts';

interface ContentRequestOptions
  extends Pick<
    ClientRequest,
    'signal' | 'budget' | 'recognize' | 'onResponse' | 'onPermanentError' | 'onRetry' | 'onWait'
  > {
  /** For references whose ids are strings. */
  readonly models?: ModelMap | undefined;
}

/** §4.1: one page of a list. Throws if the response is not the requested page. */
export async function listContents(
  connect: Connect,
  parameters: QueryParameters,
  options?: ContentRequestOptions,
): Promise<WireList> {
  const check = (json: unknown) => findListProblem(json, parameters);
  return (await getJson(connect, '/contents', parameters, check, options)) as WireList;
}

/** §4.2: one item. */
export async function getContent(
  connect: Connect,
  id: number,
  parameters: QueryParameters,
  options?: ContentRequestOptions,
): Promise<WireContent> {
  const check = (json: unknown) => {
    const isRequested = isRecord(json) && (parameters.select !== undefined || json._id === id);
    return isRequested ? undefined : `the response is not content ${id}`;
  };
  return (await getJson(connect, `/contents/${id}`, parameters, check, options)) as WireContent;
}

/** Converts ids to numbers first, so that `check` and all later code see numbers only. */
async function getJson(
  connect: Connect,
  path: string,
  parameters: QueryParameters,
  check: (json: unknown) => string | undefined,
  { models, ...options }: ContentRequestOptions = {},
): Promise<unknown> {
  const connection = await connect();
  const convertAndCheck = (json: unknown) => {
    const { found, tooLarge } = convertStringIds(json, models);
    if (tooLarge) return { message: tooLarge, hint: 'JavaScript numbers are exact up to 2^53 − 1.' };
    const problem = check(json);
    if (!problem && found) connection.onStringIds?.();
    return problem;
  };
  return sendRequest(connection, { method: 'GET', path, parameters, check: convertAndCheck, ...options });
}

/** A wrong `total` without a limit would lead to requests without end. */
const MAX_ITEMS = 1_000_000;

/** What is wrong with a page (§2.3): an item that is missing, added or replaced would corrupt the replica. */
function findListProblem(json: unknown, parameters: QueryParameters): string | undefined {
  if (!isRecord(json)) return 'the response is not a list';
  const { total, offset, limit, data } = json;
  if (!isCount(total)) return `the list has an invalid total: ${JSON.stringify(total)}`;
  if (total > MAX_ITEMS) return `the list has a total of ${total}, more than the maximum of ${MAX_ITEMS}`;
  if (!Array.isArray(data)) return 'the list has no data';
  const requested = {
    offset: Number(parameters.offset ?? 0),
    limit: Number(parameters.limit ?? LIMITS.pageSize),
  };
  if (offset !== requested.offset || limit !== requested.limit) {
    return `the list has offset ${JSON.stringify(offset)} and limit ${JSON.stringify(limit)} instead of ${requested.offset} and ${requested.limit}`;
  }
  const expected = Math.min(requested.limit, Math.max(0, total - requested.offset));
  if (data.length !== expected) {
    return `the page has ${data.length} items instead of ${expected}, with a total of ${total}`;
  }
  if (!data.every(isRecord)) return 'the list has items that are not objects';
  const invalid = data.find(
    ({ _id }) => !isCount(_id) && !(_id === undefined && parameters.select !== undefined),
  );
  if (invalid)
    return `the list has an item with an invalid _id: ${JSON.stringify(invalid._id)?.slice(0, 80)}`;
  const foreign = findForeign(data, parameters);
  if (foreign) {
    return `the list has content of ${JSON.stringify(foreign._model)?.slice(0, 80)}, which was not requested`;
  }
  const unrequested = findUnrequested(data, parameters);
  if (unrequested) return `the list has content ${unrequested._id}, which was not requested`;
  const duplicate = findDuplicate(data.flatMap(({ _id }) => _id ?? []));
  return duplicate === undefined ? undefined : `the list has content ${duplicate} twice`;
}

/** An item of a model that was not requested; without a `model` parameter, every model was. */
function findForeign(data: readonly Record<string, unknown>[], { model }: QueryParameters) {
  const requested = model === undefined ? undefined : new Set<unknown>(String(model).split(','));
  const isForeign = (name: unknown) => (requested ? !requested.has(name) : typeof name !== 'string');
  return data.find(({ _model }) => _model !== undefined && isForeign(_model));
}

/** An item with another id than those that were requested: it may be in place of one, which would seem to be deleted. */
function findUnrequested(data: readonly Record<string, unknown>[], parameters: QueryParameters) {
  const list = parameters['_id[in]'];
  if (list === undefined) return undefined;
  const requested = new Set<unknown>(String(list).split(',').map(Number));
  return data.find(({ _id }) => _id !== undefined && !requested.has(_id));
}

function findDuplicate(ids: readonly unknown[]): unknown {
  const seen = new Set<unknown>();
  return ids.find((id) => seen.size === seen.add(id).size);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
