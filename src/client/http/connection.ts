import { API_KEY_HEADER } from '../../contract/parameters.ts';
import { LuidConfigError } from '../../errors.ts';
import { type OptionRule, object } from '../../options.ts';
import { type Clock, systemClock } from './clock.ts';
import { httpUrl } from './parse-http-url.ts';

export interface NetworkOptions {
  /** Requests under way at once. Default 16. The first user of a key decides for all. */
  readonly concurrency?: number | undefined;
  /** Milliseconds that one attempt may take; half of it until the answer begins. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Attempts after the first. Default 5. */
  readonly retries?: number | undefined;
  /** Reads a minute. Default 600, the service's own limit; `Infinity` for none. */
  readonly requestsPerMinute?: number | undefined;
}

/** Where requests go, with which key, and by what means. */
export interface Connection {
  /** The service's address, with its version segment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyHeader: string;
  /** What holds the key where it was not given in code, for hints. */
  readonly apiKeyVariable: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly network: NetworkOptions;
  /** Called for every response whose content ids are strings, which are used as numbers. */
  readonly onStringIds?: (() => void) | undefined;
}

/** Found when the first request needs it: a space may be defined where its secrets cannot be seen yet. */
export type Connect = () => Promise<Connection>;

export interface ConnectionOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyHeader?: string | undefined;
  readonly apiKeyVariable?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly network?: NetworkOptions | undefined;
}

/** Checks what requests will be made with. No message here may show the key. */
export function connection(options: ConnectionOptions): Connection {
  const { baseUrl, apiKey, network = {} } = options;
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new LuidConfigError(
      'The API key has characters that no header can carry, such as spaces or line ends',
      {
        hint: 'Copy it again from the space’s settings.',
      },
    );
  }
  return {
    baseUrl: httpUrl('baseUrl', 'LUID_BASE_URL', baseUrl),
    apiKey,
    apiKeyHeader: options.apiKeyHeader ?? API_KEY_HEADER,
    apiKeyVariable: options.apiKeyVariable ?? 'LUID_API_KEY',
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    clock: options.clock ?? systemClock,
    network,
  };
}

/** What `network` may hold, wherever it is passed. */
export const NETWORK_OPTIONS: OptionRule = object({
  concurrency: count(1),
  timeout: count(1),
  retries: count(0),
  requestsPerMinute: count(1),
});

/* @__NO_SIDE_EFFECTS__ */
function count(least: number): OptionRule {
  return {
    expected: `a whole number of at least ${least}, or Infinity`,
    accepts: (value) =>
      value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= least),
  };
}
