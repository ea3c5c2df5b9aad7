import { LIMITS } from '../../../contract/limits.ts';
import { OPERATORS } from '../../../contract/parameters.ts';
import { SERVICES } from '../../../contract/services.ts';
import type { QueryParameters } from '../canonical-url.ts';
import type { SentRequest } from '../client-request.ts';
import type { Connection, ReadResponse } from '../connection.ts';

const CHECK_VERSION = 'Does `baseUrl` (LUID_BASE_URL) end with the version segment, as in https://…/v1?';

/** The hint for a successful response with unexpected content. */
export const NOT_THE_SERVICE = `${CHECK_VERSION} Did a proxy or a login page respond?`;

/** What to do about an error status (§7). `show` makes parts of the request and response safe to print. */
export function hintForStatus(
  connection: Connection,
  { url, parameters }: SentRequest,
  response: ReadResponse,
  show: (value: unknown) => string,
): string | undefined {
  const { status } = response;
  switch (status) {
    case 400:
      return guessBadParameter(parameters, show);
    case 401:
      return `The key is missing or wrong: check ${connection.apiKeyVariable}, sent as ${connection.apiKeyHeader}. ${headerHint(connection)}`;
    case 403: {
      const { space } = parameters;
      const place = space === undefined ? 'this space' : `the space ${show(space)}`;
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
      return `The service redirects to ${show(response.headers.get('location') ?? 'another URL')}: set \`baseUrl\` to it.`;
  }
}

/** A key in another header than the expected one counts as missing. */
function headerHint({ apiKeyHeader }: Connection): string {
  const others = Object.entries(SERVICES).filter(
    ([, service]) => service.apiKeyHeader.toLowerCase() !== apiKeyHeader.toLowerCase(),
  );
  const known = others.map(
    ([service, { name, apiKeyHeader: header }]) =>
      `${name} expects ${header}: set \`service: '${service}'\` (LUID_SERVICE=${service}).`,
  );
  return [...known, 'Any other header: set `apiKeyHeader` (LUID_API_KEY_HEADER).'].join(' ');
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
