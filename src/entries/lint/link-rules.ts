import { routePattern } from '../routes/content-route.ts';
import { type LintedContent, quote, type Rule } from './rule.ts';

export const LINK_RULES: readonly Rule[] = [
  {
    name: 'broken-link',
    severity: 'error',
    about: 'links to pages that the site does not have',
    fix: 'Correct the link, or name the route in `lint.routes` if the page exists.',
    *find(content) {
      const broken = brokenPaths(content);
      for (const { item, field, href, path } of content.links) {
        if (path !== undefined && broken.has(path)) {
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
    *find({ links, pages }) {
      for (const { item, field, href, path, anchor } of links) {
        const target = path === undefined ? item : pages.get(path);
        if (!target || anchor === '') continue;
        const hasAnchor = (id: string) => target.texts.some(({ anchors }) => anchors.has(id));
        // Equal headings have numbers.
        if (hasAnchor(anchor) || hasAnchor(anchor.replace(/-\d+$/, ''))) continue;
        yield { item, field, message: `${quote(href)} leads to no heading` };
      }
    },
  },
];

/** The paths that links lead to, and the site does not have. */
function brokenPaths({ site, pages, links }: LintedContent): Set<string> {
  const paths = [...new Set(links.flatMap(({ path }) => path ?? []))];
  const missing = paths.filter((path) => !pages.has(path));
  const declared = site.routes.map(({ route }) => routePattern(route));
  // A page may take its ids from elsewhere: its route counts if most links to it lead to an item.
  const proven = [...new Set(site.likelyRoutes.map(({ route }) => route))]
    .map(routePattern)
    .filter((pattern) => {
      const countIn = (some: readonly string[]) => some.filter((path) => pattern.test(path)).length;
      return countIn(missing) * 2 < countIn(paths);
    });
  const routes = [...declared, ...proven];
  return new Set(
    missing.filter((path) => {
      const found = site.findPath(path);
      return found === 'none' || (found === 'maybe' && routes.some((pattern) => pattern.test(path)));
    }),
  );
}
