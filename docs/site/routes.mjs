import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The id of a page, from its path below `docs/`: `guides/images`, `guides`, and `index` for the first page. */
export function pageId(path) {
  const id = path
    .replaceAll('\\', '/')
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '');
  return id === '' ? 'index' : id;
}

/**
 * What a relative link leads to: `{ route }` of a page or `{ asset: true }` below `docs/`, or `{ file }` elsewhere in the
 * repository, which the site does not contain.
 */
export function resolveLink(href, document) {
  const { pathname, hash } = new URL(href, document);
  const file = fileURLToPath(new URL(pathname, document));
  const path = relative(DOCS, file).replaceAll('\\', '/');
  if (path.startsWith('..')) return { file: relative(ROOT, file).replaceAll('\\', '/') };
  if (!path.endsWith('.md')) return { asset: true };
  const id = pageId(path);
  return { route: `/${id === 'index' ? '' : `${id}/`}${hash}` };
}
