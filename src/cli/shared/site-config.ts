import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type IntegrationOptions,
  PASSED_OPTIONS,
  type PassedOptions,
} from '../../astro/integration/integration-options.ts';
import type { SitePaths } from '../../astro/lint/site-paths.ts';
import { isRecord } from '../../shared/is-record.ts';
import { readEnvironment } from '../../space/environment/env-files.ts';
import type { SpaceCore } from '../../space/space.ts';
import { importModule } from '../../space/space-file.ts';

/** What a command needs of `astro.config`. */
export interface SiteConfig extends SitePaths {
  /** Astro's. */
  readonly cacheDir: string;
  /** Those of `luid()`; none if the site does not use it. */
  readonly options: IntegrationOptions;
}

const FILES = ['mjs', 'js', 'ts', 'mts', 'cjs', 'cts'].map((extension) => `astro.config.${extension}`);

/** Imports `astro.config` of a project, as far as it is there. `cacheDir` replaces its own. */
export async function loadSiteConfig(dir: string, space: SpaceCore, cacheDir?: string): Promise<SiteConfig> {
  const path = FILES.map((file) => join(dir, file)).find((file) => existsSync(file));
  const config = path === undefined ? {} : await importConfig(dir, path);
  const folder = (name: string, fallback: string) => {
    const value = config[name];
    const path = value instanceof URL ? fileURLToPath(value) : String(value ?? fallback);
    return pathToFileURL(`${resolve(dir, path)}/`);
  };
  const text = (name: string) => (typeof config[name] === 'string' ? config[name] : undefined);
  return {
    srcDir: folder('srcDir', 'src'),
    publicDir: folder('publicDir', 'public'),
    cacheDir: resolve(dir, cacheDir ?? fileURLToPath(folder('cacheDir', 'node_modules/.astro'))),
    base: text('base') ?? '/',
    site: text('site'),
    redirects: isRecord(config.redirects) ? (config.redirects as SitePaths['redirects']) : {},
    options: optionsFor(space, config.integrations),
  };
}

async function importConfig(root: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const environment = await readEnvironment({ root, mode: 'production' });
  const hints = { noAstro: 'Run `npm install` there.', several: '' };
  const { module } = await importModule({ root, path, environment, hints });
  return isRecord(module.default) ? module.default : {};
}

/** The options that were passed with a space of the same models; otherwise those without a space. */
function optionsFor({ models }: SpaceCore, integrations: unknown): IntegrationOptions {
  const passed = [integrations].flat(3).flatMap((one) => {
    const options = isRecord(one) ? (one as { [PASSED_OPTIONS]?: PassedOptions })[PASSED_OPTIONS] : undefined;
    return options ? [options] : [];
  });
  const names = Object.keys(models).join();
  const own = passed.find(({ space }) => space && Object.keys(space.models).join() === names);
  return (own ?? passed.find(({ space }) => !space))?.options ?? {};
}
