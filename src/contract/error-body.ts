/** §7: the `code` of each status. */
export const ERROR_CODES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
} as const;
export type ErrorStatus = keyof typeof ERROR_CODES;

/** §7: the body of an error. */
export interface ErrorBody {
  status: string;
  code: string;
  /** Only with 429: in how many seconds the next request is possible. */
  message?: string;
}
