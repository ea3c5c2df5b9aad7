import { LuidError } from '../../errors.ts';
import { canonicalUrl } from './canonical-url.ts';
import type { ClientRequest, RetryBudget } from './client-request.ts';
import type { Connection } from './connection.ts';
import { errorCode } from './network-problem.ts';
import { type RequestKind, rateLimiterFor } from './rate-limiter.ts';
import { invalidResponse } from './request-errors.ts';
import { parseRetryAfter, retryDelay } from './retry-delay.ts';
import { type OutgoingRequest, sendOnce } from './send-once.ts';

const DEFAULT_RETRIES = 5;
/** A 429 is not a failure of the service, so it has a limit of its own instead of using up the retries. */
const MAX_PAUSES = 10;

/** Sends a request within the rate limits, retries it if that may help, and returns the JSON of the response. */
export async function sendRequest(connection: Connection, request: ClientRequest): Promise<unknown> {
  const send = (changed: ClientRequest) => sendWithRetries(connection, changed);
  return connection.intercept ? connection.intercept(connection, request, send) : send(request);
}

async function sendWithRetries(connection: Connection, request: ClientRequest): Promise<unknown> {
  const limiter = rateLimiterFor(connection);
  const kind: RequestKind = request.method === 'GET' ? 'read' : 'write';
  const { path, parameters = {}, ...rest } = request;
  const url = canonicalUrl(connection.baseUrl, path, parameters);
  const outgoing: OutgoingRequest = { ...rest, parameters, url };
  /** Errors with status 429. */
  let refusals = 0;

  const onErrorResponse = ({ status, headers }: Response) => {
    if (status !== 429) return;
    const retryAfter = parseRetryAfter(headers.get('retry-after'), connection.clock.now());
    // A header of zero, or a date by another clock, would use up all attempts at once.
    const least = refusals === 0 ? 0 : 500 * 2 ** refusals;
    limiter.pause(retryAfter === undefined ? 1000 * 2 ** (refusals + 1) : Math.max(retryAfter, least));
  };

  const send = async () => {
    request.onSend?.();
    try {
      return await sendOnce(connection, outgoing, limiter.bytes, onErrorResponse);
    } catch (error) {
      if (!isRateLimited(error) && !isRetryable(error, kind)) request.onPermanentError?.(error);
      throw error;
    }
  };

  const { retries = DEFAULT_RETRIES } = connection.network;
  for (let retry = 1; ; ) {
    try {
      const response = await limiter.schedule(kind, send, request);
      const problem = request.check?.(response.json);
      if (problem) throw invalidResponse(connection, outgoing, problem);
      request.onResponse?.(response);
      return response.json;
    } catch (error) {
      // The reason may itself be an error of the service.
      if (request.signal?.aborted) throw error;
      if (isRateLimited(error)) {
        refusals += 1;
        if (refusals > MAX_PAUSES) throw error;
        request.onRetry?.(error);
        continue;
      }
      if (retry > retries || !isRetryable(error, kind) || !takeRetry(request.budget)) throw error;
      request.onRetry?.(error);
      const delay = connection.clock.sleep(retryDelay(retry++), request.signal);
      request.onWait?.(delay);
      await delay;
    }
  }
}

function isRateLimited(error: unknown): boolean {
  return LuidError.is(error) && error.status === 429;
}

/** A write is retryable only if it was never sent: otherwise it may have been carried out. */
function isRetryable(error: unknown, kind: RequestKind): boolean {
  if (!LuidError.is(error)) return false;
  const { status } = error;
  if (kind === 'write') return status === undefined && NOT_SENT.includes(errorCode(error) ?? '');
  // 501 Not Implemented: a retry cannot succeed.
  if (status === 501) return false;
  return status === undefined || status === 200 || status === 408 || status === 425 || status >= 500;
}

/** Codes of Node's `fetch` for connections that were never made. Other runtimes have no such codes. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function takeRetry(budget: RetryBudget | undefined): boolean {
  if (!budget) return true;
  budget.retriesLeft -= 1;
  return budget.retriesLeft >= 0;
}
