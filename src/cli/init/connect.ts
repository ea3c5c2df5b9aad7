import { listContents } from '../../client/endpoints/content-requests.ts';
import { type Connection, createConnection } from '../../client/http/connection.ts';
import { LuidConfigError, LuidError, LuidRequestError, LuidResponseError } from '../../errors.ts';
import { logError, logInfo, styled } from '../shared/output.ts';
import type { Prompts } from './prompts.ts';
import { isServiceUrl, serviceUrl } from './service-url.ts';

/** The URL of the service and the key to read its content. */
export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ConnectOptions {
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
  let baseUrl = options.baseUrl ?? (await prompts.baseUrl());
  let apiKey = options.apiKey ?? (await prompts.apiKey());
  for (;;) {
    try {
      const credentials = { baseUrl: serviceUrl(baseUrl), apiKey: apiKey.trim() };
      const found = connectionWith(credentials, header, prompts.isInteractive ? 1 : 3);
      logInfo(styled('dim', `… connecting to ${credentials.baseUrl}`));
      await probe(found);
      return { credentials, connection: connectionWith(credentials, header, 3) };
    } catch (error) {
      const problem = await diagnose(error, { baseUrl, apiKey }, header);
      if (!prompts.isInteractive || problem.wrongValue === undefined) throw problem.error;
      logError(problem.error.message);
      const initial = isServiceUrl(baseUrl) ? baseUrl : undefined;
      if (problem.wrongValue === 'apiKey') apiKey = await prompts.apiKey();
      else baseUrl = await prompts.baseUrl(problem.suggestion ?? initial);
      logInfo('');
    }
  }
}

function connectionWith(
  { baseUrl, apiKey }: Credentials,
  header: string | undefined,
  retries: number,
): Connection {
  const apiKeyVariable = '--api-key or LUID_API_KEY';
  return createConnection({ baseUrl, apiKey, apiKeyHeader: header, apiKeyVariable, network: { retries } });
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

async function diagnose(error: unknown, given: Credentials, header: string | undefined): Promise<Problem> {
  if (!LuidError.is(error)) throw error;
  // Only these two values are checked before the request.
  if (LuidConfigError.is(error)) {
    return { error, wrongValue: isServiceUrl(given.baseUrl) ? 'apiKey' : 'baseUrl' };
  }
  const { status } = error;
  const responded = LuidResponseError.is(error) || status !== undefined;
  const suggestion = responded ? await findVersionedUrl(given, header) : undefined;
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
async function findVersionedUrl(
  { baseUrl, apiKey }: Credentials,
  header: string | undefined,
): Promise<string | undefined> {
  const plain = serviceUrl(baseUrl);
  if (/\/v\d+$/.test(plain)) return undefined;
  const candidate = `${plain}/v1`;
  try {
    await probe(connectionWith({ baseUrl: candidate, apiKey: apiKey.trim() }, header, 0));
    return candidate;
  } catch (error) {
    // A rejected key also proves that the service is at this URL.
    return LuidRequestError.is(error) && error.code === 'Unauthorized' ? candidate : undefined;
  }
}
