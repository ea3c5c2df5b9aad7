import { listContents } from '../../client/endpoints/content-requests.ts';
import { type Connection, createConnection } from '../../client/http/connection.ts';
import { API_KEY_HEADER } from '../../contract/parameters.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../contract/services.ts';
import { LuidConfigError, LuidError, LuidRequestError, LuidResponseError } from '../../shared/errors.ts';
import { logError, logInfo, styled } from '../shared/output.ts';
import type { Prompts } from './prompts.ts';
import { isServiceUrl, serviceUrl } from './service-url.ts';

/** The URL of the service and the key to read its content. */
export interface Credentials {
  readonly service: ServiceName | undefined;
  readonly apiKeyHeader: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ConnectOptions {
  readonly service: ServiceName | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly header: string | undefined;
  readonly prompts: Prompts;
}

/**
 * Finds a URL and a key that the service accepts. On a terminal, prompts again for the one that does not work;
 * otherwise that is an error.
 */
export async function connectToService(
  options: ConnectOptions,
): Promise<{ credentials: Credentials; connection: Connection }> {
  const { header, prompts } = options;
  const isUnknown = options.service === undefined && options.baseUrl === undefined;
  const service = isUnknown ? await prompts.service() : options.service;
  const apiKeyHeader = header ?? headerOf(service);
  let baseUrl = options.baseUrl ?? (service ? SERVICES[service].baseUrl : await prompts.baseUrl());
  let apiKey = options.apiKey ?? (await prompts.apiKey());
  for (;;) {
    try {
      const given = { service, baseUrl: serviceUrl(baseUrl), apiKey: apiKey.trim(), apiKeyHeader };
      logInfo(styled('dim', `… connecting to ${given.baseUrl}`));
      const credentials = await probeHeaders(given, prompts.isInteractive ? 1 : 3, header === undefined);
      return { credentials, connection: connectionWith(credentials, 3) };
    } catch (error) {
      const problem = await diagnose(error, { service, baseUrl, apiKey, apiKeyHeader });
      if (!prompts.isInteractive || problem.wrongValue === undefined) throw problem.error;
      logError(problem.error.message);
      const initial = isServiceUrl(baseUrl) ? baseUrl : undefined;
      if (problem.wrongValue === 'apiKey') apiKey = await prompts.apiKey();
      else baseUrl = await prompts.baseUrl(problem.suggestion ?? initial);
      logInfo('');
    }
  }
}

/** Finds the header that the key is accepted in: first the given one, then the others that are known. */
async function probeHeaders(
  given: Credentials,
  retries: number,
  mayTryOthers: boolean,
): Promise<Credentials> {
  try {
    await probe(connectionWith(given, retries));
    return given;
  } catch (error) {
    if (!mayTryOthers || !LuidRequestError.is(error) || error.status !== 401) throw error;
    for (const service of [undefined, ...SERVICE_NAMES]) {
      const other = { ...given, service, apiKeyHeader: headerOf(service) };
      if (service === given.service || !(await isAccepted(other))) continue;
      logInfo(`The key is accepted as ${other.apiKeyHeader}.`);
      return other;
    }
    throw error;
  }
}

async function isAccepted(credentials: Credentials): Promise<boolean> {
  try {
    await probe(connectionWith(credentials, 0));
    return true;
  } catch (error) {
    if (!LuidError.is(error)) throw error;
    return false;
  }
}

function headerOf(service: ServiceName | undefined): string {
  return service ? SERVICES[service].apiKeyHeader : API_KEY_HEADER;
}

function connectionWith({ service, ...credentials }: Credentials, retries: number): Connection {
  const apiKeyVariable = '--api-key or LUID_API_KEY';
  return createConnection({ ...credentials, apiKeyVariable, network: { retries } });
}

async function probe(found: Connection): Promise<void> {
  await listContents(async () => found, { select: '_id', depth: 0, limit: 1 });
}

interface Problem {
  readonly error: LuidError;
  /** The value to prompt for again; `undefined` if neither would help. */
  readonly wrongValue?: 'baseUrl' | 'apiKey';
  /** A URL that the service responds at. */
  readonly suggestion?: string | undefined;
}

async function diagnose(error: unknown, given: Credentials): Promise<Problem> {
  if (!LuidError.is(error)) throw error;
  // Only these two values are checked before the request.
  if (LuidConfigError.is(error)) {
    return { error, wrongValue: isServiceUrl(given.baseUrl) ? 'apiKey' : 'baseUrl' };
  }
  const { status } = error;
  const responded = LuidResponseError.is(error) || status !== undefined;
  const suggestion = responded ? await findVersionedUrl(given) : undefined;
  if (suggestion !== undefined) {
    const [problem = ''] = error.message.split('\n');
    const hint = `The version segment is missing: ${suggestion} responds. Pass it as --base-url or LUID_BASE_URL.`;
    return {
      error: new LuidRequestError(problem, { status, url: error.url, hint }),
      wrongValue: 'baseUrl',
      suggestion,
    };
  }
  if (status === 401 || status === 403) return { error, wrongValue: 'apiKey' };
  const isWrongUrl = !responded || LuidResponseError.is(error) || status === 404 || Number(status) >= 300;
  return isWrongUrl && status !== 400 && status !== 402 ? { error, wrongValue: 'baseUrl' } : { error };
}

/** The URL with `/v1` appended, if it has no version segment and the service responds there. */
async function findVersionedUrl(given: Credentials): Promise<string | undefined> {
  const plain = serviceUrl(given.baseUrl);
  if (/\/v\d+$/.test(plain)) return undefined;
  const baseUrl = `${plain}/v1`;
  try {
    await probe(connectionWith({ ...given, baseUrl, apiKey: given.apiKey.trim() }, 0));
    return baseUrl;
  } catch (error) {
    // A rejected key also proves that the service is at this URL.
    return LuidRequestError.is(error) && error.code === 'Unauthorized' ? baseUrl : undefined;
  }
}
