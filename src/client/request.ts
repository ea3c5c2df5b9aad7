import pRetry from 'p-retry';
import type { ErrorBody } from '../contract/error-body.ts';
import { LuidError, LuidRequestError, LuidResponseError } from '../errors.ts';
import type { Connect, Connection } from './connection.ts';
import { pause, retryAfter, withSlot } from './limiter.ts';
import { canonicalUrl, type Query } from './url.ts';

/** Asks the service for JSON: in its turn, again after what passes, with an error that says what to do. */
export async function getJson(connect: Connect, path: string, query: Query): Promise<unknown> {
  const connection = await connect();
  const url = canonicalUrl(connection.baseUrl, path, query);
  return pRetry(() => withSlot(connection, () => attempt(connection, url)), {
    retries: connection.network.retries ?? 5,
    minTimeout: 250,
    maxTimeout: 8_000,
    randomize: true,
    shouldRetry: ({ error }) => isPassing(error),
  });
}

async function attempt(connection: Connection, url: string): Promise<unknown> {
  const response = await send(connection, url);
  if (response.ok) return readJson(response, url);
  const body = await errorBody(response);
  if (response.status === 429) pause(connection, retryAfter(response.headers.get('retry-after')));
  throw new LuidRequestError(
    `[GET] ${withoutCredentials(url)}: ${response.status} ${body?.message ?? body?.code ?? response.statusText}`,
    {
      status: response.status,
      code: body?.code,
      url: withoutCredentials(url),
      hint: hintFor(response, connection),
    },
  );
}

async function send(connection: Connection, url: string): Promise<Response> {
  try {
    return await connection.fetch(url, {
      headers: { [connection.apiKeyHeader]: connection.apiKey, accept: 'application/json' },
      // A redirect would carry the key to wherever it points.
      redirect: 'manual',
      signal: AbortSignal.timeout(connection.network.timeout ?? 30_000),
    });
  } catch (cause) {
    throw new LuidRequestError(`[GET] ${withoutCredentials(url)}: no answer`, {
      url: withoutCredentials(url),
      hint: 'Is the address right (baseUrl, LUID_BASE_URL), and can it be reached from here?',
      cause,
    });
  }
}

async function readJson(response: Response, url: string): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new LuidResponseError(`[GET] ${withoutCredentials(url)}: the answer is no JSON`, {
      status: response.status,
      url: withoutCredentials(url),
      hint: 'Does baseUrl end with the version segment, as in https://…/v1?',
      cause,
    });
  }
}

async function errorBody(response: Response): Promise<ErrorBody | undefined> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as ErrorBody) : undefined;
  } catch {
    // Whatever stands between us and the service answered in its own form: the status says enough.
    return undefined;
  }
}

/** What may go well the next time: no answer, an answer cut short, too many requests, a failing service. */
function isPassing(error: unknown): boolean {
  if (!LuidError.is(error)) return false;
  const { status } = error;
  return status === undefined || status === 200 || [408, 425, 429].includes(status) || status >= 500;
}

function hintFor(response: Response, connection: Connection): string | undefined {
  if (response.status === 401) {
    return `The key is missing or wrong: check apiKey or LUID_API_KEY, sent as ${connection.apiKeyHeader}.`;
  }
  if (response.status === 403)
    return 'This key may not read that space: check `space` and the key’s target spaces.';
  if (response.status === 404) return 'Check the id, and that baseUrl ends with the version segment (…/v1).';
  if (response.status >= 300 && response.status < 400) {
    return `The service points to ${response.headers.get('location') ?? 'another address'}: set baseUrl to it.`;
  }
  return undefined;
}

/** Addresses go into logs and errors without a user and password. */
function withoutCredentials(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}
