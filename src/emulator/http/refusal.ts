import { ERROR_CODES, type ErrorBody } from '../../contract/error-body.ts';
import { JSON_HEADERS, jsonResponse } from './responses.ts';

/** Thrown anywhere while a request is answered: it becomes an error body (§7). */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds, with 429. */
  readonly retryAfter: number | undefined;
  /** What the body says beyond the specification: only about limits of the emulator itself. */
  readonly explanation: string | undefined;

  constructor(status: number, details: { retryAfter?: number; explanation?: string } = {}) {
    super(details.explanation ?? `refused with ${status}`);
    this.status = status;
    this.retryAfter = details.retryAfter;
    this.explanation = details.explanation;
  }
}

/** The request makes no sense. */
export const badRequest = (): Refusal => new Refusal(400);
/** There is nothing here, or nothing that this key may see. */
export const notFound = (): Refusal => new Refusal(404);

/** What an error response says. */
export interface Refused {
  readonly status: number;
  readonly retryAfter?: number | undefined;
  readonly explanation?: string | undefined;
}

/** The response to a refused request, in §7's form. */
export function refusalResponse(refused: Refused): Response {
  const { status, retryAfter } = refused;
  const headers: Record<string, string> = { ...JSON_HEADERS, 'cache-control': 'no-store' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return jsonResponse(errorBody(refused), { status, headers });
}

/** Statuses that the service does not have, for what only an emulator can run into. */
const OWN_CODES: Readonly<Record<number, string>> = {
  421: 'Misdirected Request',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

export function errorBody({ status, retryAfter, explanation }: Refused): ErrorBody {
  const code =
    (ERROR_CODES as Record<number, string>)[status] ??
    (explanation === undefined ? undefined : OWN_CODES[status]) ??
    (status >= 500 ? ERROR_CODES[500] : ERROR_CODES[400]);
  const body = { status: String(status), code };
  if (explanation !== undefined) return { ...body, message: explanation };
  if (status !== 429) return body;
  return { ...body, message: `The next request is possible in ${retryAfter ?? 1} seconds.` };
}
