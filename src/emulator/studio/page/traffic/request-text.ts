import type { LoggedRequest, StudioKey } from '../../studio-types.ts';
import { statusText } from '../ui/http-status.ts';

/** A request as the log shows it. */
export interface RequestText {
  readonly path: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly status: string;
  readonly key: string;
}

/** Shorter ones would also hide parts of ordinary words. */
const MIN_HIDDEN_LENGTH = 8;

/** Decodes a request. A key in its URL is not shown. */
export function requestText(request: LoggedRequest, keys: readonly StudioKey[]): RequestText {
  const hide = (text: string) => hideKeys(text, keys);
  return {
    path: hide(decode(request.path)),
    parameters: [...new URLSearchParams(request.query)].map(([name, value]) => [hide(name), hide(value)]),
    status: request.status === 0 ? 'ended' : `${request.status} ${statusText(request.status)}`.trim(),
    key: request.key === undefined ? 'no key' : (keys[request.key]?.name ?? `key ${request.key}`),
  };
}

function hideKeys(text: string, keys: readonly StudioKey[]): string {
  let shown = text;
  for (const { key } of keys) {
    if (text === key) return '***';
    if (key.length >= MIN_HIDDEN_LENGTH) shown = shown.replaceAll(key, '***');
  }
  return shown;
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

export interface LogFilter {
  readonly text: string;
  readonly errors: boolean;
  readonly counted: boolean;
}

export function matchesFilter(
  request: LoggedRequest,
  keys: readonly StudioKey[],
  { text, errors, counted }: LogFilter,
): boolean {
  if (errors && request.status > 0 && request.status < 400) return false;
  if (counted && !request.counted) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const { path, parameters, status, key } = requestText(request, keys);
  const query = parameters.map((parameter) => parameter.join('='));
  return [request.method, path, ...query, status, request.cdn, key].join(' ').toLowerCase().includes(wanted);
}
