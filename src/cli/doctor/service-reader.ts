import { getContent, listContents } from '../../client/endpoints/content-requests.ts';
import { convertStringIds } from '../../client/endpoints/string-ids.ts';
import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { Connect } from '../../client/http/connection.ts';
import { sendRequest } from '../../client/http/send-request.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { LuidError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';

/** What is known of the last response apart from its content. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: number;
  readonly milliseconds: number;
}

/** The answer to a request that the service may refuse. */
interface Probe {
  readonly status: number;
  /** Absent if the response is not a list. */
  readonly list: Pick<WireList, 'total' | 'data'> | undefined;
}

/** Reads with one key, within the rate limit. */
export interface ServiceReader {
  list(parameters: QueryParameters): Promise<WireList>;
  /** `undefined` if the key cannot see such an item. */
  get(id: number, parameters: QueryParameters): Promise<WireContent | undefined>;
  /** Returns the status where the service refuses a request. A wrong key and the rate limit are errors, as always. */
  probe(parameters: QueryParameters, path?: string): Promise<Probe>;
  /** A filter that matches everything and makes the URL unique, so that the CDN has no copy. */
  bypassCdn(): Promise<QueryParameters>;
  readonly seen: Seen;
}

/** What is known of the requests so far. */
interface Seen {
  readonly lastResponse?: ResponseFacts;
  /** How many, with repeated ones. */
  readonly requests: number;
  /** The service sent content ids as strings. */
  readonly sendsStringIds: boolean;
}

const A_CENTURY = 100 * 365 * 24 * 60 * 60 * 1000;
/** Enough for a short failure: this is a diagnosis, not a build. */
const RETRIES = 1;
/** Statuses that say nothing about the request: the key, a payment, the rate limit. */
const NOT_ABOUT_THE_REQUEST: readonly number[] = [401, 402, 429];
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

export function createServiceReader(connect: Connect): ServiceReader {
  const seen: { -readonly [K in keyof Seen]: Seen[K] } = { requests: 0, sendsStringIds: false };
  let serial = 0;

  const observed: Connect = async () => {
    const connection = await connect();
    const { clock } = connection;
    return {
      ...connection,
      network: { ...connection.network, retries: RETRIES },
      onStringIds() {
        seen.sendsStringIds = true;
      },
      async fetch(input, init) {
        seen.requests += 1;
        const start = clock.now();
        const response = await connection.fetch(input, init);
        const body = await response.arrayBuffer();
        const { status, headers } = response;
        seen.lastResponse = { status, headers, bytes: body.byteLength, milliseconds: clock.now() - start };
        return new Response(WITHOUT_BODY.includes(status) ? null : body, response);
      },
    };
  };

  return {
    list: (parameters) => listContents(observed, parameters),
    get: (id, parameters) => unlessRefused(getContent(observed, id, parameters), () => undefined),
    async probe(parameters, path = '/contents') {
      const json = sendRequest(await observed(), { method: 'GET', path, parameters });
      const answer = json.then((list) => {
        convertStringIds(list);
        return { status: 200, list: isList(list) ? list : undefined };
      });
      return unlessRefused<Probe>(answer, (status) => ({ status, list: undefined }));
    },
    async bypassCdn() {
      const { clock } = await connect();
      serial = Math.max(serial + 1, clock.now());
      return { '_created_at[lte]': new Date(serial + A_CENTURY).toISOString() };
    },
    seen,
  };
}

async function unlessRefused<T>(response: Promise<T>, refused: (status: number) => T): Promise<T> {
  try {
    return await response;
  } catch (error) {
    const status = LuidError.is(error) ? error.status : undefined;
    if (status === undefined || NOT_ABOUT_THE_REQUEST.includes(status)) throw error;
    return refused(status);
  }
}

function isList(json: unknown): json is WireList {
  return (
    isRecord(json) && typeof json.total === 'number' && Array.isArray(json.data) && json.data.every(isRecord)
  );
}
