import type { IncomingMessage, ServerResponse } from 'node:http';
import { withBase } from '../base-path.ts';
import { handleRefresh, hashSecret, type RefreshRequest } from '../revalidate/refresh-handler.ts';
import { REFRESH_PATH } from '../revalidate/refresh-path.ts';

export interface EndpointOptions {
  /** Without a secret there is no endpoint. */
  readonly secret: string | undefined;
  /** Astro's `base`: the endpoint is below it, as on a built server, and below the root. */
  readonly base: string;
  readonly refresh: () => Promise<void>;
  readonly logger: { error(message: string): void };
}

/** `POST /_luid/refresh`, for tunnels and webhooks: responds when the content is loaded. A connect middleware. */
export function refreshEndpoint({ secret, base, refresh, logger }: EndpointOptions) {
  const paths = [REFRESH_PATH, withBase(REFRESH_PATH, base)].flatMap((path) => [path, `${path}/`]);
  const options = {
    findSecretHash: async () => (secret ? hashSecret(secret) : undefined),
    refresh: async () => {
      await refresh();
      return {};
    },
    logger,
  };

  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const [path] = (request.url ?? '').split('?');
    if (!paths.includes(path ?? '')) {
      next();
      return;
    }
    // It rejects only if the request is aborted, which needs no response.
    const result = await handleRefresh(requestOf(request), options).catch(() => undefined);
    if (!result || response.destroyed) return;
    response.writeHead(result.status, result.headers);
    response.end(result.body);
  };
}

function requestOf(request: IncomingMessage): RefreshRequest {
  return {
    method: request.method ?? '',
    header: (name) => request.headers[name]?.toString(),
    body: () => request.iterator({ destroyOnReturn: false }),
  };
}
