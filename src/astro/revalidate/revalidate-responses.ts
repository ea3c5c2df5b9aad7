import { AsyncLocalStorage } from 'node:async_hooks';
import type { APIContext, MiddlewareHandler, MiddlewareNext } from 'astro';
import { createOnce } from '../../shared/logger.ts';
import { type LiveSources, liveSources, type RequestVersions } from '../live/live-sources.ts';
import type { RouteCache } from './cache-invalidation.ts';
import type { Revalidation } from './revalidation.ts';
import { findWaitUntil } from './wait-until.ts';

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
  const respond = (context: APIContext, next: MiddlewareNext) =>
    withOneVersion(context.locals, async (versions) => {
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
      const response = await next();
      if (sources.all().length === 0) return response;
      if (isActive(cache)) return revalidation.guard(cache, response, versions);
      if (isFirstRun) ignoreSet(cache, () => warnTooLate(context));
      return response;
    });
  return async (context, next) => {
    if (context.isPrerendered) return next();
    const response = await respond(context, next);
    findWaitUntil(context.locals)?.(revalidation.settled());
    return response;
  };
}

/** By the `locals` of the request, which Astro keeps when it rewrites the request and runs the middleware again. */
const versionsOfRequests = new WeakMap<object, RequestVersions>();

/**
 * Runs a function, and everything that it starts, with one version of each live source. The versions that surround it are
 * never used: in Deno, they may be those of an earlier request.
 */
export function withOneVersion<T>(request: object, run: (versions: RequestVersions) => T): T {
  const sources = liveSources();
  sources.requests ??= new AsyncLocalStorage<RequestVersions>();
  const versions: RequestVersions = versionsOfRequests.get(request) ?? new Map();
  versionsOfRequests.set(request, versions);
  return sources.requests.run(versions, () => run(versions));
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
