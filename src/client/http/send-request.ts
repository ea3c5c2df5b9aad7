import pRetry from 'p-retry';
import { LuidError } from '../../shared/errors.ts';
import { canonicalUrl } from './canonical-url.ts';
import type { ClientRequest, RetryBudget } from './client-request.ts';
import type { Connection, ReadResponse } from './connection.ts';
import { isNeverSent } from './errors/explain-failure.ts';
import { invalidResponse } from './errors/response-errors.ts';
import { type RequestKind, rateLimiterFor } from './limits/rate-limiter.ts';
import { parseRetryAfter, retryDelay } from './limits/retry-delay.ts';
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

  const onErrorResponse = ({ status, headers }: ReadResponse) => {
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

  const attempt = async () => {
    const response = await limiter.schedule(kind, send, request);
    const problem = response.isRecognized ? undefined : request.check?.(response.json);
    if (problem) throw invalidResponse(connection, outgoing, problem);
    request.onResponse?.(response);
    return response.json;
  };

  return pRetry(attempt, {
    signal: request.signal,
    // The last one is never used: without any left, p-retry would not wait for a 429 either.
    retries: (connection.network.retries ?? DEFAULT_RETRIES) + 1,
    // Its own delays would not use the clock of the connection.
    minTimeout: 0,
    shouldConsumeRetry: ({ error }) => !isRateLimited(error),
    onFailedAttempt({ error }) {
      if (isRateLimited(error)) refusals += 1;
    },
    async shouldRetry({ error, retriesLeft, retriesConsumed }) {
      if (isRateLimited(error)) {
        // The pause of the key is the delay.
        if (refusals <= MAX_PAUSES) request.onRetry?.(error);
        return refusals <= MAX_PAUSES;
      }
      if (retriesLeft === 1 || !isRetryable(error, kind) || !takeRetry(request.budget)) return false;
      request.onRetry?.(error);
      const delay = connection.clock.sleep(retryDelay(retriesConsumed + 1), request.signal);
      request.onWait?.(delay);
      await delay;
      return true;
    },
  });
}

function isRateLimited(error: unknown): boolean {
  return LuidError.is(error) && error.status === 429;
}

/** A write is retryable only if it was never sent: otherwise it may have been carried out. */
function isRetryable(error: unknown, kind: RequestKind): boolean {
  if (!LuidError.is(error)) return false;
  const { status } = error;
  if (kind === 'write') return status === undefined && isNeverSent(error);
  // 501 Not Implemented: a retry cannot succeed.
  if (status === 501) return false;
  return status === undefined || status === 200 || status === 408 || status === 425 || status >= 500;
}

function takeRetry(budget: RetryBudget | undefined): boolean {
  if (!budget) return true;
  budget.retriesLeft -= 1;
  return budget.retriesLeft >= 0;
}
