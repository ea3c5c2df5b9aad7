import type { QueryParameters } from './canonical-url.ts';
import type { Problem } from './network-problem.ts';

/** Options of every method of the client. */
export interface RequestOptions {
  /** Ends the request at once, with its retries and its place in the queue. */
  readonly signal?: AbortSignal | undefined;
}

export interface ClientRequest extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly parameters?: QueryParameters;
  readonly body?: BodyInit;
  readonly contentType?: string;
  /** Retries that several requests share. */
  readonly budget?: RetryBudget | undefined;
  /** Returns what is wrong with a response, which is then retried. */
  readonly check?: (json: unknown) => string | Problem | undefined;
  readonly onResponse?: ((response: { cached: boolean }) => void) | undefined;
  /** Called with an error that is not retryable, before the next request of the queue is sent. */
  readonly onPermanentError?: ((error: unknown) => void) | undefined;
  /** Called when the request is sent, and again by each retry. */
  readonly onSend?: (() => void) | undefined;
  /** Called with the error before the request is sent once more. */
  readonly onRetry?: ((error?: unknown) => void) | undefined;
  /** Called when the request is delayed; `delay` settles when the delay is over. */
  readonly onWait?: ((delay: Promise<unknown>) => void) | undefined;
}

export interface RetryBudget {
  retriesLeft: number;
}
