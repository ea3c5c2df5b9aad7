import 'astro:content';
import settings from 'virtual:astro-luid/revalidate';
import type { APIRoute } from 'astro';
import { createSlidingWindow } from '../../client/http/limits/sliding-window.ts';
import { findEndpointSecret } from '../../space/environment/environment.ts';
import { liveSources } from '../live/live-sources.ts';
import { handleRefresh, hashSecret, type RefreshHandlerOptions } from './refresh-handler.ts';
import { createRefreshSite } from './refresh-site.ts';
import { siteRevalidation } from './revalidation.ts';

// Loaded by path: the integration adds it to the site as `/_luid/refresh`. Importing astro:content evaluates
// live.config, which adds the live sources.
export const prerender = false;

const MINUTE = 60_000;

const options: RefreshHandlerOptions = {
  async findSecretHash() {
    const { refreshSecretHash } = settings;
    if (refreshSecretHash) return Buffer.from(refreshSecretHash, 'hex');
    const secret = await findEndpointSecret('LUID_REFRESH_SECRET');
    return secret ? hashSecret(secret) : undefined;
  },
  header: settings.refreshHeader,
  refresh: createRefreshSite({
    sources: liveSources(),
    revalidation: siteRevalidation,
    hasPreview: settings.hasPreview,
  }),
  refusals: createSlidingWindow(100, MINUTE),
  logger: { error: (message) => console.error(`[astro-luid] ${message}`) },
};

export const ALL: APIRoute = ({ request, cache }) => {
  // Rules for routes in astro.config may include this one.
  if (cache?.enabled) cache.set(false);
  return handleRefresh(request, options);
};
