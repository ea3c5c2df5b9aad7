import type { ErrorBody } from '../../contract/error-body.ts';
import { LIMITS } from '../../contract/limits.ts';
import { OPERATORS } from '../../contract/parameters.ts';
import { LuidRequestError, LuidResponseError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import type { QueryParameters } from './canonical-url.ts';
import type { Connection } from './connection.ts';
import type { Problem } from './network-problem.ts';

/** The part of a request that its errors mention. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly parameters: QueryParameters;
}

/** Characters of a request or response that a message quotes. */
const MAX_QUOTED = 300;

/** A response with an error status (§7), from the service or a proxy. */
export function errorResponse(
  connection: Connection,
  request: SentRequest,
  response: Response,
  body: string,
): LuidRequestError {
  const { code, message } = parseErrorBody(body);
  const reason = quote(connection, message ?? code ?? response.statusText);
  return new LuidRequestError(`${requestLine(connection, request)}: ${response.status} ${reason}`.trimEnd(), {
    status: response.status,
    code: code && quote(connection, code),
    url: redactUrl(connection, request.url),
    hint: hintForStatus(connection, request, response),
  });
}

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

/** Whether the service failed or could not be reached, so that nothing is wrong with the request. */
export function isUnavailable(error: unknown): error is LuidRequestError {
  if (!LuidRequestError.is(error)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
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

const CHECK_VERSION = 'Does `baseUrl` (LUID_BASE_URL) end with the version segment, as in https://…/v1?';
const NOT_THE_SERVICE = `${CHECK_VERSION} Did a proxy or a login page respond?`;

function requestLine(connection: Connection, { method, url }: SentRequest): string {
  return `[${method}] ${redactUrl(connection, url)}`;
}

/** Part of a request or response, safe to print. */
function quote(connection: Connection, text: string): string {
  return printable(redactKey(connection, text), MAX_QUOTED);
}

function redactUrl(connection: Connection, url: string): string {
  return redactKey(connection, url.replace(/^(\w+:\/\/)[^/@]*@/, '$1'));
}

/** The key may be quoted as it is, in JSON, in a URL or in its query. */
function redactKey({ apiKey }: Connection, text: string): string {
  const inQuery = new URLSearchParams([['', apiKey]]).toString().slice(1);
  const forms = [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey), inQuery];
  return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

/** Replaces a cause that contains the key or unprintable characters. */
function redactCause(connection: Connection, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const inner = redactCause(connection, cause.cause);
  const message = quote(connection, cause.message);
  const stack = cause.stack ?? '';
  const isClean = message === cause.message && redactKey(connection, stack) === stack;
  if (isClean && inner === cause.cause) return cause;
  const redacted = new Error(message, inner === undefined ? {} : { cause: inner });
  redacted.name = cause.name;
  return redacted;
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

function hintForStatus(
  connection: Connection,
  { url, parameters }: SentRequest,
  response: Response,
): string | undefined {
  const { status } = response;
  switch (status) {
    case 400:
      return guessBadParameter(parameters, (value) => quote(connection, String(value)));
    case 401:
      return `The key is missing or wrong: check ${connection.apiKeyVariable}, sent as ${connection.apiKeyHeader}.`;
    case 403: {
      const { space } = parameters;
      const place = space === undefined ? 'this space' : `the space ${quote(connection, String(space))}`;
      return `The key has no access to ${place}: check its target spaces in the space’s settings.`;
    }
    case 404:
      // Lists exist for every key, so only the path can be wrong.
      return /\/contents\/\d/.test(url)
        ? `Check the id. Is the content archived, or a draft that the key cannot see? ${CHECK_VERSION}`
        : CHECK_VERSION;
    case 429:
      return 'All users of a key share one limit: send fewer requests, or use several keys.';
    default:
      // 501 is sent by the emulator when a package is missing; its message says what to install.
      if (status >= 500 && status !== 501) return 'The service failed: try again later.';
      if (status < 300 || status >= 400) return undefined;
      return `The service redirects to ${quote(connection, redactUrl(connection, response.headers.get('location') ?? 'another URL'))}: set \`baseUrl\` to it.`;
  }
}

/** The service does not say which parameter it rejected (§7), so this names the most likely one. */
function guessBadParameter(parameters: QueryParameters, show: (value: unknown) => string): string {
  for (const [name, min, max] of [
    ['limit', 1, LIMITS.pageSize],
    ['depth', 0, LIMITS.maxDepth],
    ['offset', 0, Number.MAX_SAFE_INTEGER],
  ] as const) {
    const value = parameters[name];
    const number = Number(value);
    if (value !== undefined && !(Number.isInteger(number) && number >= min && number <= max)) {
      return `${name} is ${show(value)}: it must be a whole number from ${min} to ${max}.`;
    }
  }
  const filters = Object.keys(parameters).filter((name) =>
    OPERATORS.some((operator) => name.endsWith(`[${operator}]`)),
  );
  if (filters.length > 0) {
    return `Most likely a filter: ${filters.map(show).join(', ')}. Does the field exist, and does its type allow the operator?`;
  }
  const rest = ['order', 'lang', 'space', 'model', 'include'].filter(
    (name) => parameters[name] !== undefined,
  );
  if (rest.length > 0) return `Check ${rest.map((name) => `${name}=${show(parameters[name])}`).join(', ')}.`;
  return 'Compare what was sent with the fields of the model, or the file with its type.';
}
