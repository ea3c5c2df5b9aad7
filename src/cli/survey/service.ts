import type { Connect } from '../../client/connection.ts';
import { getContent, listContents } from '../../client/contents.ts';
import type { QueryParameters } from '../../client/url.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { LuidRequestError } from '../../errors.ts';
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
}

export function serviceOf(connect: Connect, { space, onLongWait }: ServiceOptions): Service {
  const onWait = watchWaits(connect, onLongWait);
  async function list(parameters: QueryParameters): Promise<WireList> {
    const answer = await listContents(connect, { ...parameters, space }, { onWait });
    for (const item of answer.data) checkProperties(item, parameters);
    return answer;
  }
  return {
    list,
    async get(id, parameters) {
      const item = await orNothing(404, getContent(connect, id, parameters, { onWait }));
      if (item) checkProperties(item, parameters);
      return item;
    },
    count: async (parameters) =>
      (await orNothing(400, list({ ...parameters, depth: 0, limit: 1, select: '_id' })))?.total,
  };
}

async function orNothing<T>(status: number, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (LuidRequestError.is(error) && error.status === status) return undefined;
    throw error;
  }
}
