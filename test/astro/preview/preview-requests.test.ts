import { expect, test } from 'vitest';
import { previewRequests } from '../../../src/astro/preview/preview-requests.ts';
import { createRequest, createSettings } from './preview-visitor.ts';

/** What the middleware does with a page below the preview, for a visitor who has entered it. */
async function visit(path: string, base: string, page = new Response('page')) {
  const settings = await createSettings({
    base,
    routes: [
      { pattern: '^\\/について\\/?$', isPrerendered: true },
      { pattern: '^\\/articles\\/([^/]+?)\\/?$', isPrerendered: true },
      { pattern: '^\\/live\\/([^/]+?)\\/?$', isPrerendered: false },
    ],
  });
  const context = await createRequest(path, settings);
  let shown: unknown;
  const response = (await previewRequests(settings)(context, async (rewritten) => {
    shown = rewritten;
    return page;
  })) as Response;
  return { response, shown };
}

async function show(path: string, base: string) {
  const { response, shown } = await visit(path, base);
  return { status: response.status, shown };
}

test.each([
  ['/_luid/preview/articles/a', '/'],
  ['/docs/_luid/preview/articles/a', '/docs'],
  ['/docs/_luid/preview/articles/a', '/docs/'],
  ['/_luid/preview/%E3%81%AB%E3%81%A4%E3%81%84%E3%81%A6', '/'],
])('%s with base %s is a prerendered page, which the server does not contain', async (path, base) => {
  expect(await show(path, base)).toEqual({ status: 404, shown: undefined });
});

test.each([
  ['/_luid/preview/live/a?b=c', '/', '/live/a?b=c'],
  ['/docs/_luid/preview/live/a', '/docs', '/docs/live/a'],
])('%s with base %s shows %s', async (path, base, page) => {
  expect(await show(path, base)).toEqual({ status: 200, shown: page });
});

test('no header lets a browser, a proxy or the CDN of a host cache a page in preview', async () => {
  const caching = {
    'Cache-Control': 'public, max-age=60',
    'CDN-Cache-Control': 'max-age=60',
    'Netlify-CDN-Cache-Control': 'public, s-maxage=60, durable',
    'Vercel-CDN-Cache-Control': 'max-age=60',
    'Cloudflare-CDN-Cache-Control': 'max-age=60',
    'Surrogate-Control': 'max-age=60',
    'Surrogate-Key': 'a b',
    'Edge-Control': 'max-age=60',
    'X-Accel-Expires': '60',
    'Cache-Tag': 'a',
    'Netlify-Cache-Tag': 'a',
    'Vercel-Cache-Tag': 'a',
    'Edge-Cache-Tag': 'a',
    'X-Cache-Tags': 'a',
    Expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
    Age: '1',
    ETag: '"a"',
    'Last-Modified': 'Fri, 01 Jan 2021 00:00:00 GMT',
  };
  const page = new Response('page', { headers: { ...caching, 'content-language': 'ja', link: '</a>' } });
  const { response } = await visit('/live/a', '/', page);
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'private, no-store',
    'content-language': 'ja',
    'content-type': 'text/plain;charset=UTF-8',
    link: '</a>',
  });
});
