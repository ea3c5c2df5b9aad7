import { getContent, listContents } from '../../client/endpoints/content-requests.ts';
import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { Connect } from '../../client/http/connection.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { LuidRequestError } from '../../errors.ts';
import { isRecord } from '../../models/field-types/field-type.ts';
import { checkProperties } from './properties.ts';
import { watchWaits } from './waits.ts';

/** The service as a survey asks it: always of one space, where one is named. */
export interface Service {
  list(parameters: QueryParameters): Promise<WireList>;
  /** `undefined` where there is no such item for this key. */
  get(id: number, parameters: QueryParameters): Promise<WireContent | undefined>;
  /** How many match, or `undefined` where the service refuses such a question (400). */
  count(parameters: QueryParameters): Promise<number | undefined>;
}

export interface ServiceOptions {
  readonly space?: string | undefined;
  /** Told when the service, or its rate limit, makes a survey wait. */
  readonly onLongWait: () => void;
  /** Told once that content ids are sent as strings. */
  readonly onFirstStringIds: () => void;
}

export function serviceOf(
  connect: Connect,
  { space, onLongWait, onFirstStringIds }: ServiceOptions,
): Service {
  const onWait = watchWaits(connect, onLongWait);
  let sendsStringIds = false;
  const noting: Connect = async () => ({
    ...(await connect()),
    onStringIds() {
      if (!sendsStringIds) onFirstStringIds();
      sendsStringIds = true;
    },
  });

  async function list(parameters: QueryParameters): Promise<WireList> {
    const isFlat = parameters.depth === 0 && parameters.select === undefined;
    // Ids that are strings look like texts. Embedded, references show what they are.
    const depth = isFlat && sendsStringIds ? 1 : parameters.depth;
    const page = await listContents(noting, { ...parameters, depth, space }, { onWait });
    if (isFlat && depth === 0 && sendsStringIds) return list(parameters);
    const data = depth === parameters.depth ? page.data : page.data.map(flatten);
    for (const item of data) checkProperties(item, parameters);
    return { ...page, data };
  }
  return {
    list,
    async get(id, parameters) {
      const item = await orNothing(404, getContent(noting, id, parameters, { onWait }));
      if (item) checkProperties(item, parameters);
      return item;
    },
    count: async (parameters) =>
      (await orNothing(400, list({ ...parameters, depth: 0, limit: 1, select: '_id' })))?.total,
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

async function orNothing<T>(status: number, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (LuidRequestError.is(error) && error.status === status) return undefined;
    throw error;
  }
}
