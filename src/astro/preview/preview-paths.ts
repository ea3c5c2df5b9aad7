import type { APIContext } from 'astro';
import { withBase, withoutBase } from '../base-path.ts';
import type { PreviewRoute, PreviewSettings } from './preview-settings.ts';

/** Enters the preview. Pages in preview are below it. */
export const PREVIEW_PATH = '/_luid/preview';
/** The patterns that pages in preview have. */
export const PREVIEW_PATTERNS = [PREVIEW_PATH, `${PREVIEW_PATH}/[...path]`];
// Not below it: a page of the site may have any path.
export const EXIT_PATH = `${PREVIEW_PATH}-exit`;
/** A stream of events: one for each change of the drafts. */
export const EVENTS_PATH = `${PREVIEW_PATH}-events`;
export const SCRIPT_PATH = `${PREVIEW_PATH}-bar.js`;
export const STYLE_PATH = `${PREVIEW_PATH}-bar.css`;
/** The patterns of all routes of the preview. */
export const PREVIEW_ROUTES = [...PREVIEW_PATTERNS, EXIT_PATH, EVENTS_PATH, SCRIPT_PATH, STYLE_PATH];
/** Twins are below it. Requests for pages in preview are rewritten to them. */
export const TWIN_PATH = `${PREVIEW_PATH}-page`;

/**
 * The page that a URL below `/_luid/preview` shows: `/articles/x` for `/_luid/preview/articles/x`. `undefined` for other
 * URLs, and where the preview is entered.
 */
export function previewedPath(
  { url: { pathname, searchParams }, request }: Pick<APIContext, 'url' | 'request'>,
  base: string,
): string | undefined {
  // Astro normalizes `url`. Browsers do not, and resolve the links and forms of the page.
  if (!isSitePath(new URL(request.url).pathname)) return undefined;
  const path = withoutBase(pathname, base);
  if (path === undefined || !`${path}/`.startsWith(`${PREVIEW_PATH}/`)) return undefined;
  const page = withValidEncoding(path.slice(PREVIEW_PATH.length)) || '/';
  if (page !== '/') return withBase(page, base);
  return searchParams.has('secret') ? undefined : homePath(base);
}

/** With a base, Astro rewrites to it with and without a slash, but finds it only without one if `trailingSlash` is `'never'`. */
function homePath(base: string): string {
  return withBase('', base) || '/';
}

/** Where a page is shown in preview even if it is prerendered or cached. */
export function previewPathOf(path: string, base: string): string {
  return withBase(PREVIEW_PATH + (withoutBase(path, base) ?? path), base);
}

/** How the preview shows a path of the site. */
export type PreviewPage =
  /** `path`: what renders it, without a query. */
  | { readonly kind: 'on-demand' | 'twin'; readonly path: string }
  /** The server does not contain prerendered pages. */
  | { readonly kind: 'prerendered' }
  | { readonly kind: 'not-a-page' }
  | { readonly kind: 'none' };

/** Finds what shows a page in preview. `path` has no query. */
export function findPage(path: string, { base, routes, hasTrailingSlash }: PreviewSettings): PreviewPage {
  const page = withoutBase(path, base) ?? path;
  const twinPath = TWIN_PATH + (page === '/' && !hasTrailingSlash ? '' : page);
  const route = routes.find((one) => !one.isTwin && matches(one, page));
  if (route && !route.isPage) return { kind: 'not-a-page' };
  if (route && !route.isPrerendered) return { kind: 'on-demand', path };
  const hasTwin = routes.some((one) => one.isTwin && matches(one, twinPath));
  if (hasTwin) return { kind: 'twin', path: withBase(twinPath, base) };
  return { kind: route ? 'prerendered' : 'none' };
}

function matches({ pattern }: PreviewRoute, path: string): boolean {
  return new RegExp(pattern).test(decodePath(path));
}

/** The path of a target, without its query and fragment. */
export function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? '';
}

/** Astro redirects pages to their URL with a slash, unless it looks like a file's, but none whose path begins with `/_`. */
export function withSlash(
  target: string,
  { hasTrailingSlash }: Pick<PreviewSettings, 'hasTrailingSlash'>,
): string {
  const [path = '', rest = ''] = target.split(/(?=[?#])(.*)/s);
  const isComplete = !hasTrailingSlash || path.endsWith('/') || /\/[^/]+\.\w+$/.test(path);
  return isComplete ? target : `${path}/${rest}`;
}

/**
 * A path that can be decoded, to the same as before. Astro decodes the path of a request, so that a `%` in it may stand
 * alone.
 */
function withValidEncoding(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+|%/gi, (encoded) => {
    return decode(encoded) === undefined ? encoded.replaceAll('%', '%25') : encoded;
  });
}

// Its result is used: bundlers remove a call that only throws.
function decode(encoded: string): string | undefined {
  try {
    return decodeURI(encoded);
  } catch {
    return undefined;
  }
}

/** A path as patterns are written, with all characters as they are; unchanged if its encoding is not valid. */
export function decodePath(path: string): string {
  return decode(path) ?? path;
}

/** The path, query and fragment that `to` leads to, if it is a page of this site; `undefined` otherwise. */
export function parseTarget(to: string, base: string): string | undefined {
  if (!isSitePath(pathOf(to))) return undefined;
  const { pathname, search, hash } = new URL(to, 'http://site.invalid');
  const path = withoutBase(pathname, base);
  if (path === undefined || path === '/_luid' || path.startsWith('/_luid/')) return undefined;
  return pathname + search + hash;
}

/** Astro decodes a path as often as this. */
const MAX_ENCODINGS = 10;
/** `//` and `\` begin the name of another site, dots lead to other paths, and browsers remove tabs and line breaks. */
const AMBIGUOUS = /\/\/|\\|\/\.\.?(?:\/|$)|\p{Cc}/u;

/**
 * Whether browsers, proxies and Astro all take this for one and the same path of this site, however often they decode it.
 * Every path that comes from a request is checked with it before it becomes a URL.
 */
export function isSitePath(path: string): boolean {
  let decoded = path;
  for (let times = 0; times <= MAX_ENCODINGS; times += 1) {
    const next = decodeAscii(decoded);
    if (next === decoded) return path.startsWith('/') && !AMBIGUOUS.test(decoded);
    decoded = next;
  }
  return false;
}

/** Decodes once. Characters outside of ASCII mean nothing in a URL, and their encoding may not be valid. */
function decodeAscii(path: string): string {
  return path.replace(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
