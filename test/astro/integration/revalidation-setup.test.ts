import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { IntegrationOptions } from '../../../src/astro/integration/integration-options.ts';
import { addRevalidation } from '../../../src/astro/integration/revalidation-setup.ts';

type Plugin = { resolveId(id: string): string | undefined; load(id: string): string | undefined };

const folder = mkdtempSync(join(tmpdir(), 'astro-luid-setup-'));
const srcDir = pathToFileURL(`${folder}/`);

/** What the integration adds to a site. */
function setUp(
  command: 'dev' | 'build' | 'preview',
  adapter?: object,
  refreshSecret?: string,
  cache?: object,
  options: IntegrationOptions = { revalidate: true },
) {
  const added = {
    warnings: [] as string[],
    middleware: [] as object[],
    routes: [] as object[],
    plugins: [] as Plugin[],
  };
  const useConfig = addRevalidation(
    {
      command,
      config: { adapter, srcDir },
      logger: { warn: (message: string) => added.warnings.push(message) },
      addMiddleware: (middleware: object) => added.middleware.push(middleware),
      injectRoute: (route: object) => added.routes.push(route),
      updateConfig: ({ vite }: { vite: { plugins: Plugin[] } }) => added.plugins.push(...vite.plugins),
    } as unknown as Parameters<typeof addRevalidation>[0],
    { ...options, refreshSecret },
  );
  // Another integration may set the provider of the cache later.
  useConfig?.({ cache } as never);
  return added;
}

/** The module that the server imports. */
function settings([plugin]: Plugin[]): string | undefined {
  return plugin?.load(plugin.resolveId('virtual:astro-luid/revalidate') ?? '');
}

test('a build with an adapter gets the middleware and the refresh endpoint', () => {
  const { warnings, middleware, routes, plugins } = setUp('build', {}, 'open sesame, little door');
  expect(warnings).toEqual([]);
  expect(middleware).toMatchObject([{ order: 'pre' }]);
  expect(routes).toMatchObject([{ pattern: '/_luid/refresh', prerender: false }]);
  // SHA-256 of the secret.
  const hash = '8a3e44fbca4b2f13aa969c6ca9b91df322a72b2f848b7cde0722783bfb942c1d';
  expect(settings(plugins)).toBe(
    `export default {"isDev":false,"refreshSecretHash":"${hash}","hasPreview":false,"hasOutsideCache":false};` +
      'export const loadLiveConfig = undefined;',
  );
});

test('the dev server gets the middleware only, because it has its own endpoint', () => {
  const { warnings, middleware, routes, plugins } = setUp('dev');
  expect([warnings, routes]).toEqual([[], []]);
  expect(middleware).toHaveLength(1);
  expect(settings(plugins)).toContain(
    'export default {"isDev":true,"hasPreview":false,"hasOutsideCache":false};',
  );
});

test.each([
  [{ entrypoint: 'astro/cache/memory' }, false],
  [{ entrypoint: '@astrojs/netlify/cache' }, true],
  [{ entrypoint: new URL('file:///site/cache.mjs') }, true],
  [undefined, false],
])('the server knows whether pages are cached outside of it: %o', (provider, hasOutsideCache) => {
  const { plugins } = setUp('build', {}, undefined, { provider });
  expect(settings(plugins)).toContain(`"hasOutsideCache":${hasOutsideCache}`);
});

test('the server can import the live.config of the site, which knows the names of collections', () => {
  writeFileSync(join(folder, 'live.config.mjs'), '');
  const { plugins } = setUp('build', {});
  const file = JSON.stringify(join(folder, 'live.config.mjs').replaceAll('\\', '/'));
  expect(settings(plugins)).toContain(`export const loadLiveConfig = () => import(${file});`);
});

test('a build without an adapter gets nothing but a warning', () => {
  expect(setUp('build')).toEqual({
    warnings: [expect.stringContaining('without an adapter')],
    middleware: [],
    routes: [],
    plugins: [],
  });
});

test('other commands without an adapter get nothing, not even a warning', () => {
  expect(Object.values(setUp('preview')).flat()).toEqual([]);
});

test('the files exist in the built package', () => {
  const dist = new URL('../../../dist/astro/', import.meta.url);
  const { middleware, routes } = setUp('build', {});
  const urls = [...middleware, ...routes].map((added) => (added as { entrypoint: URL }).entrypoint);
  const names = urls.map(({ href }) => href.slice(href.indexOf('/src/astro/') + '/src/astro/'.length));
  expect(names).toEqual(['revalidate/middleware.ts', 'revalidate/refresh-route.ts']);
  expect(names.every((name) => existsSync(new URL(name, dist)))).toBe(true);
});

test('a site with previews and without revalidation gets the endpoint for events, and no middleware', () => {
  const options = { preview: true, refreshHeader: 'x-webhook-secret' };
  const { middleware, routes, plugins, warnings } = setUp('build', {}, undefined, undefined, options);
  expect([middleware, routes.length, warnings]).toEqual([[], 1, []]);
  expect(settings(plugins)).toContain('"refreshHeader":"x-webhook-secret","hasPreview":true');
  expect(setUp('build', undefined, undefined, undefined, options).warnings).toEqual([]);
});
