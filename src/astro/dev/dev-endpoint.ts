import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '../../errors.ts';

const REFRESH_PATH = '/_luid/refresh';

export interface EndpointOptions {
  /** Without one there is no endpoint. */
  readonly secret: string | undefined;
  readonly refresh: () => Promise<void>;
  readonly logger: { error(message: string): void };
}

/** What a hook sends is not looked at, so it has no reason to be long. */
const LONGEST_BODY = 64 * 1024;

/** `POST /_luid/refresh`, for tunnels and hooks: answers once the content is there. A connect middleware. */
export function refreshEndpoint({ secret, refresh, logger }: EndpointOptions) {
  async function answer(request: IncomingMessage): Promise<Answer> {
    if (!secret) return refusal(404, 'no secret is set: give refreshSecret or LUID_REFRESH_SECRET');
    if (request.method !== 'POST') return { ...refusal(405, 'send a POST'), headers: { allow: 'POST' } };
    if (!isSame(secretOf(request), secret)) {
      return refusal(401, 'send the secret as x-luid-secret, or as authorization: Bearer');
    }
    if (!(await isShort(request))) return refusal(413, `the body is longer than ${LONGEST_BODY} bytes`);
    try {
      await refresh();
      return { status: 200, body: { refreshed: true } };
    } catch (error) {
      logger.error(`The refresh failed: ${errorMessage(error)}`);
      return refusal(502, 'the refresh failed: see the log of the dev server');
    }
  }

  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const [path] = (request.url ?? '').split('?');
    if (path !== REFRESH_PATH && path !== `${REFRESH_PATH}/`) {
      next();
      return;
    }
    // A request that breaks off has nobody left to answer.
    const found = await answer(request).catch(() => undefined);
    if (!found || response.destroyed) return;
    const { status, body, headers = {} } = found;
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      // The rest of a body that was refused is not waited for.
      ...(status !== 200 && { connection: 'close' }),
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
}

interface Answer {
  readonly status: number;
  readonly body: { readonly refreshed: boolean; readonly error?: string };
  readonly headers?: Record<string, string>;
}

function refusal(status: number, error: string): Answer {
  return { status, body: { refreshed: false, error } };
}

function secretOf({ headers }: IncomingMessage): string {
  const own = headers['x-luid-secret'];
  if (typeof own === 'string') return own;
  return /^bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim() ?? '';
}

/** In a time that tells nothing of where, or in what length, the two differ. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

async function isShort(request: IncomingMessage): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > LONGEST_BODY) return false;
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).byteLength;
    if (size > LONGEST_BODY) return false;
  }
  return true;
}
