import type { APIContext } from 'astro';

export const NO_PAGE = 'The preview has no such page.';

/** A response of the preview itself, for people. */
export function refusal(status: number, reason: string, headers: Record<string, string> = {}): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="viewport" content="width=device-width"><title>No preview</title></head>
<body><main><h1>No preview</h1><p>${reason}</p></main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'",
      ...headers,
    },
  });
}

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
