import { API_KEY_HEADER } from '../../contract/parameters.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { headerName, type OptionRule, object, showValue } from '../../shared/options.ts';
import type { ClientRequest } from './client-request.ts';
import { type Clock, systemClock } from './clock.ts';
import { parseHttpUrl } from './parse-http-url.ts';

/** Of `network.timeout`, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;

export interface NetworkOptions {
  /** Requests in parallel. Default 64 for the key for published content of a space, otherwise 16. The first user of a key decides for all. */
  readonly concurrency?: number | undefined;
  /** Milliseconds per attempt; half of it until the response starts. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Attempts after the first. Default 5. */
  readonly retries?: number | undefined;
  /** Reads per minute. Default 600, the service's own limit; `Infinity` for no limit. */
  readonly requestsPerMinute?: number | undefined;
}

/** Sends a request within the rate limits, and retries it. */
export type Send = (request: ClientRequest) => Promise<unknown>;

/** The part of a `Response` that the client uses. */
export interface ReadResponse extends Pick<Response, 'status' | 'statusText' | 'ok'> {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: {
    getReader(): Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;
    cancel(): Promise<void>;
  } | null;
}

export interface Connection {
  /** The URL of the service, with its version segment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyHeader: string;
  /** The environment variable of the key, for hints. */
  readonly apiKeyVariable: string;
  readonly fetch: typeof fetch;
  /** Requests content instead of `fetch`. Requests have no body. */
  readonly fetchContent?: ((url: string, init: RequestInit) => Promise<ReadResponse>) | undefined;
  readonly clock: Clock;
  readonly network: NetworkOptions;
  /** Whether the key reads published content only, which the CDN serves. */
  readonly readsPublished?: boolean | undefined;
  /** Called instead of sending a request with its retries, which `send` does. */
  readonly intercept?:
    | ((connection: Connection, request: ClientRequest, send: Send) => Promise<unknown>)
    | undefined;
  /** Called for every response whose content ids are strings; they are converted to numbers. */
  readonly onStringIds?: (() => void) | undefined;
}

/** Called by the first request: where a space is defined, its secrets may not be available yet. */
export type Connect = () => Promise<Connection>;

export type ConnectionOptions = Pick<Connection, 'baseUrl' | 'apiKey'> & {
  readonly [K in 'apiKeyHeader' | 'apiKeyVariable' | 'fetch' | 'clock' | 'network' | 'readsPublished']?:
    | Connection[K]
    | undefined;
};

/** Throws if the URL or the key cannot be used. No message contains the key. */
export function createConnection(options: ConnectionOptions): Connection {
  const { apiKey, apiKeyHeader = API_KEY_HEADER, network = {} } = options;
  if (!headerName.accepts(apiKeyHeader)) {
    throw new LuidConfigError(
      `apiKeyHeader (LUID_API_KEY_HEADER) must be ${headerName.expected}, got ${showValue(apiKeyHeader)}`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new LuidConfigError(
      'The API key contains characters that are not allowed in a header, such as spaces or line breaks',
      { hint: 'Copy it again from the space’s settings.' },
    );
  }
  return {
    baseUrl: parseHttpUrl('baseUrl', 'LUID_BASE_URL', options.baseUrl),
    apiKey,
    apiKeyHeader,
    apiKeyVariable: options.apiKeyVariable ?? 'LUID_API_KEY',
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    clock: options.clock ?? systemClock,
    network,
    readsPublished: options.readsPublished,
  };
}

/** The rules for `network`, wherever it is passed. */
export const NETWORK_OPTIONS: OptionRule = object({
  concurrency: count(1),
  timeout: count(1),
  retries: count(0),
  requestsPerMinute: count(1),
});

/* @__NO_SIDE_EFFECTS__ */
function count(min: number): OptionRule {
  return {
    expected: `a whole number of at least ${min}, or Infinity`,
    accepts: (value) =>
      value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= min),
  };
}
