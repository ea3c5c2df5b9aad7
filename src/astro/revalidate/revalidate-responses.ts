import type { APIContext, MiddlewareHandler } from 'astro';
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
  /** Called before each page is rendered. */
  readonly prepare?: () => Promise<void>;
  readonly logger?: Pick<Console, 'info' | 'warn'>;
}

const NO_ROUTE_CACHE =
  'Pages always show the current content, but none is cached. To cache and revalidate them, set ' +
  '`cache: { provider: memoryCache() }` in astro.config (in Astro 6 within `experimental`), with `memoryCache` ' +
  'from astro/config';

const SET_TOO_LATE =
  'is not cached: only a component called `Astro.cache.set`, when the response had begun. Call it in the frontmatter ' +
  'of the page too, for example with `{ maxAge: 86_400 }`';

/** A middleware: each request sees one version of the content, and cached pages are revalidated when it changes. */
export function revalidateResponses(options: ResponsesOptions): MiddlewareHandler {
  const { sources, revalidation, isDev, prepare, logger = console } = options;
  const once = createOnce();
  const known = new WeakSet<RouteCache>();
  const warnTooLate = ({ routePattern, locals }: APIContext) => {
    // No page is cached in preview.
    if (locals.luid?.preview) return;
    once(`too late ${routePattern}`, () => logger.warn(`[astro-luid] ${routePattern} ${SET_TOO_LATE}`));
  };
  return (context, next) =>
    withOneVersion(async (versions) => {
      if (context.isPrerendered) return next();
      await prepare?.();
      // Experimental in Astro 6, so it may be missing.
      const cache = context.cache as RouteCache | undefined;
      if (!cache?.enabled) {
        if (cache && !isDev) once('no cache', () => logger.info(`[astro-luid] ${NO_ROUTE_CACHE}`));
        return next();
      }
      // A rewrite runs the middleware again, within the first run.
      const isFirstRun = !known.has(cache);
      known.add(cache);
      revalidation.useCache(cache);
      const used = new UsedVersions(sources, versions);
      const response = await next();
      if (sources.all().length === 0) return response;
      if (isActive(cache)) return revalidation.guard(cache, response, used);
      if (isFirstRun) ignoreSet(cache, () => warnTooLate(context));
      return response;
    });
}

/** Whether Astro adds caching headers to the response. */
function isActive({ options: { maxAge, tags = [] } }: RouteCache): boolean {
  return maxAge !== undefined || tags.length > 0;
}

/**
 * Keeps a response out of the cache: the page is still being rendered, so Astro would store it with the tags that are known
 * by then, and without a check for changes.
 */
function ignoreSet(cache: RouteCache, report: () => void): void {
  const set: RouteCache['set'] = (input) => {
    if (input !== false) report();
  };
  Object.defineProperty(cache, 'set', { value: set, configurable: true });
}
