import 'astro:content';
import settings from 'virtual:astro-luid/revalidate';
import type { APIRoute } from 'astro';
import { findRefreshSecret } from '../../space/environment.ts';
import { liveSources } from '../live/live-sources.ts';
import { RateLimit } from './rate-limit.ts';
import { handleRefresh, hashSecret, type RefreshHandlerOptions } from './refresh-handler.ts';
import { createRefreshSite } from './refresh-site.ts';
import { siteRevalidation } from './site-revalidation.ts';

// Loaded by path: the integration adds it to the site as `/_luid/refresh`. Importing astro:content evaluates
// live.config, which adds the live sources.
export const prerender = false;

const MINUTE = 60_000;

const options: RefreshHandlerOptions = {
  async findSecretHash() {
    const { refreshSecretHash } = settings;
    if (refreshSecretHash) return Buffer.from(refreshSecretHash, 'hex');
    const secret = await findRefreshSecret();
    return secret ? hashSecret(secret) : undefined;
  },
  refresh: createRefreshSite({
    sources: liveSources(),
    revalidation: siteRevalidation,
    limit: new RateLimit({ max: 30, window: MINUTE }),
  }),
  refusals: new RateLimit({ max: 100, window: MINUTE }),
  logger: { error: (message) => console.error(`[astro-luid] ${message}`) },
};

export const ALL: APIRoute = async ({ request, cache }) => {
  // Rules for routes in astro.config may include this one.
  if (cache?.enabled) cache.set(false);
  const { status, headers, body } = await handleRefresh(
    {
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      body: () => request.body?.values({ preventCancel: true }) ?? noBody(),
    },
    options,
  );
  return new Response(body, { status, headers });
};

async function* noBody(): AsyncGenerator<Uint8Array> {}
