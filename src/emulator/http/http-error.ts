import { ERROR_CODES, type ErrorBody } from '../../contract/error-body.ts';
import { jsonResponse } from './responses.ts';

/** Thrown while a request is handled: it becomes an error response (§7). */
export class HttpError extends Error {
  readonly status: number;
  /** Seconds, with 429. */
  readonly retryAfter: number | undefined;
  /** The `message` of the body, for limits of the emulator itself. The specification has none. */
  readonly explanation: string | undefined;

  constructor(status: number, details: { retryAfter?: number; explanation?: string } = {}) {
    super(details.explanation ?? `HTTP ${status}`);
    this.status = status;
    this.retryAfter = details.retryAfter;
    this.explanation = details.explanation;
  }
}

export const badRequest = (): HttpError => new HttpError(400);
/** Nothing exists here, or nothing that this key can read. */
export const notFound = (): HttpError => new HttpError(404);

/** The content of an error response. */
export interface ErrorDetails {
  readonly status: number;
  readonly retryAfter?: number | undefined;
  readonly explanation?: string | undefined;
}

/** An error response in the format of §7. */
export function errorResponse(details: ErrorDetails): Response {
  const headers = { 'cache-control': 'no-store', ...retryAfterHeader(details) };
  return jsonResponse(errorBody(details), { status: details.status, headers });
}

export function retryAfterHeader({ retryAfter }: Pick<ErrorDetails, 'retryAfter'>): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** Statuses that only the emulator has, not the service. */
const EMULATOR_CODES: Readonly<Record<number, string>> = {
  421: 'Misdirected Request',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

export function errorBody({ status, retryAfter, explanation }: ErrorDetails): ErrorBody {
  const code =
    (ERROR_CODES as Record<number, string>)[status] ??
    (explanation === undefined ? undefined : EMULATOR_CODES[status]) ??
    (status >= 500 ? ERROR_CODES[500] : ERROR_CODES[400]);
  const body = { status: String(status), code };
  if (explanation !== undefined) return { ...body, message: explanation };
  if (status !== 429) return body;
  return { ...body, message: `The next request is possible in ${retryAfter ?? 1} seconds.` };
}
