import type { MiddlewareHandler } from 'astro';
import { createOnce } from '../../once.ts';
import type { LiveSources } from '../live/live-sources.ts';
import type { RouteCache } from './cache-invalidation.ts';
import { withOneVersion } from './request-versions.ts';
import type { Revalidation } from './revalidation.ts';
import { UsedVersions } from './used-versions.ts';

export interface ResponsesOptions {
  readonly sources: LiveSources;
  readonly revalidation: Revalidation;
  readonly isDev: boolean;
  readonly logger?: Pick<Console, 'info'>;
}

const NO_ROUTE_CACHE =
  'Pages always show the current content, but none is cached. To cache and revalidate them, set ' +
  '`cache: { provider: memoryCache() }` in astro.config (in Astro 6 within `experimental`), with `memoryCache` ' +
  'from astro/config';

/** A middleware: each request sees one version of the content, and cached pages are revalidated when it changes. */
export function revalidateResponses(options: ResponsesOptions): MiddlewareHandler {
  const { sources, revalidation, isDev, logger = console } = options;
  const once = createOnce();
  return (context, next) =>
    withOneVersion(async (versions) => {
      if (context.isPrerendered) return next();
      // Experimental in Astro 6, so it may be missing.
      const cache = context.cache as RouteCache | undefined;
      if (!cache?.enabled) {
        if (cache && !isDev) once('no cache', () => logger.info(`[astro-luid] ${NO_ROUTE_CACHE}`));
        return next();
      }
      revalidation.useCache(cache);
      const used = new UsedVersions(sources, versions);
      const response = await next();
      if (!isActive(cache) || sources.all().length === 0) return response;
      return revalidation.guard(cache, response, used);
    });
}

/** Whether Astro adds caching headers to the response. */
function isActive({ options: { maxAge, tags = [] } }: RouteCache): boolean {
  return maxAge !== undefined || tags.length > 0;
}
