import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Links and sources in the pages of a built site that lead to no file of it, or to no element: `page → link`. `base` is
 * the path that the site is published below.
 */
export function findDeadLinks(folder, base = '/') {
  const prefix = base.endsWith('/') ? base : `${base}/`;
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html'));
  const htmlOf = new Map(pages.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const idsOf = new Map([...htmlOf].map(([name, html]) => [name, new Set(valuesOf(html, 'id'))]));
  return [...htmlOf].flatMap(([page, html]) => {
    const url = new URL(prefix + page, 'http://site.test');
    const links = new Set(['href', 'src'].flatMap((name) => valuesOf(html, name)));
    return [...links].filter((link) => isDead(link, url)).map((link) => `${page} → ${link}`);
  });

  function isDead(link, url) {
    const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), url);
    if (origin !== url.origin) return false;
    if (!pathname.startsWith(prefix)) return true;
    const path = decodeURIComponent(pathname.slice(prefix.length));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!existsSync(join(folder, file))) return true;
    return hash.length > 1 && idsOf.has(file) && !idsOf.get(file).has(decodeURIComponent(hash.slice(1)));
  }
}

/** The values of an attribute, outside of the content of scripts. */
function valuesOf(html, name) {
  const markup = html.replaceAll(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, '$1');
  return [...markup.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value);
}
