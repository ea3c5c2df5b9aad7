import type { APIContext, AstroCookies } from 'astro';
import { setCookie } from '../../../src/astro/preview/preview-cookie.ts';
import type { PreviewRoute, PreviewSettings } from '../../../src/astro/preview/preview-settings.ts';
import { createToken, publicKeyOf } from '../../../src/astro/preview/preview-token.ts';

export const SECRET = 'open sesame, little door';

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

/** The settings of a site without pages. */
export async function createSettings(settings: Partial<PreviewSettings> = {}): Promise<PreviewSettings> {
  return {
    publicKey: await publicKeyOf(SECRET),
    maxAge: 60,
    base: '/',
    hasTrailingSlash: false,
    editUrl: undefined,
    addsBar: true,
    routes: [],
    ...settings,
  };
}

/** A request of a visitor who has entered the preview. */
export async function createRequest(
  path: string,
  settings: PreviewSettings,
  more: Partial<APIContext> & { readonly method?: string; readonly secret?: string } = {},
): Promise<APIContext> {
  const values = new Map<string, string>();
  const cookies = {
    get: (name: string) => (values.has(name) ? { value: values.get(name) } : undefined),
    set: (name: string, value: string) => values.set(name, value),
  } as unknown as AstroCookies;
  const url = new URL(path, 'https://site.test');
  const { method = 'GET', secret = SECRET, ...context } = more;
  const request = new Request(url, { method });
  const token = await createToken(secret, Date.now() + settings.maxAge * 1000);
  setCookie({ cookies, url, request }, token, settings);
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
