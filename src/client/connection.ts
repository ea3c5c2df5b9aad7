export interface NetworkOptions {
  /** Requests under way at once. Default 16. */
  readonly concurrency?: number;
  /** Milliseconds that one attempt may take. Default 30,000. */
  readonly timeout?: number;
  /** Attempts after the first. Default 5. */
  readonly retries?: number;
}

/** Where a client's requests go and with which key. */
export interface Connection {
  /** The service's address, with its version segment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyHeader: string;
  readonly fetch: typeof fetch;
  readonly network: NetworkOptions;
}

/** Found when the first request needs it: a space may be defined where its secrets cannot be seen yet. */
export type Connect = () => Promise<Connection>;
