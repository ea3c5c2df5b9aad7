import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HookParameters } from 'astro';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { milliseconds } from '../../space/duration.ts';
import { PREVIEW_ROUTES, TWIN_PATH } from '../preview/preview-paths.ts';
import type { PreviewRoute, PreviewSettings } from '../preview/preview-settings.ts';
import { publicKeyOf } from '../preview/preview-token.ts';
import type { IntegrationOptions, PreviewOptions } from './integration-options.ts';
import { findPreviewedPages } from './preview-page-files.ts';
import { settingsModule } from './settings-module.ts';

type Setup = Pick<
  HookParameters<'astro:config:setup'>,
  'command' | 'config' | 'logger' | 'addMiddleware' | 'injectRoute' | 'updateConfig' | 'createCodegenDir'
>;

/** Called when Astro knows all routes, before it bundles the server. */
type AddRoutes = (routes: HookParameters<'astro:routes:resolved'>['routes']) => void;

/** Adds the preview to a server. A static site gets nothing of it. */
export async function addPreview(
  setup: Setup,
  { preview, editUrl }: IntegrationOptions,
): Promise<AddRoutes | undefined> {
  const { command, config, logger, addMiddleware, injectRoute, updateConfig } = setup;
  const options: PreviewOptions = typeof preview === 'object' ? preview : {};
  const twins = twinsOf({ ...findPreviewedPages(config), ...options.routes }, config.root);
  if (command !== 'dev' && !config.adapter) {
    if (command === 'build') logger.warn(NO_ADAPTER);
    return undefined;
  }
  const routes: PreviewRoute[] = [];
  const settings: PreviewSettings = {
    routes,
    // Everyone who has the server bundle could read the secret itself.
    publicKey: options.secret ? await publicKeyOf(options.secret) : undefined,
    maxAge: Math.ceil(milliseconds(options.maxAge ?? '8h', 'preview.maxAge') / 1000),
    base: config.base,
    hasTrailingSlash: config.trailingSlash === 'always',
    editUrl: typeof editUrl === 'string' ? editUrl : undefined,
    addsBar: options.bar ?? true,
  };
  const files = createTwinFiles(twins, setup.createCodegenDir());
  const module = settingsModule('preview', settings);
  updateConfig({ vite: { plugins: [module, twinPages(files)] } });
  addMiddleware({ entrypoint: MIDDLEWARE, order: 'pre' });
  for (const pattern of PREVIEW_ROUTES) injectRoute({ pattern, entrypoint: ROUTE, prerender: false });
  for (const { pattern, file: entrypoint } of files) injectRoute({ pattern, entrypoint, prerender: false });
  return (resolved) => {
    const known = resolved.flatMap(({ pattern, patternRegex, fallbackRoutes, type, isPrerendered }) => {
      // A page is also shown in place of those of other languages that do not exist.
      const patterns = [patternRegex, ...fallbackRoutes.map((route) => route.patternRegex)];
      const isTwin = twins.some((twin) => twin.pattern === pattern);
      return patterns.map(({ source }) => ({
        pattern: source,
        isTwin,
        isPage: type === 'page',
        isPrerendered,
      }));
    });
    const hasChanged = JSON.stringify(known) !== JSON.stringify(routes);
    routes.splice(0, routes.length, ...known);
    if (hasChanged) module.invalidate();
  };
}

const NO_ADAPTER =
  '`preview` has no effect without an adapter: drafts are shown by pages that are rendered on demand. ' +
  'Add one, for example with `npx astro add node`.';

const MIDDLEWARE = new URL('../preview/middleware.ts', import.meta.url);
const ROUTE = new URL('../preview/route.ts', import.meta.url);

/** A route that shows a prerendered page on demand. */
interface Twin {
  readonly pattern: string;
  /** The file of the page. */
  readonly page: string;
}

function twinsOf(routes: Readonly<Record<string, string>>, root: URL): Twin[] {
  return Object.entries(routes).map(([pattern, name]) => {
    const place = `luid: preview.routes[${showValue(pattern)}]`;
    if (!pattern.startsWith('/')) {
      throw new LuidConfigError(`${place}: the pattern must begin with /`, {
        hint: "Write it as Astro does, for example '/articles/[id]'.",
      });
    }
    const page = fileURLToPath(new URL(name, root));
    if (!name.endsWith('.astro') || !existsSync(page)) {
      throw new LuidConfigError(`${place}: ${showValue(name)} is not an .astro file of this site`, {
        hint: "Write its path from the root of the site, for example 'src/pages/articles/[id].astro'.",
      });
    }
    return { pattern: TWIN_PATH + pattern.replace(/\/$/, ''), page };
  });
}

/** Astro prerenders a file or renders it on demand, for all its routes. So each twin has a file of its own. */
function createTwinFiles(twins: readonly Twin[], folder: URL): (Twin & { readonly file: string })[] {
  return twins.map((twin, index) => {
    const url = new URL(`preview-${index}.astro`, folder);
    writeFileSync(url, '---\nexport const prerender = false;\n---\n');
    return { ...twin, file: fileURLToPath(url) };
  });
}

/**
 * Lets the file of each twin export the page itself: a page may return a `Response`, which a component cannot. Astro
 * finds styles and scripts of a page by its file, so the file is not replaced when it is resolved.
 */
function twinPages(twins: readonly { readonly file: string; readonly page: string }[]) {
  const pages = new Map(twins.map(({ file, page }) => [toPosix(file), JSON.stringify(toPosix(page))]));
  return {
    name: 'astro-luid:preview-pages',
    // After Astro has compiled the file.
    enforce: 'post' as const,
    transform(_code: string, id: string) {
      const page = pages.get(toPosix(id));
      if (page === undefined) return undefined;
      const code = `export * from ${page};\nexport { default } from ${page};\nexport const prerender = false;\n`;
      return { code, map: null };
    },
  };
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/');
}
