import type { MiddlewareHandler } from 'astro';
import { previewEnd } from './preview-cookie.ts';
import {
  EVENTS_PATH,
  EXIT_PATH,
  PREVIEW_PATH,
  parseTarget,
  previewedPath,
  SCRIPT_PATH,
  STYLE_PATH,
  withBase,
  withoutBase,
} from './preview-paths.ts';
import { refusal } from './preview-refusal.ts';
import type { PreviewSettings } from './preview-settings.ts';
import type { LuidLocals } from './preview-state.ts';

type Context = Parameters<MiddlewareHandler>[0];

/** A middleware: sets `Astro.locals.luid`, and never lets anything cache a page in preview. */
export function previewRequests(settings: PreviewSettings): MiddlewareHandler {
  return async (context, next) => {
    // Prerendered pages have no visitor.
    if (context.isPrerendered) {
      context.locals.luid = { preview: false };
      return next();
    }
    const path = previewedPath(context.url, settings.base);
    const isPreview = (await previewEnd(context.cookies, settings)) !== undefined;
    context.locals.luid = isPreview ? previewLocals(settings, path !== undefined) : { preview: false };
    // Without a preview, the home page is where it is entered.
    const isPage = path !== undefined && path !== withBase('/', settings.base);
    if (isPage && !isPreview) return refusal(401, 'Enter the preview with the secret first.');
    if (!isPreview) return next();
    if (path !== undefined && parseTarget(path, settings.base) === undefined) {
      return refusal(404, 'The preview has no such page.');
    }

    neverCache(context);
    const isTwin = settings.twins.includes(context.routePattern);
    if (path !== undefined && !isTwin && isPrerendered(path, settings)) return refusal(404, PRERENDERED);
    const response = await (path === undefined || isTwin ? next() : next(path + context.url.search));
    // The page may have set it.
    neverCache(context);
    return withoutCaching(response);
  };
}

const PRERENDERED =
  'This page is prerendered. Name it in `preview: { routes }` of the integration to see its drafts.';

/** The server does not contain prerendered pages. */
function isPrerendered(path: string, { base, routes }: PreviewSettings): boolean {
  const page = decodeURI(withoutBase(path, base) ?? path);
  return routes.find(({ pattern }) => new RegExp(pattern).test(page))?.isPrerendered === true;
}

function previewLocals({ base, editUrl }: PreviewSettings, isPrefixed: boolean): LuidLocals {
  return {
    preview: true,
    bar: {
      script: withBase(SCRIPT_PATH, base),
      style: withBase(STYLE_PATH, base),
      events: withBase(EVENTS_PATH, base),
      exit: withBase(EXIT_PATH, base),
      prefix: isPrefixed ? withBase(PREVIEW_PATH, base) : undefined,
      editUrl,
    },
  };
}

/** Experimental in Astro 6, so it may be missing. */
function neverCache({ cache }: Context): void {
  if (cache?.enabled) cache.set(false);
}

function withoutCaching(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('cache-control', 'private, no-store');
  for (const name of ['cdn-cache-control', 'cache-tag', 'etag', 'last-modified']) headers.delete(name);
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}
