import type { MiddlewareHandler } from 'astro';
import { withBase, withoutBase } from '../base-path.ts';
import { addBar } from './bar-html.ts';
import { previewEnd } from './preview-cookie.ts';
import {
  EVENTS_PATH,
  EXIT_PATH,
  findPage,
  PREVIEW_PATH,
  PREVIEW_PATTERNS,
  parseTarget,
  pathOf,
  previewedPath,
  previewPathOf,
  SCRIPT_PATH,
  STYLE_PATH,
  TWIN_PATH,
  withSlash,
} from './preview-paths.ts';
import { NO_PAGE, neverCache, refusal } from './preview-responses.ts';
import type { LuidLocals, PreviewSettings } from './preview-settings.ts';

/** A middleware: sets `Astro.locals.luid`, and never lets anything cache a page in preview. */
export function previewRequests(settings: PreviewSettings): MiddlewareHandler {
  return async (context, next) => {
    // Prerendered pages have no visitor.
    if (context.isPrerendered) {
      context.locals.luid = { preview: false };
      return next();
    }
    // Only what the preview shows is rewritten to twins.
    if (context.routePattern.startsWith(TWIN_PATH)) return refusal(404, NO_PAGE);
    const path = previewedPath(context, settings.base);
    const isPreview = (await previewEnd(context.cookies, settings)) !== undefined;
    if (isPreview || path !== undefined) neverCache(context);
    const luid: LuidLocals = isPreview ? previewLocals(settings, context.url, path) : { preview: false };
    context.locals.luid = luid;
    // Without a preview, the home page is where it is entered.
    const isPage = path !== undefined && withoutBase(path, settings.base) !== '/';
    if (isPage && !isPreview) return refusal(401, 'Enter the preview with the secret first.');
    if (!isPreview) return next();
    // Astro shows its error pages with the URL of the request.
    const isShown = path !== undefined && PREVIEW_PATTERNS.includes(context.routePattern);
    const finish = (response: Response) => {
      const own = withoutCaching(response);
      return settings.addsBar && luid.bar ? addBar(own, luid.bar) : own;
    };
    if (!isShown) return finish(await next());
    const page = findShownPage(path, context.request, settings);
    if (page instanceof Response) return page;
    // A rewrite changes it.
    const { url } = context;
    const response = await finish(await next(page + url.search));
    const location = response.headers.get('location');
    if (location !== null) response.headers.set('location', redirectInPreview(location, url, settings));
    return response;
  };
}

const ONLY_READS = 'The preview only shows pages. Send forms to the URL of the page itself.';
const REASONS = {
  none: NO_PAGE,
  'not-a-page': 'This is not a page of the site. The preview shows only pages.',
  prerendered:
    'This page is prerendered, and does not call `getPreviewEntry`, so it has no drafts to show. ' +
    'A dev server finds a new call when it is started again. For a call in another file, name the page in ' +
    '`preview: { routes }` of the integration.',
};

/**
 * The path that shows a page in preview, or a refusal. What changes something on the site keeps the URL that the rules of
 * a proxy or of another middleware are made for.
 */
function findShownPage(path: string, { method }: Request, settings: PreviewSettings): string | Response {
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, ONLY_READS, { allow: 'GET, HEAD' });
  if (parseTarget(path, settings.base) === undefined) return refusal(404, NO_PAGE);
  const page = findPage(path, settings);
  return 'path' in page ? page.path : refusal(404, REASONS[page.kind]);
}

/**
 * Where a redirect of a page in preview leads: to another page in preview, if it is one. `url` is that of the request:
 * browsers resolve relative URLs against it, so these stay in the preview.
 */
function redirectInPreview(location: string, url: URL, settings: PreviewSettings): string {
  const isRelative = !/^(?:\/|https?:)/i.test(location);
  if (isRelative || !URL.canParse(location, url)) return location;
  const { origin, pathname, search, hash } = new URL(location, url);
  const target = origin === url.origin ? parseTarget(pathname + search + hash, settings.base) : undefined;
  if (target === undefined) return location;
  const page = withSlash(target, settings);
  return 'path' in findPage(pathOf(page), settings) ? previewPathOf(page, settings.base) : location;
}

/** `path`: of a page below the preview. */
function previewLocals(settings: PreviewSettings, url: URL, path: string | undefined): LuidLocals {
  const { base, editUrl, hasTrailingSlash } = settings;
  // Astro never expects one after a file extension.
  const slash = hasTrailingSlash ? '/' : '';
  return {
    preview: true,
    bar: {
      script: withBase(SCRIPT_PATH, base),
      style: withBase(STYLE_PATH, base),
      events: withBase(EVENTS_PATH, base) + slash,
      exit: withBase(EXIT_PATH, base) + slash,
      page: (path ?? url.pathname) + url.search,
      prefix: path !== undefined ? withBase(PREVIEW_PATH, base) : undefined,
      editUrl,
    },
  };
}

/** Headers for caches, of which those for the CDNs of hosts take precedence over `cache-control`. */
const CACHING =
  /-cache-control$|^surrogate-|^edge-control$|^x-accel-expires$|cache-tags?$|^xkey$|^x-litespeed-|^(expires|age|etag|last-modified)$/;

function withoutCaching(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const name of [...headers.keys()].filter((key) => CACHING.test(key))) headers.delete(name);
  headers.set('cache-control', 'private, no-store');
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}
