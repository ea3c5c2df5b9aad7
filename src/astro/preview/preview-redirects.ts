import { findPage } from './preview-pages.ts';
import { parseTarget, pathOf, previewPathOf, withSlash } from './preview-paths.ts';
import type { PreviewSettings } from './preview-settings.ts';

/**
 * Where a redirect of a page in preview leads: to another page in preview, if it is one. `url` is that of the request:
 * browsers resolve relative URLs against it, so these stay in the preview.
 */
export function redirectInPreview(location: string, url: URL, settings: PreviewSettings): string {
  const isRelative = !/^(?:\/|https?:)/i.test(location);
  if (isRelative || !URL.canParse(location, url)) return location;
  const { origin, pathname, search, hash } = new URL(location, url);
  const target = origin === url.origin ? parseTarget(pathname + search + hash, settings.base) : undefined;
  if (target === undefined) return location;
  const page = withSlash(target, settings);
  return 'path' in findPage(pathOf(page), settings) ? previewPathOf(page, settings.base) : location;
}
