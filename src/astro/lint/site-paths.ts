import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
import { PAGE } from '../loader/site-routes.ts';
import { redirectedRoutes } from '../redirects/redirect-options.ts';

/** What `astro.config` says about paths. The folders are absolute. */
export interface SitePaths {
  readonly srcDir: string;
  readonly publicDir: string;
  readonly base: string;
  readonly site: string | undefined;
  /** The paths that it redirects. */
  readonly redirects: readonly string[];
}

/** What can be known of the pages of a site without building it: the files of its pages and the options. */
export function lintedSite(
  { srcDir, publicDir, base, site, redirects }: SitePaths,
  { models, settings }: Pick<SpaceCore, 'models' | 'settings'>,
  { lint: { routes = [] } = {}, redirects: moved = [] }: Pick<IntegrationOptions, 'lint' | 'redirects'>,
): LintedSite {
  const pages = pageRoutes(join(srcDir, 'pages'));
  const others = [...redirects, ...routes.filter((route) => typeof route === 'string')];
  const fixed = [...pages, ...others].filter((route) => !route.includes('['));
  const patterns = [...pages, ...others].filter((route) => route.includes('[')).map(routePattern);
  const exact = new Set(fixed.map((route) => route.replace(/(?<=.)\/$/, '').normalize()));
  const { main, sub = [] } = settings.languages ?? {};
  const langs = main === undefined ? [undefined] : [main, ...sub];
  const likelyRoutes = pages.flatMap((route): ContentRoute[] => {
    const model = modelOfRoute(route, models);
    // With two parameters, nothing shows which one is the id.
    const hasOneId = route.replace(/\[(?:lang|locale)\]/, '').split('[').length === 2;
    if (model === undefined || !hasOneId) return [];
    const variants = route.includes('[...') ? [route, route.replace('[...', '[lang]/[...')] : [route];
    const ids = new Set([slugField(models, model), undefined]);
    return variants.flatMap((one) => [...ids].map((id) => ({ route: one, model, id, langs })));
  });
  return {
    host: site === undefined ? undefined : new URL(site).hostname.replace(/^www\./, ''),
    base,
    routes: [
      ...routes
        .filter((route) => typeof route === 'object')
        .map((route) => contentRoute(route, { models, languages: settings.languages }, 'luid: lint.routes')),
      ...redirectedRoutes(moved, { models, settings }),
    ],
    likelyRoutes,
    findPath(path) {
      if (exact.has(path) || isFile(join(publicDir, path))) return 'exists';
      // The endpoints of Astro and of this package.
      if (pages.length === 0 || path.startsWith('/_')) return 'maybe';
      return patterns.some((pattern) => pattern.test(path)) ? 'maybe' : 'none';
    },
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The routes of the files in `src/pages`: `/articles/[id]`, `/rss.xml`, `/`. */
function pageRoutes(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  return files
    .filter((file) => PAGE.test(file) && !file.split('/').some((part) => part.startsWith('_')))
    .map((file) => `/${file.replace(PAGE, '')}`.replace(/\/index$/, '') || '/');
}
