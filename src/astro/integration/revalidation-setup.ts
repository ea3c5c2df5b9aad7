import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HookParameters } from 'astro';
import { hashSecret, REFRESH_PATH } from '../revalidate/refresh-handler.ts';
import type { IntegrationOptions } from './integration-options.ts';
import { settingsModule } from './settings-module.ts';

type Setup = Pick<
  HookParameters<'astro:config:setup'>,
  'command' | 'config' | 'logger' | 'addMiddleware' | 'injectRoute' | 'updateConfig'
>;

/** Called when all integrations have changed the configuration, before Astro bundles the server. */
type UseConfig = (config: HookParameters<'astro:config:done'>['config']) => void;

/** Adds the middleware of `revalidate` and, to a built server, the refresh endpoint. */
export function addRevalidation(setup: Setup, options: IntegrationOptions): UseConfig | undefined {
  const { revalidate = false, preview, refreshSecret, refreshHeader } = options;
  const { command, config, logger, addMiddleware, injectRoute, updateConfig } = setup;
  const isDev = command === 'dev';
  if (!isDev && !config.adapter) {
    if (command === 'build' && revalidate) logger.warn(NO_ADAPTER);
    return undefined;
  }
  const settings = {
    isDev,
    refreshSecretHash: hashOf(refreshSecret),
    refreshHeader,
    hasPreview: Boolean(preview),
    hasOutsideCache: false,
  };
  const liveConfig = `export const loadLiveConfig = ${importExpression(findLiveConfig(config.srcDir))};`;
  updateConfig({ vite: { plugins: [settingsModule('revalidate', settings, liveConfig)] } });
  if (revalidate) addMiddleware({ entrypoint: MIDDLEWARE, order: 'pre' });
  // The dev server has its own, which also loads the content of builds.
  if (!isDev) injectRoute({ pattern: REFRESH_PATH, entrypoint: ROUTE, prerender: false });
  return (resolved) => {
    settings.hasOutsideCache = hasOutsideCache(resolved);
  };
}

const MEMORY_PROVIDER = 'astro/cache/memory';

function hasOutsideCache(config: object): boolean {
  return cacheProvider(config) !== undefined && !hasMemoryCache(config);
}

/** Whether pages are cached in the memory of the server. */
export function hasMemoryCache(config: object): boolean {
  return cacheProvider(config) === MEMORY_PROVIDER;
}

/** In Astro 6, `cache` is an option of `experimental`. */
function cacheProvider(config: object): string | undefined {
  const { cache, experimental } = config as CacheConfig & { readonly experimental?: CacheConfig };
  const provider = (cache ?? experimental?.cache)?.provider;
  return provider && String(provider.entrypoint);
}

interface CacheConfig {
  readonly cache?: { readonly provider?: { readonly entrypoint: string | URL } };
}

/** As Astro finds it. */
export function findLiveConfig(srcDir: URL): string | undefined {
  const names = ['mjs', 'js', 'mts', 'ts'].map((extension) => `live.config.${extension}`);
  const url = names.map((name) => new URL(name, srcDir)).find((one) => existsSync(one));
  return url && fileURLToPath(url).replaceAll('\\', '/');
}

/** Dynamic, as in Astro: the file stays a chunk of its own, which Astro knows by its name. */
function importExpression(file: string | undefined): string {
  return file === undefined ? 'undefined' : `() => import(${JSON.stringify(file)})`;
}

const NO_ADAPTER =
  '`revalidate` has no effect without an adapter: only pages that are rendered on demand can be revalidated.';
const MIDDLEWARE = new URL('../revalidate/middleware.ts', import.meta.url);
const ROUTE = new URL('../revalidate/refresh-route.ts', import.meta.url);

/** Everyone who has the server bundle could read the secret itself. */
function hashOf(secret: string | undefined): string | undefined {
  return secret ? hashSecret(secret).toString('hex') : undefined;
}
