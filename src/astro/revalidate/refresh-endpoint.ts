import type { APIRoute } from 'astro';
import { createSlidingWindow } from '../../client/http/limits/sliding-window.ts';
import type { AstroEnvironment } from '../../space/astro-environment.ts';
import { findEndpointSecret } from '../../space/environment/environment.ts';
import { liveSources } from '../live/live-sources.ts';
import { handleRefresh, hashSecret, type RefreshHandlerOptions } from './refresh-handler.ts';
import { createRefreshSite } from './refresh-site.ts';
import { siteRevalidation } from './revalidation.ts';

const MINUTE = 60_000;

interface Settings {
  readonly astro: AstroEnvironment;
  readonly refreshSecretHash: string | undefined;
  readonly refreshHeader: string | undefined;
  readonly hasPreview: boolean;
}

/** The refresh endpoint of a built server. */
export function refreshEndpoint({ astro, refreshSecretHash, refreshHeader, hasPreview }: Settings): APIRoute {
  const options: RefreshHandlerOptions = {
    async findSecretHash() {
      if (refreshSecretHash) return Buffer.from(refreshSecretHash, 'hex');
      const secret = await findEndpointSecret('LUID_REFRESH_SECRET', astro);
      return secret ? hashSecret(secret) : undefined;
    },
    header: refreshHeader,
    refresh: createRefreshSite({ sources: liveSources(), revalidation: siteRevalidation, hasPreview }),
    refusals: createSlidingWindow(100, MINUTE),
    logger: { error: (message) => console.error(`[astro-luid] ${message}`) },
  };
  return ({ request, cache }) => {
    // Rules for routes in astro.config may include this one.
    if (cache?.enabled) cache.set(false);
    return handleRefresh(request, options);
  };
}
