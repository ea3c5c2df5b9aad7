import type { APIContext, AstroCookies } from 'astro';
import { setCookie } from '../../../src/astro/preview/preview-cookie.ts';
import type { PreviewRoute, PreviewSettings } from '../../../src/astro/preview/preview-settings.ts';
import { hashOfSecret, toHex } from '../../../src/astro/preview/preview-token.ts';

/** A route, as Astro has it: the pattern is the source of a regular expression. */
export function createRoute(pattern: string, route: Partial<PreviewRoute> = {}): PreviewRoute {
  return { pattern, isPage: true, isPrerendered: false, isTwin: false, ...route };
}

/** A prerendered page that has a twin. */
export function createTwin(pattern: string): PreviewRoute[] {
  return [
    createRoute(pattern, { isPrerendered: true }),
    createRoute(pattern.replace('^', '^\\/_luid\\/preview-page'), { isTwin: true }),
  ];
}

/** The settings of a site without pages, whose secret is `secret`. */
export async function createSettings(settings: Partial<PreviewSettings> = {}): Promise<PreviewSettings> {
  return {
    secretHash: toHex(await hashOfSecret('secret')),
    maxAge: 60,
    base: '/',
    hasTrailingSlash: false,
    editUrl: undefined,
    routes: [],
    ...settings,
  };
}

/** A request of a visitor who has entered the preview. */
export async function createRequest(
  path: string,
  settings: PreviewSettings,
  more: Partial<APIContext> & { readonly method?: string } = {},
): Promise<APIContext> {
  const values = new Map<string, string>();
  const cookies = {
    get: (name: string) => (values.has(name) ? { value: values.get(name) } : undefined),
    set: (name: string, value: string) => values.set(name, value),
  } as unknown as AstroCookies;
  const url = new URL(path, 'https://site.test');
  await setCookie(cookies, url, await hashOfSecret('secret'), settings);
  const { method = 'GET', ...context } = more;
  const request = new Request(url, { method });
  return {
    url,
    request,
    cookies,
    locals: {},
    routePattern: url.pathname.includes('/_luid/preview') ? '/_luid/preview/[...path]' : '',
    isPrerendered: false,
    ...context,
  } as APIContext;
}
