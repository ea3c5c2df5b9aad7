import { LuidConfigError } from '../errors.ts';
import type { ModelMap } from '../models/types.ts';
import { anything, callback, checkOptions, type OptionRule, secret, string } from '../options.ts';
import { type ReadContents, readContents } from './endpoints/read-api.ts';
import { type WriteContents, type WriteMedia, writeContents, writeMedia } from './endpoints/write-api.ts';
import type { Clock } from './http/clock.ts';
import { type Connect, connection, NETWORK_OPTIONS, type NetworkOptions } from './http/connection.ts';

export interface ClientOptions<M extends ModelMap = ModelMap> {
  /** The service's address, with its version segment. Default: LUID_BASE_URL. */
  readonly baseUrl?: string | undefined;
  /** Default: LUID_API_KEY. */
  readonly apiKey?: string | undefined;
  /** Default `X-SERVICE-API-KEY`. */
  readonly apiKeyHeader?: string | undefined;
  /** The model map, for the types of queries and answers and the formats of texts. */
  readonly models?: M | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Another clock, for tests. */
  readonly clock?: Clock | undefined;
}

const OPTIONS = {
  baseUrl: string,
  apiKey: secret,
  apiKeyHeader: string,
  models: anything,
  network: NETWORK_OPTIONS,
  fetch: callback,
  clock: anything,
} satisfies Record<keyof ClientOptions, OptionRule>;

/** Every endpoint of the service. */
export interface Client<M extends ModelMap = ModelMap> {
  readonly contents: ReadContents<M> & WriteContents<M>;
  readonly media: WriteMedia;
}

/** A client of the service, for endpoints, actions, scripts and tests, wherever there is `fetch`. */
export function createClient<const M extends ModelMap = ModelMap>(options: ClientOptions<M> = {}): Client<M> {
  checkOptions('createClient', options, OPTIONS);
  const {
    models,
    baseUrl = environment('LUID_BASE_URL'),
    apiKey = environment('LUID_API_KEY'),
    ...rest
  } = options;
  for (const [name, variable, value] of [
    ['baseUrl', 'LUID_BASE_URL', baseUrl],
    ['apiKey', 'LUID_API_KEY', apiKey],
  ]) {
    if (value) continue;
    throw new LuidConfigError(`createClient: there is no ${name}`, {
      hint: `Give createClient({ ${name} }), or set ${variable} in the environment.`,
    });
  }
  const found = connection({ baseUrl: baseUrl ?? '', apiKey: apiKey ?? '', ...rest });
  return clientOf<M>(async () => found, models);
}

export function clientOf<M extends ModelMap>(connect: Connect, models?: M): Client<M> {
  return {
    contents: { ...readContents(connect, models), ...writeContents(connect) },
    media: writeMedia(connect),
  } as unknown as Client<M>;
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name];
}
