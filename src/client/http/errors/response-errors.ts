import type { ErrorBody } from '../../../contract/error-body.ts';
import { LuidRequestError, LuidResponseError } from '../../../shared/errors.ts';
import type { Problem, SentRequest } from '../client-request.ts';
import type { Connection, ReadResponse } from '../connection.ts';
import { hintForStatus, NOT_THE_SERVICE } from './explain-failure.ts';
import { quote, redactCause, redactUrl, requestLine } from './redact.ts';

/** A response with an error status (§7), from the service or a proxy. */
export function errorResponse(
  connection: Connection,
  request: SentRequest,
  response: ReadResponse,
  body: string,
): LuidRequestError {
  const { code, message } = parseErrorBody(body);
  const reason = quote(connection, message ?? code ?? response.statusText);
  return new LuidRequestError(`${requestLine(connection, request)}: ${response.status} ${reason}`.trimEnd(), {
    status: response.status,
    code: code && quote(connection, code),
    url: redactUrl(connection, request.url),
    hint: hintForStatus(connection, request, response, (value) =>
      quote(connection, redactUrl(connection, String(value))),
    ),
  });
}

/** A successful response with unexpected content. */
export function invalidResponse(
  connection: Connection,
  request: SentRequest,
  problem: string | Problem,
  cause?: unknown,
): LuidResponseError {
  const { message, hint } =
    typeof problem === 'string' ? { message: problem, hint: NOT_THE_SERVICE } : problem;
  return new LuidResponseError(`${requestLine(connection, request)}: ${quote(connection, message)}`, {
    status: 200,
    url: redactUrl(connection, request.url),
    hint,
    cause: redactCause(connection, cause),
  });
}

function parseErrorBody(text: string): Partial<ErrorBody> {
  try {
    const { code, message } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { message }),
    };
  } catch {
    // A proxy may respond in another format, or with `null`: the status is enough.
    return {};
  }
}
