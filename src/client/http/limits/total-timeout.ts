import { canonicalUrl } from '../canonical-url.ts';
import type { ClientRequest, Problem } from '../client-request.ts';
import { runAfter } from '../clock.ts';
import { type Connection, DEFAULT_TIMEOUT, type Send } from '../connection.ts';
import { describeTimeout, networkError } from '../errors/request-errors.ts';

/**
 * Limits the time of each request, with its retries and pauses, to `network.timeout`, because a visitor waits for it. It
 * ends with the last error. Not part of the client, which has to be small.
 */
export function withTotalTimeout(connection: Connection): Connection {
  return { ...connection, intercept: sendInTime };
}

async function sendInTime(connection: Connection, request: ClientRequest, send: Send): Promise<unknown> {
  const late = new AbortController();
  let lastError: unknown;
  let isSent = false;
  const cancel = runAfter(connection.clock, timeoutOf(connection), () =>
    late.abort(lastError ?? tooLate(connection, request, isSent)),
  );
  try {
    return await send({
      ...request,
      signal: request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal,
      onSend() {
        isSent = true;
        request.onSend?.();
      },
      onRetry(error) {
        lastError = error;
        request.onRetry?.(error);
      },
    });
  } finally {
    cancel();
  }
}

function timeoutOf({ network }: Connection): number {
  return network.timeout ?? DEFAULT_TIMEOUT;
}

function tooLate(connection: Connection, request: ClientRequest, isSent: boolean) {
  const { method, path, parameters = {} } = request;
  const url = canonicalUrl(connection.baseUrl, path, parameters);
  const timeout = timeoutOf(connection);
  const problem = isSent ? describeTimeout(timeout, true) : describeQueueTimeout(timeout);
  return networkError(connection, { method, parameters, url }, problem);
}

/** The request could not be sent as long as somebody waited for it. */
function describeQueueTimeout(milliseconds: number): Problem {
  return {
    message: `not sent within ${milliseconds / 1000} s, because other requests of the key use up its rate limit`,
    hint: "Serve pages from a copy in the server, with from: 'replica', or use several keys.",
  };
}
