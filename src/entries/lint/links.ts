import { decodePercent } from '../../shared/decode-percent.ts';
import { pathOfItem } from '../routes/content-route.ts';
import { ID_PREFIX } from '../sanitize/id-prefix.ts';
import type { LintedItem } from './linted-item.ts';
import { allItems, type Link, type LintedContent, type LintedSite, type SpaceContent } from './rule.ts';

/** Where a link leads. */
type Target = Pick<Link, 'path' | 'anchor'>;

export function findLinks(content: SpaceContent): Pick<LintedContent, 'pages' | 'links'> {
  const links: Link[] = [];
  // Most pages have links of the menu, or to each other.
  const targets = new Map<string, Target | undefined>();
  for (const item of allItems(content)) {
    for (const { path: field, links: hrefs } of item.texts) {
      for (const href of hrefs) {
        if (!targets.has(href)) targets.set(href, parseLink(href, content.site));
        const target = targets.get(href);
        if (target) links.push({ item, field, href, path: target.path, anchor: target.anchor });
      }
    }
  }
  return { links, pages: itemsByPath(content) };
}

/** Pages of other languages may fall back to the main one. */
function itemsByPath({ main, sub, site }: SpaceContent): Map<string, LintedItem> {
  const byPath = new Map<string, LintedItem>();
  for (const route of [...site.routes, ...site.likelyRoutes]) {
    for (const lang of route.langs) {
      for (const { items } of [...sub.filter((one) => one.lang === lang), main]) {
        for (const item of items.values()) {
          const path = item.model === route.model ? pathOfItem(route, item.item, lang) : undefined;
          if (path !== undefined && !byPath.has(path)) byPath.set(path, item);
        }
      }
    }
  }
  return byPath;
}

/** `undefined` for what leads elsewhere, or depends on the page: other sites, relative paths, placeholders. */
function parseLink(href: string, { host, base }: LintedSite): Target | undefined {
  if (href.startsWith('#')) return { path: undefined, anchor: anchorOf(href) };
  const isOwn = /^\/(?![/\\])/.test(href);
  if (href.includes('{{') || !(isOwn || /^https?:/i.test(href))) return undefined;
  const url = URL.parse(href, 'http://site.invalid');
  if (!url || !(isOwn || url.hostname.replace(/^www\./, '') === host)) return undefined;
  const prefix = base.replace(/\/$/, '');
  const path = decodePercent(url.pathname).normalize();
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return undefined;
  const below = path.slice(prefix.length).replace(/(?:\/index)?\.html$/, '');
  return { path: below.replace(/\/+$/, '') || '/', anchor: anchorOf(url.hash) };
}

function anchorOf(hash: string): string {
  const id = decodePercent(hash.slice(1)).replace(ID_PREFIX, '');
  return id === 'top' || id.startsWith(':~:') ? '' : id;
}
