import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { shellEnvironment, writeFiles } from '../../package/pack.ts';
import { run } from '../../support/run-command.ts';
import type { Adapter } from './adapters.ts';
import { siteFiles } from './site-files.ts';

export interface PackedSite {
  readonly folder: string;
  build(env: NodeJS.ProcessEnv): Promise<string>;
  /** Runs `luid sync`. */
  sync(env: NodeJS.ProcessEnv): Promise<string>;
}

export interface PackedSiteOptions {
  readonly adapter: Adapter;
  readonly tarball: string;
  /** The folder with Astro, the adapter, and the dependencies of this package. */
  readonly packages: string;
}

/** Creates the site below a folder, with this package as it is published. */
export async function createPackedSite(
  parent: string,
  { adapter, tarball, packages }: PackedSiteOptions,
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
    ...siteFiles(adapter),
  });
  const node = (file: string, args: string[], env: NodeJS.ProcessEnv) =>
    run(process.execPath, [file, ...args], { cwd: folder, env: shellEnvironment(env) });
  return {
    folder,
    build: (env) => node(join(packages, 'astro/bin/astro.mjs'), ['build'], env),
    sync: (env) => node(join(installed, 'dist/cli/main.js'), ['sync'], env),
  };
}
