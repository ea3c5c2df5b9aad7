import { describe, expect, test } from 'vitest';
import { previewRequests } from '../../../src/astro/preview/preview-requests.ts';
import { createRequest, createRoute, createSettings, createTwin } from './preview-visitor.ts';

/** What the middleware does with a page below the preview, for a visitor who has entered it. */
async function visit(path: string, base: string, page = new Response('page'), method = 'GET') {
  const settings = await createSettings({
    base,
    routes: [
      createRoute('^\\/$', { isPrerendered: true }),
      createRoute('^\\/_luid\\/preview-page\\/?$', { isTwin: true }),
      createRoute('^\\/について\\/?$', { isPrerendered: true }),
      createRoute('^\\/articles\\/([^/]+?)\\/?$', { isPrerendered: true }),
      ...createTwin('^\\/(events|exit|bar\\.js)\\/?$'),
      ...createTwin('^\\/news(?:\\/(.*?))?\\/?$'),
      createRoute('^\\/live\\/([^/]+?)\\/?$'),
      createRoute('^\\/admin\\/delete\\/?$', { isPage: false }),
    ],
  });
  const context = await createRequest(path, settings, { method });
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
  ['/_luid/preview/news/a/b?c=d', '/', '/_luid/preview-page/news/a/b?c=d'],
  ['/docs/_luid/preview/news', '/docs', '/docs/_luid/preview-page/news'],
  ['/_luid/preview', '/', '/_luid/preview-page'],
  ['/docs/_luid/preview/', '/docs/', '/docs/_luid/preview-page'],
  ['/_luid/preview/events', '/', '/_luid/preview-page/events'],
  ['/_luid/preview/exit', '/', '/_luid/preview-page/exit'],
  ['/_luid/preview/bar.js', '/', '/_luid/preview-page/bar.js'],
])('%s with base %s shows %s', async (path, base, page) => {
  expect(await show(path, base)).toEqual({ status: 200, shown: page });
});

test("with trailingSlash: 'always', the twin of the home page has one too", async () => {
  const routes = [
    createRoute('^\\/$', { isPrerendered: true }),
    createRoute('^\\/_luid\\/preview-page\\/$', { isTwin: true }),
  ];
  const settings = await createSettings({ routes, hasTrailingSlash: true });
  const context = await createRequest('/_luid/preview/', settings);
  let shown: unknown;
  await previewRequests(settings)(context, async (rewritten) => {
    shown = rewritten;
    return new Response('page');
  });
  expect(shown).toBe('/_luid/preview-page/');
});

test('no header lets a browser, a proxy or the CDN of a host cache a page in preview', async () => {
  const caching = {
    'Cache-Control': 'public, max-age=60',
    'CDN-Cache-Control': 'max-age=60',
    'Netlify-CDN-Cache-Control': 'public, s-maxage=60, durable',
    'Vercel-CDN-Cache-Control': 'max-age=60',
    'Cloudflare-CDN-Cache-Control': 'max-age=60',
    'Akamai-Cache-Control': 'max-age=60',
    'X-LiteSpeed-Cache-Control': 'public, max-age=60',
    'X-LiteSpeed-Tag': 'a',
    xkey: 'a',
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

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  'a %s request is not passed on to a page or an endpoint under another URL',
  async (method) => {
    for (const path of ['/_luid/preview/live/a', '/_luid/preview/admin/delete', '/_luid/preview']) {
      const { response, shown } = await visit(path, '/', undefined, method);
      expect([response.status, response.headers.get('allow'), shown]).toEqual([405, 'GET, HEAD', undefined]);
    }
    const { response } = await visit('/live/a', '/', undefined, method);
    expect(response.status).toBe(200);
  },
);

test('an endpoint is not available under another URL, nor is a path that the site does not have', async () => {
  for (const path of ['/_luid/preview/admin/delete', '/_luid/preview/nothing']) {
    const { response, shown } = await visit(path, '/');
    expect([path, response.status, shown]).toEqual([path, 404, undefined]);
  }
  const { response } = await visit('/_luid/preview/admin/delete', '/');
  expect(await response.text()).toContain('The preview shows only pages');
});

test('a HEAD request shows a page as a GET request does', async () => {
  const { response, shown } = await visit('/_luid/preview/live/a', '/', undefined, 'HEAD');
  expect([response.status, shown]).toEqual([200, '/live/a']);
});

test('a twin is not available under a URL of its own', async () => {
  const settings = await createSettings();
  const context = await createRequest('/_luid/preview-page/news', settings, {
    routePattern: '/_luid/preview-page/news/[...path]',
  });
  const response = await previewRequests(settings)(context, async () => new Response('page'));
  expect((response as Response).status).toBe(404);
});

test.each(['/404', '/500'])(
  'the error page %s, which Astro shows at the URL of a page in preview, is shown as it is and not cached',
  async (routePattern) => {
    const settings = await createSettings({ routes: [createRoute('^\\/live\\/a$')] });
    const context = await createRequest('/_luid/preview/live/a', settings, { routePattern });
    const headers = { 'cache-control': 'public, max-age=600' };
    const response = (await previewRequests(settings)(context, async (rewritten) => {
      expect(rewritten).toBeUndefined();
      return new Response('error page', { status: 500, headers });
    })) as Response;
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(context.locals.luid?.preview).toBe(true);
  },
);

describe('a page in preview that redirects', () => {
  async function redirect(path: string, location: string, base = '/') {
    const page = new Response(null, { status: 302, headers: { location } });
    const { response } = await visit(path, base, page);
    return [response.status, response.headers.get('location')];
  }

  test.each([
    ['/live/b?c=d#e', '/_luid/preview/live/b?c=d#e'],
    ['https://site.test/live/b', '/_luid/preview/live/b'],
    ['/news/b', '/_luid/preview/news/b'],
    ['/', '/_luid/preview/'],
  ])('to %s leads to %s', async (location, expected) => {
    expect(await redirect('/_luid/preview/live/a', location)).toEqual([302, expected]);
  });

  test('leads to the preview below the base of the site', async () => {
    const location = await redirect('/docs/_luid/preview/live/a', '/docs/live/b', '/docs');
    expect(location).toEqual([302, '/docs/_luid/preview/live/b']);
  });

  test.each([
    ['another site', 'https://other.test/live/b'],
    ['another site, without a scheme', '//other.test/live/b'],
    ['a relative URL, which browsers resolve in the preview', '../live/b'],
    ['a prerendered page without a preview', '/articles/b'],
    ['an endpoint', '/admin/delete'],
    ['an unknown path', '/nothing'],
    ['the preview itself', '/_luid/preview/live/b'],
    ['something that is not a URL', 'https://'],
  ])('to %s leads there', async (_, location) => {
    expect(await redirect('/_luid/preview/live/a', location)).toEqual([302, location]);
  });

  test('leads where it leads outside of the preview, if it is shown at its own URL', async () => {
    expect(await redirect('/live/a', '/live/b')).toEqual([302, '/live/b']);
  });
});
