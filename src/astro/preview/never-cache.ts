import type { APIContext } from 'astro';

/**
 * Keeps a response out of the route cache, whatever a page, a component or another middleware requests before, during
 * or after this call: Astro would store it if one of them called `cache.set({ maxAge })` later, also while the response
 * is already being sent. Throws if that cannot be prevented: an error is better than a draft that everyone sees.
 */
export function neverCache(context: Partial<Pick<APIContext, 'cache'>>): void {
  // Experimental in Astro 6, so it may be missing.
  const { cache } = context;
  if (!cache?.enabled || cache.set === ignore) return;
  cache.set(false);
  // Astro has one cache per request, also if it is rewritten. `writable`: others may wrap it.
  Object.defineProperty(cache, 'set', { value: ignore, configurable: true, writable: true });
  const { maxAge, tags = [] } = cache.options;
  if (cache.set !== ignore || maxAge !== undefined || tags.length > 0) throw new Error(CANNOT_DISABLE);
}

function ignore(): void {}

const CANNOT_DISABLE =
  'astro-luid: the route cache cannot be disabled for this request, so it has no preview';
