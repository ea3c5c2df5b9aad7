import type { Connect } from '../../client/connection.ts';
import { getContent, listContents } from '../../client/contents.ts';
import type { QueryParameters } from '../../client/url.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { LuidRequestError } from '../../errors.ts';

/** The service as a survey asks it: always of one space, where one is named. */
export interface Service {
  list(parameters: QueryParameters): Promise<WireList>;
  /** `undefined` where there is no such item for this key. */
  get(id: number, parameters: QueryParameters): Promise<WireContent | undefined>;
  /** How many match, or `undefined` where the service refuses such a question (400). */
  count(parameters: QueryParameters): Promise<number | undefined>;
}

export function serviceOf(connect: Connect, space: string | undefined): Service {
  const list = (parameters: QueryParameters) => listContents(connect, { ...parameters, space });
  return {
    list,
    get: (id, parameters) => orNothing(404, getContent(connect, id, parameters)),
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
