import type { WireContent, WireList } from '../contract/content.ts';
import { LuidResponseError } from '../errors.ts';
import type { Connect } from './connection.ts';
import { getJson } from './request.ts';
import type { Query } from './url.ts';

/** §4.1: one page of a list. */
export async function listContents(connect: Connect, query: Query): Promise<WireList> {
  const answer = await getJson(connect, '/contents', query);
  if (isList(answer)) return answer;
  throw new LuidResponseError('[GET] /contents: the answer is not the list that was asked for', {
    hint: 'Is baseUrl the address of the content API?',
  });
}

/** §4.2: one item. */
export async function getContent(connect: Connect, id: number, query: Query): Promise<WireContent> {
  const answer = await getJson(connect, `/contents/${id}`, query);
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer as WireContent;
  throw new LuidResponseError(`[GET] /contents/${id}: the answer is no content object`, { id });
}

function isList(answer: unknown): answer is WireList {
  if (typeof answer !== 'object' || answer === null) return false;
  const { total, data } = answer as Partial<WireList>;
  return (
    Number.isInteger(total) &&
    Array.isArray(data) &&
    data.every((item) => typeof item === 'object' && item !== null)
  );
}
