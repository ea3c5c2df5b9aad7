import { LiveEntryNotFoundError } from 'astro/content/runtime';

/** The response if an entry or a list could not be loaded: the page of src/pages/404.astro, or 503 for now. */
export function respondTo(error: Error | undefined): Response {
  if (!error || LiveEntryNotFoundError.is(error)) return new Response(null, { status: 404 });
  console.error(error.message);
  return new Response('Not available', { status: 503, headers: { 'retry-after': '10' } });
}
