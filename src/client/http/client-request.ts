import type { QueryParameters } from './canonical-url.ts';

/** What went wrong with a request, and what to do about it. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

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
  /** Returns a value to use as the JSON of a response body that is known: it is neither parsed nor checked. */
  readonly recognize?: ((body: Uint8Array) => unknown) | undefined;
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

/** The part of a request that its errors mention. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly parameters: QueryParameters;
}

export interface RetryBudget {
  retriesLeft: number;
}
