import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { shellEnvironment, writeFiles } from '../../package/pack.ts';
import { run } from '../../support/run-command.ts';
import type { Adapter } from './adapters.ts';

export interface PackedSite {
  readonly folder: string;
  /** The built server: see {@link Adapter.server}. */
  readonly server: string;
  build(env: NodeJS.ProcessEnv): Promise<string>;
  /** Runs `luid sync`. */
  sync(env: NodeJS.ProcessEnv): Promise<string>;
}

export interface PackedSiteOptions {
  readonly adapter: Adapter;
  readonly tarball: string;
  /** The folder with Astro, the adapter, and the dependencies of this package. */
  readonly packages: string;
  /** Makes what the site consists of. */
  readonly filesOf: (adapter: Adapter) => Record<string, string>;
}

/** Creates the site below a folder, with this package as it is published. */
export async function createPackedSite(
  parent: string,
  { adapter, tarball, packages, filesOf }: PackedSiteOptions,
): Promise<PackedSite> {
  const own = mkdtempSync(join(parent, 'site-'));
  // Found from the site, and from this package in the site's own node_modules.
  symlinkSync(packages, join(own, 'node_modules'));
  const folder = join(own, 'site');
  const installed = join(folder, 'node_modules/astro-luid');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], { cwd: own });
  const dependencies = { astro: '*', 'astro-luid': '*', [adapter.package]: '*' };
  writeFiles(folder, {
    'package.json': JSON.stringify({ type: 'module', dependencies }),
    'tsconfig.json': '{ "extends": "astro/tsconfigs/strictest" }',
    ...filesOf(adapter),
  });
  const node = (file: string, args: string[], env: NodeJS.ProcessEnv) =>
    run(process.execPath, [file, ...args], { cwd: folder, env: shellEnvironment(env) });
  return {
    folder,
    get server() {
      const server = join(folder, adapter.server);
      return server.endsWith('.func') ? join(server, handlerIn(server)) : server;
    },
    build: (env) => node(join(packages, 'astro/bin/astro.mjs'), ['build'], env),
    sync: (env) => node(join(installed, 'dist/cli/main.js'), ['sync'], env),
  };
}

/** As Vercel finds it: its place depends on the packages that are in the folder too. */
function handlerIn(functionFolder: string): string {
  return JSON.parse(readFileSync(join(functionFolder, '.vc-config.json'), 'utf8')).handler;
}
