import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { LintedSite } from '../../entries/lint/rule.ts';
import {
  type ContentRoute,
  contentRoute,
  modelOfRoute,
  routePattern,
  slugField,
} from '../../entries/routes/content-route.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { IntegrationOptions } from '../integration/integration-options.ts';
import { pageRoutes } from '../loader/site-routes.ts';
import { redirectedRoutes } from '../redirects/redirect-options.ts';

/** What `astro.config` says about the paths of a site. */
export type SitePaths = Pick<AstroConfig, 'srcDir' | 'publicDir' | 'base' | 'site' | 'redirects'>;

type LintedSpace = Pick<SpaceCore, 'models' | 'settings'>;

/** What can be known of the pages of a site without building it: the files of its pages and the options. */
export function lintedSite(
  { srcDir, publicDir, base, site, redirects }: SitePaths,
  space: LintedSpace,
  { lint: { routes = [] } = {}, redirects: moved = [] }: Pick<IntegrationOptions, 'lint' | 'redirects'>,
): LintedSite {
  const { languages } = space.settings;
  const pages = pageRoutes(srcDir);
  const others = [...Object.keys(redirects), ...routes.filter((route) => typeof route === 'string')];
  const paths = [...pages, ...others].map((route) => route.replace(/(?<=.)\/$/, '').normalize());
  const exact = new Set(paths.filter((path) => !path.includes('[')));
  const patterns = paths.filter((path) => path.includes('[')).map(routePattern);
  const declared = routes
    .filter((route) => typeof route === 'object')
    .map((route) => contentRoute(route, { models: space.models, languages }, 'luid: lint.routes'));
  return {
    host: site === undefined ? undefined : new URL(site).hostname.replace(/^www\./, ''),
    base,
    routes: [...declared, ...redirectedRoutes(moved, space)],
    likelyRoutes: pages.flatMap((page) => likelyRoutes(page, space)),
    findPath(path) {
      if (exact.has(path) || isFile(`${fileURLToPath(publicDir)}${path}`)) return 'exists';
      // The endpoints of Astro and of this package.
      if (pages.length === 0 || path.startsWith('/_')) return 'maybe';
      return patterns.some((pattern) => pattern.test(path)) ? 'maybe' : 'none';
    },
  };
}

/** The routes of content that a page seems to have, with the ids that most sites use. */
function likelyRoutes(page: string, { models, settings: { languages } }: LintedSpace): ContentRoute[] {
  const model = modelOfRoute(page, models);
  // With two parameters, nothing shows which one is the id.
  const hasOneId = page.replace(/\[(?:lang|locale)\]/, '').split('[').length === 2;
  if (model === undefined || !hasOneId) return [];
  const langs = languages ? [languages.main, ...(languages.sub ?? [])] : [undefined];
  // Ids of several languages begin with the language.
  const routes = page.includes('[...') ? [page, page.replace('[...', '[lang]/[...')] : [page];
  return routes.map((route) => ({ route, model, id: slugField(models, model), langs }));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
