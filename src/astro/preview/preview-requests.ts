import type { MiddlewareHandler } from 'astro';
import { withBase, withoutBase } from '../base-path.ts';
import { neverCache } from './never-cache.ts';
import { previewEnd } from './preview-cookie.ts';
import { findPage } from './preview-pages.ts';
import {
  EVENTS_PATH,
  EXIT_PATH,
  PREVIEW_PATH,
  PREVIEW_PATTERNS,
  parseTarget,
  previewedPath,
  SCRIPT_PATH,
  STYLE_PATH,
  TWIN_PATH,
} from './preview-paths.ts';
import { redirectInPreview } from './preview-redirects.ts';
import { refusal } from './preview-refusal.ts';
import type { PreviewSettings } from './preview-settings.ts';
import type { LuidLocals } from './preview-state.ts';

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
    const path = previewedPath(context.url, settings.base);
    const isPreview = (await previewEnd(context.cookies, settings)) !== undefined;
    if (isPreview || path !== undefined) neverCache(context);
    context.locals.luid = isPreview ? previewLocals(settings, path !== undefined) : { preview: false };
    // Without a preview, the home page is where it is entered.
    const isPage = path !== undefined && withoutBase(path, settings.base) !== '/';
    if (isPage && !isPreview) return refusal(401, 'Enter the preview with the secret first.');
    if (!isPreview) return next();
    // Astro shows its error pages with the URL of the request.
    const isShown = path !== undefined && PREVIEW_PATTERNS.includes(context.routePattern);
    if (!isShown) return withoutCaching(await next());
    const page = findShownPage(path, context.request, settings);
    if (page instanceof Response) return page;
    // A rewrite changes it.
    const { url } = context;
    const response = withoutCaching(await next(page + url.search));
    const location = response.headers.get('location');
    if (location !== null) response.headers.set('location', redirectInPreview(location, url, settings));
    return response;
  };
}

const NO_PAGE = 'The preview has no such page.';
const ONLY_READS = 'The preview only shows pages. Send forms to the URL of the page itself.';
const REASONS = {
  none: NO_PAGE,
  'not-a-page': 'This is not a page of the site. The preview shows only pages.',
  prerendered:
    'This page is prerendered. Name it in `preview: { routes }` of the integration to see its drafts.',
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

function previewLocals(settings: PreviewSettings, isPrefixed: boolean): LuidLocals {
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
      prefix: isPrefixed ? withBase(PREVIEW_PATH, base) : undefined,
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
