import type { StudioError, StudioItem } from '../studio-types.ts';
import { readToken } from './token.ts';

/** A request that the emulator refused, or that did not reach it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: NonNullable<StudioError['problems']>;
  /** With 409: the item as it is now. */
  readonly current: StudioItem | undefined;

  constructor(status: number, body: Partial<StudioError>) {
    super(body.message ?? `${status} ${body.code ?? ''}`.trim());
    this.status = status;
    this.code = body.code ?? '';
    this.problems = body.problems ?? [];
    this.current = body.current;
  }
}

type Query = { readonly [name: string]: string | number | undefined };

interface RequestOptions {
  readonly query?: Query | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads from `/_studio/api/`. */
export function get<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return send<T>('GET', path, undefined, options);
}

/** Sends JSON, or a form with a file. */
export function post<T>(
  path: string,
  body: object | FormData = {},
  options: RequestOptions = {},
): Promise<T> {
  return send<T>('POST', path, body, options);
}

async function send<T>(
  method: string,
  path: string,
  body: object | undefined,
  { query = {}, signal }: RequestOptions,
): Promise<T> {
  const url = new URL(`/_studio/api/${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  const isForm = body instanceof FormData;
  const headers = new Headers({ authorization: `Bearer ${readToken() ?? ''}` });
  if (body && !isForm) headers.set('content-type', 'application/json');
  const init: RequestInit = { method, headers };
  if (body) init.body = isForm ? body : JSON.stringify(body);
  if (signal) init.signal = signal;
  const response = await fetch(url, init).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, { message: 'The emulator does not respond. Is it still running?' });
  });
  const json: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, json as StudioError);
  return json as T;
}
