import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '../../errors.ts';

const REFRESH_PATH = '/_luid/refresh';

export interface EndpointOptions {
  /** Without a secret there is no endpoint. */
  readonly secret: string | undefined;
  readonly refresh: () => Promise<void>;
  readonly logger: { error(message: string): void };
}

/** The body of a webhook is ignored, so it has no reason to be long. */
const MAX_BODY_BYTES = 64 * 1024;

/** `POST /_luid/refresh`, for tunnels and webhooks: responds when the content is loaded. A connect middleware. */
export function refreshEndpoint({ secret, refresh, logger }: EndpointOptions) {
  async function handle(request: IncomingMessage): Promise<EndpointResponse> {
    if (!secret) return failure(404, 'no secret is set: set refreshSecret or LUID_REFRESH_SECRET');
    if (request.method !== 'POST')
      return { ...failure(405, 'send a POST request'), headers: { allow: 'POST' } };
    if (!isSame(secretOf(request), secret)) {
      return failure(401, 'send the secret as x-luid-secret, or as authorization: Bearer');
    }
    if (!(await isShort(request))) return failure(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
    try {
      await refresh();
      return { status: 200, body: { refreshed: true } };
    } catch (error) {
      logger.error(`The refresh failed: ${errorMessage(error)}`);
      return failure(502, 'the refresh failed: see the log of the dev server');
    }
  }

  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const [path] = (request.url ?? '').split('?');
    if (path !== REFRESH_PATH && path !== `${REFRESH_PATH}/`) {
      next();
      return;
    }
    // It rejects only if the request is aborted, which needs no response.
    const result = await handle(request).catch(() => undefined);
    if (!result || response.destroyed) return;
    const { status, body, headers = {} } = result;
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      // Do not wait for the rest of a body that was refused.
      ...(status !== 200 && { connection: 'close' }),
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
}

interface EndpointResponse {
  readonly status: number;
  readonly body: { readonly refreshed: boolean; readonly error?: string };
  readonly headers?: Record<string, string>;
}

function failure(status: number, error: string): EndpointResponse {
  return { status, body: { refreshed: false, error } };
}

function secretOf({ headers }: IncomingMessage): string {
  const header = headers['x-luid-secret'];
  if (typeof header === 'string') return header;
  return /^bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim() ?? '';
}

/** Takes the same time wherever, and in whatever length, the two differ. */
function isSame(sent: string, secret: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(sent), hash(secret));
}

async function isShort(request: IncomingMessage): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return false;
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).byteLength;
    if (size > MAX_BODY_BYTES) return false;
  }
  return true;
}
