import type { APIContext, AstroCookies } from 'astro';
import { expect, test } from 'vitest';
import { setCookie } from '../../../src/astro/preview/preview-cookie.ts';
import { previewRequests } from '../../../src/astro/preview/preview-requests.ts';
import type { PreviewSettings } from '../../../src/astro/preview/preview-settings.ts';
import { hashOfSecret, toHex } from '../../../src/astro/preview/preview-token.ts';

/** What the middleware does with a page below the preview, for a visitor who has entered it. */
async function show(path: string, base: string) {
  const hash = await hashOfSecret('secret');
  const settings: PreviewSettings = {
    secretHash: toHex(hash),
    maxAge: 60,
    base,
    twins: [],
    editUrl: undefined,
    routes: [
      { pattern: '^\\/について\\/?$', isPrerendered: true },
      { pattern: '^\\/articles\\/([^/]+?)\\/?$', isPrerendered: true },
      { pattern: '^\\/live\\/([^/]+?)\\/?$', isPrerendered: false },
    ],
  };
  const values = new Map<string, string>();
  const cookies = {
    get: (name: string) => (values.has(name) ? { value: values.get(name) } : undefined),
    set: (name: string, value: string) => values.set(name, value),
  } as unknown as AstroCookies;
  const url = new URL(path, 'https://site.test');
  await setCookie(cookies, url, hash, settings);
  const context = {
    url,
    cookies,
    locals: {},
    routePattern: '',
    isPrerendered: false,
  } as unknown as APIContext;
  let shown: unknown;
  const response = (await previewRequests(settings)(context, async (page) => {
    shown = page;
    return new Response('page');
  })) as Response;
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
