import { withBase, withoutBase } from '../base-path.ts';
import type { PreviewSettings } from './preview-settings.ts';

/** Enters the preview. Pages in preview are below it. */
export const PREVIEW_PATH = '/_luid/preview';
/** The patterns of its routes. */
export const PREVIEW_PATTERNS = [PREVIEW_PATH, `${PREVIEW_PATH}/[...path]`];
// Not below it: a page of the site may have any path.
export const EXIT_PATH = `${PREVIEW_PATH}-exit`;
/** A stream of events: one for each change of the drafts. */
export const EVENTS_PATH = `${PREVIEW_PATH}-events`;
export const SCRIPT_PATH = `${PREVIEW_PATH}-bar.js`;
export const STYLE_PATH = `${PREVIEW_PATH}-bar.css`;
/** Twins are below it. Requests for pages in preview are rewritten to them. */
export const TWIN_PATH = `${PREVIEW_PATH}-page`;

/**
 * The page that a URL below `/_luid/preview` shows: `/articles/x` for `/_luid/preview/articles/x`. `undefined` for other
 * URLs, and where the preview is entered.
 */
export function previewedPath({ pathname, searchParams }: URL, base: string): string | undefined {
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

/**
 * The path, query and fragment that `to` leads to, if it is a page of this site; `undefined` otherwise. Browsers remove
 * tabs and line breaks from URLs, and read `\` as `/`: whatever they would make of it must stay on this site.
 */
export function parseTarget(to: string, base: string): string | undefined {
  if (!to.startsWith('/') || to.includes('\\') || !URL.canParse(to, ANY_SITE)) return undefined;
  const { origin, pathname, search, hash } = new URL(to, ANY_SITE);
  // `/.//evil.example` is a path here, but another site to a browser that is redirected to it.
  if (origin !== ANY_SITE || pathname.startsWith('//')) return undefined;
  const path = withoutBase(pathname, base);
  if (path === undefined || path === '/_luid' || path.startsWith('/_luid/')) return undefined;
  return pathname + search + hash;
}

const ANY_SITE = 'http://site.invalid';
