import type { Connect } from '../../client/connection.ts';
import { getContent, listContents } from '../../client/contents.ts';
import type { QueryParameters } from '../../client/url.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { isLuid } from '../../contract/luid.ts';
import { LuidContentError, LuidRequestError } from '../../errors.ts';

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

/** Shorter ones are not worth a word. */
const LONG_WAIT = 2_000;

/** Requests that are under way together wait together, which is told once. */
function watchWaits(connect: Connect, onLongWait: () => void): (over: Promise<unknown>) => void {
  let isWatching = false;
  async function watch(over: Promise<unknown>): Promise<void> {
    const { clock } = await connect();
    const ended = new AbortController();
    const end = () => ended.abort();
    over.then(end, end);
    await clock.sleep(LONG_WAIT, ended.signal).then(onLongWait, () => {});
    await over.catch(() => {});
  }
  return (over) => {
    if (isWatching) return;
    isWatching = true;
    watch(over).finally(() => {
      isWatching = false;
    });
  };
}

/** The system properties that a survey goes by, as §2.2 has them; what comes in fields it looks at anyway. */
const PROPERTIES: Readonly<Record<string, (value: unknown) => boolean>> = {
  _id: Number.isSafeInteger,
  _model: isLuid,
  _space: (value) => isAbsent(value) || isLuid(value),
  _langs: (value) => isAbsent(value) || isLanguages(value),
};

function checkProperties(item: WireContent, { select }: QueryParameters): void {
  const selected = select === undefined ? undefined : String(select).split(',');
  for (const [name, fits] of Object.entries(PROPERTIES)) {
    const value: unknown = Object.hasOwn(item, name) ? item[name] : undefined;
    if (fits(value) || (selected && !selected.includes(name))) continue;
    const found = JSON.stringify(value)?.slice(0, 80) ?? 'missing';
    throw new LuidContentError(`The service answered with content ${item._id}, whose ${name} is ${found}`, {
      hint: 'Does something stand before the service that changes its answers?',
    });
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isLanguages(value: unknown): boolean {
  const { current, available } = value as { current?: unknown; available?: unknown };
  return Array.isArray(available) && [current, ...available].every(isLanguage);
}

function isLanguage(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]+$/.test(value);
}

async function orNothing<T>(status: number, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (LuidRequestError.is(error) && error.status === status) return undefined;
    throw error;
  }
}
