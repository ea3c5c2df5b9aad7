import { ERROR_CODES, type ErrorBody } from '../contract/error-body.ts';
import { JSON_HEADERS, jsonResponse } from './responses.ts';

/** Thrown anywhere while a request is answered: it becomes an error body (§7). */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds, with 429. */
  readonly retryAfter: number | undefined;

  constructor(status: number, retryAfter?: number) {
    super(`answered with ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The request makes no sense. */
export const badRequest = (): Refusal => new Refusal(400);
/** There is nothing here, or nothing that this key may see. */
export const notFound = (): Refusal => new Refusal(404);

/** The answer to a refused request, in §7's form and nothing more. */
export function refusalResponse({
  status,
  retryAfter,
}: {
  status: number;
  retryAfter?: number | undefined;
}): Response {
  const headers: Record<string, string> = { ...JSON_HEADERS, 'cache-control': 'no-store' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return jsonResponse(errorBody(status, retryAfter), { status, headers });
}

export function errorBody(status: number, retryAfter?: number): ErrorBody {
  const code =
    (ERROR_CODES as Record<number, string>)[status] ?? (status >= 500 ? ERROR_CODES[500] : ERROR_CODES[400]);
  if (status !== 429) return { status: String(status), code };
  return { status: '429', code, message: `The next request is possible in ${retryAfter ?? 1} seconds.` };
}
