import type { WireContent, WireList } from '../contract/content.ts';
import { API_KEY_HEADER } from '../contract/parameters.ts';
import { LuidConfigError } from '../errors.ts';
import type { Connect, NetworkOptions } from './connection.ts';
import { getContent, listContents } from './contents.ts';
import type { Query } from './url.ts';

export interface ClientOptions {
  /** The service's address, with its version segment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Default `X-SERVICE-API-KEY`. */
  readonly apiKeyHeader?: string;
  readonly network?: NetworkOptions;
  readonly fetch?: typeof fetch;
}

export interface Client {
  readonly contents: {
    /** §4.1: one page of a model's content, or of several models'. */
    list(model: string | readonly string[], query?: Query): Promise<WireList>;
    /** §4.2: one item by its id. */
    get(id: number, query?: Query): Promise<WireContent>;
  };
}

/** A client of the service, for endpoints, scripts and tests. */
export function createClient(options: ClientOptions): Client {
  for (const name of ['baseUrl', 'apiKey'] as const) {
    if (options[name]) continue;
    throw new LuidConfigError(`createClient: ${name} is missing`, {
      hint: `Give createClient({ ${name} }).`,
    });
  }
  const connection = {
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    apiKeyHeader: options.apiKeyHeader ?? API_KEY_HEADER,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    network: options.network ?? {},
  };
  return clientOf(async () => connection);
}

export function clientOf(connect: Connect): Client {
  return {
    contents: {
      list: (model, query = {}) => listContents(connect, { ...query, model }),
      get: (id, query = {}) => getContent(connect, id, query),
    },
  };
}
