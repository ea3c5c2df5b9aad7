import type { HookParameters } from 'astro';
import { hashSecret } from '../revalidate/refresh-handler.ts';
import { REFRESH_PATH } from '../revalidate/refresh-path.ts';
import { settingsModule } from './settings-module.ts';

type Setup = Pick<
  HookParameters<'astro:config:setup'>,
  'command' | 'config' | 'logger' | 'addMiddleware' | 'injectRoute' | 'updateConfig'
>;

/** Adds the middleware and, to a built server, the refresh endpoint. */
export function addRevalidation(setup: Setup, secret: string | undefined): void {
  const { command, config, logger, addMiddleware, injectRoute, updateConfig } = setup;
  const isDev = command === 'dev';
  if (!isDev && !config.adapter) {
    if (command === 'build') logger.warn(NO_ADAPTER);
    return;
  }
  updateConfig({
    vite: { plugins: [settingsModule('revalidate', { isDev, refreshSecretHash: hashOf(secret) })] },
  });
  addMiddleware({ entrypoint: MIDDLEWARE, order: 'pre' });
  // The dev server has its own, which also loads the content of builds.
  if (!isDev) injectRoute({ pattern: REFRESH_PATH, entrypoint: ROUTE, prerender: false });
}

const NO_ADAPTER =
  '`revalidate` has no effect without an adapter: only pages that are rendered on demand can be revalidated.';
const MIDDLEWARE = new URL('../revalidate/middleware.js', import.meta.url);
const ROUTE = new URL('../revalidate/refresh-route.js', import.meta.url);

/** Everyone who has the server bundle could read the secret itself. */
function hashOf(secret: string | undefined): string | undefined {
  return secret ? hashSecret(secret).toString('hex') : undefined;
}
