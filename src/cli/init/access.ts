import { listContents } from '../../client/endpoints/content-requests.ts';
import type { Connection } from '../../client/http/connection.ts';
import { createConnection } from '../../client/http/connection.ts';
import { LuidConfigError, LuidError, LuidRequestError, LuidResponseError } from '../../errors.ts';
import { fail, note, styled } from '../shared/output.ts';
import type { Questions } from './ask.ts';
import { isServiceUrl, serviceUrl } from './service-url.ts';

/** Where the content is, and the key to read it. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface AccessOptions {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly header: string | undefined;
  readonly questions: Questions;
}

/**
 * A URL and a key that the service accepts. On a terminal, what does not work is asked for again and the
 * rest is kept; elsewhere it is an error.
 */
export async function findAccess(
  options: AccessOptions,
): Promise<{ access: Access; connection: Connection }> {
  const { header, questions } = options;
  let baseUrl = options.baseUrl ?? (await questions.baseUrl());
  let apiKey = options.apiKey ?? (await questions.apiKey());
  for (;;) {
    try {
      const access = { baseUrl: serviceUrl(baseUrl), apiKey: apiKey.trim() };
      const found = connect(access, header, questions.isInteractive ? 1 : 3);
      note(styled('dim', `… connecting to ${access.baseUrl}`));
      await probe(found);
      return { access, connection: connect(access, header, 3) };
    } catch (error) {
      const problem = await diagnose(error, { baseUrl, apiKey }, header);
      if (!questions.isInteractive || problem.value === undefined) throw problem.error;
      fail(problem.error.message);
      const initial = isServiceUrl(baseUrl) ? baseUrl : undefined;
      if (problem.value === 'apiKey') apiKey = await questions.apiKey();
      else baseUrl = await questions.baseUrl(problem.suggestion ?? initial);
      note('');
    }
  }
}

function connect({ baseUrl, apiKey }: Access, header: string | undefined, retries: number): Connection {
  const apiKeyVariable = '--api-key or LUID_API_KEY';
  return createConnection({ baseUrl, apiKey, apiKeyHeader: header, apiKeyVariable, network: { retries } });
}

async function probe(found: Connection): Promise<void> {
  await listContents(async () => found, { select: '_id', depth: 0, limit: 1 });
}

interface Problem {
  readonly error: LuidError;
  /** What to ask for again; `undefined` if neither would help. */
  readonly value?: 'baseUrl' | 'apiKey';
  /** A URL that does respond. */
  readonly suggestion?: string | undefined;
}

async function diagnose(error: unknown, given: Access, header: string | undefined): Promise<Problem> {
  if (!LuidError.is(error)) throw error;
  if (LuidConfigError.is(error)) {
    return { error, value: /^The API key/.test(error.message) ? 'apiKey' : 'baseUrl' };
  }
  const { status } = error;
  const responded = LuidResponseError.is(error) || status !== undefined;
  const suggestion = responded ? await findVersion(given, header) : undefined;
  if (suggestion !== undefined) {
    const [what = ''] = error.message.split('\n');
    const hint = `The version segment is missing: ${suggestion} responds. Pass it as --base-url or LUID_BASE_URL.`;
    return {
      error: new LuidRequestError(what, { status, url: error.url, hint }),
      value: 'baseUrl',
      suggestion,
    };
  }
  if (status === 401 || status === 403) return { error, value: 'apiKey' };
  const isOfUrl = !responded || LuidResponseError.is(error) || status === 404 || Number(status) >= 300;
  return isOfUrl && status !== 400 && status !== 402 ? { error, value: 'baseUrl' } : { error };
}

/** The URL with `/v1`, if it has no version and the service responds there. */
async function findVersion(
  { baseUrl, apiKey }: Access,
  header: string | undefined,
): Promise<string | undefined> {
  const plain = serviceUrl(baseUrl);
  if (/\/v\d+$/.test(plain)) return undefined;
  const candidate = `${plain}/v1`;
  try {
    await probe(connect({ baseUrl: candidate, apiKey: apiKey.trim() }, header, 0));
    return candidate;
  } catch (error) {
    // A refused key is a response of the service, too: it exists at this URL.
    return LuidRequestError.is(error) && error.code === 'Unauthorized' ? candidate : undefined;
  }
}
