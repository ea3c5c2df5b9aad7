import { pathOfItem, routePattern } from '../routes/content-route.ts';
import type { LintedItem } from './linted-item.ts';
import { allItems, type LintedContent, type LintedSite, type Rule } from './rule.ts';
import { quote } from './text-rules.ts';

/** A link in formatted text to a page of the site. */
interface Link {
  readonly item: LintedItem;
  readonly field: string;
  readonly href: string;
  /** `undefined` for a link within the page. */
  readonly path: string | undefined;
  readonly fragment: string;
}

export const LINK_RULES: readonly Rule[] = [
  {
    name: 'broken-link',
    severity: 'error',
    about: 'links to pages that the site does not have',
    fix: 'Correct the link, or name the route in `lint.routes` if the page exists.',
    *find(content) {
      const { links: all, paths } = linksOf(content);
      const links = all.flatMap((link) => (link.path === undefined ? [] : [{ ...link, path: link.path }]));
      const declared = content.site.routes.map(({ route }) => routePattern(route));
      const likely = new Set(content.site.likelyRoutes.map(({ route }) => route));
      // A page may take its ids from elsewhere: its route counts if most links to it lead to an item.
      const proven = [...likely].map(routePattern).filter((pattern) => {
        const own = links.filter(({ path }) => pattern.test(path));
        return own.filter(({ path }) => paths.has(path)).length * 2 > own.length;
      });
      for (const { item, field, href, path } of links) {
        if (paths.has(path)) continue;
        const found = content.site.findPath(path);
        const isOfRoute = [...declared, ...proven].some((pattern) => pattern.test(path));
        if (found === 'none' || (found === 'maybe' && isOfRoute)) {
          yield { item, field, message: `${quote(href)} leads to no page` };
        }
      }
    },
  },
  {
    name: 'broken-fragment',
    severity: 'warning',
    about: 'links to a heading that is in no text of the item that they lead to',
    fix: 'Correct the part after the #: it is the id of a heading.',
    *find(content) {
      const { links, paths } = linksOf(content);
      for (const { item, field, href, path, fragment } of links) {
        const target = path === undefined ? item : paths.get(path);
        if (!target || fragment === '' || fragment === 'top' || fragment.startsWith(':~:')) continue;
        if (!target.texts.some(({ parts }) => parts?.hasAnchor(fragment))) {
          yield { item, field, message: `${quote(href)} leads to no heading` };
        }
      }
    },
  },
];

/** The items that routes show, by path. Pages of other languages may fall back to the main one. */
function itemsByPath({ languages, site }: LintedContent): Map<string, LintedItem> {
  const byPath = new Map<string, LintedItem>();
  const [main = new Map<number, LintedItem>()] = languages;
  for (const route of [...site.routes, ...site.likelyRoutes]) {
    for (const lang of route.langs) {
      const own = languages.find((items) => [...items.values()][0]?.lang === lang);
      for (const item of [...(own?.values() ?? []), ...main.values()]) {
        if (item.model !== route.model) continue;
        const path = pathOfItem(route, item.item, lang);
        if (path !== undefined && !byPath.has(path)) byPath.set(path, item);
      }
    }
  }
  return byPath;
}

interface Links {
  readonly links: readonly Link[];
  readonly paths: ReadonlyMap<string, LintedItem>;
}

/** Both rules use the same. */
const known = new WeakMap<LintedContent, Links>();

function linksOf(content: LintedContent): Links {
  const links: Link[] = [];
  const targets = new Map<string, Target | undefined>();
  const result = known.get(content) ?? { links, paths: itemsByPath(content) };
  if (known.has(content)) return result;
  known.set(content, result);
  for (const item of allItems(content)) {
    for (const { path: field, parts } of item.texts) {
      for (const href of parts?.links ?? []) {
        if (!targets.has(href)) targets.set(href, parseLink(href, content.site));
        const target = targets.get(href);
        if (target) links.push({ item, field, href, path: target.path, fragment: target.fragment });
      }
    }
  }
  return result;
}

type Target = Pick<Link, 'path' | 'fragment'>;

/** `undefined` for what leads elsewhere, or depends on the page: other sites, relative paths, placeholders. */
function parseLink(href: string, { host, base }: LintedSite): Target | undefined {
  if (href.startsWith('#')) return { path: undefined, fragment: decode(href.slice(1)) };
  const isOwn = /^\/(?![/\\])/.test(href);
  if (href.includes('{{') || !(isOwn || /^https?:/i.test(href))) return undefined;
  const url = URL.parse(href, 'http://site.invalid');
  if (!url || !(isOwn || url.hostname.replace(/^www\./, '') === host)) return undefined;
  const prefix = base.replace(/\/$/, '');
  const path = decode(url.pathname).normalize();
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return undefined;
  const below = path.slice(prefix.length).replace(/(?:\/index)?\.html$/, '');
  return { path: below.replace(/\/+$/, '') || '/', fragment: decode(url.hash.slice(1)) };
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
