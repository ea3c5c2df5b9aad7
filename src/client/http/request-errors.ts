import type { ErrorBody } from '../../contract/error-body.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LuidRequestError, LuidResponseError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import type { QueryParameters } from './canonical-url.ts';
import type { Connection } from './connection.ts';
import type { NetworkFailure } from './network-problem.ts';

/** What was asked, for errors to say. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly parameters: QueryParameters;
}

/** Characters of the service's own words that are shown. */
const MOST_SAID = 300;

/** The service answered with an error (§7), or something before it did. */
export function refused(
  connection: Connection,
  asked: Asked,
  response: Response,
  body: string,
): LuidRequestError {
  const { code, message } = errorBody(body);
  const said = printable(scrub(connection, message ?? code ?? response.statusText), MOST_SAID);
  return new LuidRequestError(`${where(connection, asked)}: ${response.status} ${said}`.trimEnd(), {
    status: response.status,
    code: code && printable(scrub(connection, code), MOST_SAID),
    url: shown(connection, asked.url),
    hint: hintFor(connection, asked, response),
  });
}

/** No response, or not in time. */
export function unanswered(
  connection: Connection,
  asked: Asked,
  { what, hint }: NetworkFailure,
  cause?: unknown,
): LuidRequestError {
  return new LuidRequestError(`${where(connection, asked)}: ${scrub(connection, what)}`, {
    url: shown(connection, asked.url),
    hint,
    cause: scrubbedCause(connection, cause),
  });
}

/** Whether the service could not be reached or failed itself: nothing here is wrong with the request. */
export function isUnavailable(error: unknown): error is LuidRequestError {
  if (!LuidRequestError.is(error)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

/** What is wrong with a response, and what to do about it where that is not the usual. */
export interface Problem {
  readonly what: string;
  readonly hint: string;
}

/** What came back is not what was asked for. */
export function malformed(
  connection: Connection,
  asked: Asked,
  problem: string | Problem,
  cause?: unknown,
): LuidResponseError {
  const { what, hint } = typeof problem === 'string' ? { what: problem, hint: NOT_THE_SERVICE } : problem;
  return new LuidResponseError(
    `${where(connection, asked)}: ${printable(scrub(connection, what), MOST_SAID)}`,
    {
      status: 200,
      url: shown(connection, asked.url),
      hint,
      cause: scrubbedCause(connection, cause),
    },
  );
}

const NOT_THE_SERVICE =
  'Does `baseUrl` end with the version segment, as in https://…/v1? Is there a proxy or a login page before the service?';

function where(connection: Connection, { method, url }: Asked): string {
  return `[${method}] ${shown(connection, url)}`;
}

/** An address without a user and password. */
function shown(connection: Connection, url: string): string {
  return scrub(connection, url.replace(/^(\w+:\/\/)[^/@]*@/, '$1'));
}

/** A key may come back in the form that a message or an address gave it. */
function scrub({ apiKey }: Connection, text: string): string {
  const forms = [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)];
  return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

/** A cause that shows the key, or quotes the response, is replaced by what it says in print without it. */
function scrubbedCause(connection: Connection, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const deeper = scrubbedCause(connection, cause.cause);
  const message = printable(scrub(connection, cause.message), MOST_SAID);
  const isClean = message === cause.message && scrub(connection, cause.stack ?? '') === (cause.stack ?? '');
  if (isClean && deeper === cause.cause) return cause;
  const clean = new Error(message, deeper === undefined ? {} : { cause: deeper });
  clean.name = cause.name;
  return clean;
}

function errorBody(text: string): Partial<ErrorBody> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return {};
    const { code, message } = body as Record<string, unknown>;
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { message }),
    };
  } catch {
    // Whatever stands between us and the service answered in its own form: the status says enough.
    return {};
  }
}

function hintFor(connection: Connection, { url, parameters }: Asked, response: Response): string | undefined {
  switch (response.status) {
    case 400:
      return suspect(parameters);
    case 401:
      return `The key is missing or wrong: check ${connection.apiKeyVariable}, sent as ${connection.apiKeyHeader}.`;
    case 403: {
      const space = parameters.space === undefined ? '' : ` ${parameters.space}`;
      return `This key may not use that space${space}: check the key’s target spaces in the space’s settings.`;
    }
    case 404:
      // A list is there for every key: only the path can be wrong.
      return /\/contents\/\d/.test(url)
        ? 'Check the id, that it is neither archived nor a draft this key cannot see, and that `baseUrl` ends with …/v1.'
        : 'Does `baseUrl` (LUID_BASE_URL) end with the version segment, as in https://…/v1?';
    case 429:
      return 'All users of this key share one limit: send fewer requests, or give each its own key.';
    case 501:
      // The emulator uses it where a package is missing, and its message names the fix.
      return undefined;
    default:
      if (response.status >= 500) {
        return 'The service itself failed: try again later.';
      }
      if (response.status < 300 || response.status >= 400) return undefined;
      return `The service redirects to ${printable(shown(connection, response.headers.get('location') ?? 'another URL'), MOST_SAID)}: set \`baseUrl\` to it.`;
  }
}

/** The service does not say what it refused (§7): the parameter most likely at fault. */
function suspect(parameters: QueryParameters): string {
  const { limit, depth, offset } = parameters;
  const outside = (value: unknown, least: number, most: number) =>
    value !== undefined &&
    !(Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most);
  if (outside(limit, 1, LIMITS.pageSize)) return `limit is ${limit}: it goes from 1 to ${LIMITS.pageSize}.`;
  if (outside(depth, 0, LIMITS.maxDepth)) return `depth is ${depth}: it goes from 0 to ${LIMITS.maxDepth}.`;
  if (outside(offset, 0, Number.MAX_SAFE_INTEGER))
    return `offset is ${offset}: it is a whole number from 0 on.`;
  const filters = Object.keys(parameters).filter((name) => name.endsWith(']'));
  if (filters.length > 0) {
    return `Most likely a filter: ${filters.join(', ')}. Does the field exist, and does its type allow the operator?`;
  }
  const rest = ['order', 'lang', 'space', 'model', 'include'].filter(
    (name) => parameters[name] !== undefined,
  );
  if (rest.length > 0) return `Check ${rest.map((name) => `${name}=${parameters[name]}`).join(', ')}.`;
  return 'Check what was sent against the fields of the model.';
}
