import { parseServiceName, SERVICE_NAMES, SERVICES, type ServiceName } from '../contract/services.ts';
import type { ModelMap } from '../models/types.ts';
import { LuidConfigError } from '../shared/errors.ts';
import {
  anything,
  callback,
  checkOptions,
  headerName,
  type OptionRule,
  secret,
  string,
} from '../shared/options.ts';
import { processVariable } from '../shared/process.ts';
import { createContentsReader, type ReadContents } from './endpoints/read-api.ts';
import {
  createContentsWriter,
  createMediaWriter,
  type WriteContents,
  type WriteMedia,
} from './endpoints/write-api.ts';
import type { Clock } from './http/clock.ts';
import { type Connect, createConnection, NETWORK_OPTIONS, type NetworkOptions } from './http/connection.ts';

export interface ClientOptions<M extends ModelMap = ModelMap> {
  /** The service: sets `baseUrl` and `apiKeyHeader`, as far as they are not set. Default: LUID_SERVICE. */
  readonly service?: ServiceName | undefined;
  /** The URL of the service, with its version segment. Default: LUID_BASE_URL. */
  readonly baseUrl?: string | undefined;
  /** Default: LUID_API_KEY. */
  readonly apiKey?: string | undefined;
  /** Default: LUID_API_KEY_HEADER, then that of the service, then `X-SERVICE-API-KEY`. */
  readonly apiKeyHeader?: string | undefined;
  /** The model map, for typed queries and items and for the formats of flexible texts. */
  readonly models?: M | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

const OPTIONS = {
  service: string,
  baseUrl: string,
  apiKey: secret,
  apiKeyHeader: headerName,
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

/** A client of the service, for endpoints, actions, scripts and tests, in any runtime that has `fetch`. */
export function createClient<const M extends ModelMap = ModelMap>(options: ClientOptions<M> = {}): Client<M> {
  checkOptions('createClient', options, OPTIONS);
  const { models, service = processVariable('LUID_SERVICE'), ...rest } = options;
  const preset = service ? SERVICES[parseServiceName(service)] : undefined;
  const {
    baseUrl = processVariable('LUID_BASE_URL') || preset?.baseUrl,
    apiKey = processVariable('LUID_API_KEY'),
    apiKeyHeader = processVariable('LUID_API_KEY_HEADER') || preset?.apiKeyHeader,
  } = rest;
  for (const [name, variable, value] of [
    ['baseUrl', 'LUID_BASE_URL', baseUrl],
    ['apiKey', 'LUID_API_KEY', apiKey],
  ]) {
    if (value) continue;
    throw new LuidConfigError(`createClient: ${name} is missing`, {
      hint: `Pass createClient({ ${name} }), or set ${variable} in the environment.${
        name === 'baseUrl' ? ` Instead of the URL, LUID_SERVICE can be ${SERVICE_NAMES.join(' or ')}.` : ''
      }`,
    });
  }
  const connection = createConnection({
    ...rest,
    baseUrl: baseUrl ?? '',
    apiKey: apiKey ?? '',
    apiKeyHeader,
  });
  return createConnectedClient<M>(async () => connection, models);
}

/** `space` is the sub-space of requests that name none. */
export function createConnectedClient<M extends ModelMap>(
  connect: Connect,
  models?: M,
  space?: string,
): Client<M> {
  return {
    contents: { ...createContentsReader(connect, models, space), ...createContentsWriter(connect, space) },
    media: createMediaWriter(connect),
  } as unknown as Client<M>;
}
