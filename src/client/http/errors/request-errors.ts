import { LuidRequestError } from '../../../shared/errors.ts';
import type { Problem, SentRequest } from '../client-request.ts';
import type { Connection } from '../connection.ts';
import { redactCause, redactKey, redactUrl, requestLine } from './redact.ts';

/** No response, or an incomplete one. */
export function networkError(
  connection: Connection,
  request: SentRequest,
  { message, hint }: Problem,
  cause?: unknown,
): LuidRequestError {
  return new LuidRequestError(`${requestLine(connection, request)}: ${redactKey(connection, message)}`, {
    url: redactUrl(connection, request.url),
    hint,
    cause: redactCause(connection, cause),
  });
}

/** Our own timeout ended the request. */
export function describeTimeout(milliseconds: number, responseStarted: boolean): Problem {
  const seconds = milliseconds / 1000;
  return {
    message: responseStarted
      ? `the response did not end within ${seconds} s`
      : `no response within ${seconds} s`,
    hint: 'The service or the network is slow: try again later, or raise `network.timeout`.',
  };
}

/** Whether the service failed or could not be reached, so that nothing is wrong with the request. */
export function isUnavailable(error: unknown): error is LuidRequestError {
  if (!LuidRequestError.is(error)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}
