import { withBase, withoutBase } from '../base-path.ts';
import { decodePath, TWIN_PATH } from './preview-paths.ts';
import type { PreviewRoute, PreviewSettings } from './preview-settings.ts';

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
