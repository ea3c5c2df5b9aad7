import { fileURLToPath } from 'node:url';
import type { HookParameters } from 'astro';
import { pluralize } from '../../shared/format-count.ts';
import { auditCacheDir } from '../../space/audited-content.ts';
import { connectFrom, type Environment } from '../../space/environment/env-files.ts';
import { parseSwitch } from '../../space/environment/environment.ts';
import { SpaceRuntime } from '../../space/runtime.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { withBase } from '../base-path.ts';
import { currentPaths } from './current-paths.ts';
import { readRecords, writeRecord } from './redirect-file.ts';
import { type RedirectOptions, redirectedRoutes } from './redirect-options.ts';
import { redirectsOf, updateRecord } from './redirect-record.ts';

type Setup = Pick<HookParameters<'astro:config:setup'>, 'command' | 'config' | 'logger' | 'updateConfig'>;

/**
 * Adds redirects from former URLs to Astro's. A build compares the content with what is recorded, before Astro knows
 * its routes; a dev server uses what is recorded.
 */
export async function addRedirects(
  { command, config, logger, updateConfig }: Setup,
  space: ConnectedSpace,
  environment: Environment,
  options: RedirectOptions | readonly RedirectOptions[],
): Promise<void> {
  const routes = redirectedRoutes(options, space);
  const cacheDir = fileURLToPath(config.cacheDir);
  const known = readRecords(fileURLToPath(config.root), cacheDir);
  const recorded = known.at(-1)?.routes ?? {};
  const isBuild = command === 'build' && auditCacheDir() === undefined;
  const connect = ({ drafts = false } = {}) => connectFrom(space, environment, drafts);
  const running = { ...space, connect, runtime: new SpaceRuntime() };
  const offline = parseSwitch('LUID_OFFLINE', environment.LUID_OFFLINE);
  const current = isBuild
    ? await currentPaths(running, routes, cacheDir, logger, offline)
    : routes.map((one) => ({ ...one, paths: new Map(Object.entries(recorded[one.route]?.paths ?? {})) }));
  const record = updateRecord(known, current, Date.now());
  const redirects = redirectsOf(record);
  if (isBuild) {
    writeRecord(cacheDir, record);
    if (redirects.length > 0) logger.info(`${pluralize(redirects.length, 'former URL')} redirected`);
  }
  const slash = config.trailingSlash === 'always' ? '/' : '';
  const own = redirects.map(({ from, to }) => [from, withBase(to, config.base) + slash] as const);
  // Those of the site win.
  updateConfig({
    redirects: Object.fromEntries(own.filter(([from]) => !Object.hasOwn(config.redirects, from))),
  });
}
