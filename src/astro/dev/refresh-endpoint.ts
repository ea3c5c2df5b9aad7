import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import type { SlidingWindow } from '../../client/http/limits/sliding-window.ts';
import { withBase } from '../base-path.ts';
import { DEFAULT_HEADER, handleRefresh, hashSecret, REFRESH_PATH } from '../revalidate/refresh-handler.ts';

export interface EndpointOptions {
  /** Without a secret there is no endpoint. */
  readonly secret: string | undefined;
  /** A header with the secret, besides the usual ones. */
  readonly header?: string | undefined;
  /** Astro's `base`: the endpoint is below it, as on a built server, and below the root. */
  readonly base: string;
  /** Limits wrong secrets. */
  readonly refusals?: SlidingWindow | undefined;
  readonly refresh: () => Promise<void>;
  readonly logger: { error(message: string): void };
}

/** `POST /_luid/refresh`, for tunnels and webhooks: responds when the content is loaded. A connect middleware. */
export function refreshEndpoint({ secret, header, base, refusals, refresh, logger }: EndpointOptions) {
  const paths = [REFRESH_PATH, withBase(REFRESH_PATH, base)].flatMap((path) => [path, `${path}/`]);
  const options = {
    findSecretHash: async () => (secret ? hashSecret(secret) : undefined),
    header,
    refusals,
    refresh: async () => {
      await refresh();
      return {};
    },
    logger,
  };

  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!paths.includes(path)) {
      next();
      return;
    }
    const result = await handleRefresh(webRequest(request, header), options);
    const body = await result.text();
    if (response.destroyed) return;
    response.writeHead(result.status, Object.fromEntries(result.headers));
    response.end(body);
  };
}

/** As far as the handler needs it: not every method and header of Node is one that a `Request` may have. */
function webRequest(request: IncomingMessage, header = DEFAULT_HEADER): Request {
  const headers = new Headers();
  for (const name of [header.toLowerCase(), DEFAULT_HEADER, 'authorization', 'content-length']) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  const url = `http://localhost${REFRESH_PATH}`;
  if (request.method !== 'POST') return new Request(url, { headers });
  const body = ReadableStream.from(request.iterator({ destroyOnReturn: false }));
  return new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}
