import type { APIContext, CacheHint } from 'astro';
import { LiveEntryNotFoundError } from 'astro/content/runtime';

/** A day: changes do not wait for it, but it limits how long a page is kept that nobody requests. */
const maxAge = 86_400;

/** Keeps a page in the route cache until one of the entries or lists that it shows changes. */
export function cacheUntilChange(
  cache: APIContext['cache'],
  ...shown: { readonly cacheHint?: CacheHint | undefined }[]
): void {
  for (const { cacheHint } of shown) cache.set({ ...cacheHint, maxAge });
}

/**
 * The response if an entry or a list could not be loaded: the page of src/pages/404.astro, or 503 for now. Neither is
 * cached, so an entry is shown as soon as it is published, and requests for any other URL do not displace pages.
 */
export function respondTo(error?: Error): Response {
  if (!error || LiveEntryNotFoundError.is(error)) return new Response(null, { status: 404 });
  console.error(error.message);
  return new Response('Not available', { status: 503, headers: { 'retry-after': '10' } });
}
