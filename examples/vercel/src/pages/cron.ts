import type { APIRoute } from 'astro';

/** Called by Vercel's cron job: looks for changes, and invalidates the pages that show one. */
export const GET: APIRoute = ({ request, url }) => {
  // Vercel sends CRON_SECRET, which is also the secret of the refresh endpoint.
  const authorization = request.headers.get('authorization') ?? '';
  return fetch(new URL('/_luid/refresh', url), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
  });
};
