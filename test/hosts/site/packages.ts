import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../package/pack.ts';
import { npmPackages } from '../../support/npm-packages.ts';

const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
const BUN = `@oven/bun-linux-${machine === 'x64' ? 'x64-baseline' : 'aarch64'}`;
const DENO = `@deno/linux-${machine}-glibc`;

type Command = [string, ...string[]];

/** The commands of Bun and Deno, which run a file. */
export async function runtimePackages(): Promise<{ bun: Command; deno: Command } | undefined> {
  if (process.platform !== 'linux') return undefined;
  const packages = await npmPackages('tests in Bun and Deno', { [BUN]: '1.4.4', [DENO]: '2.9.5' });
  if (!packages) return undefined;
  return {
    bun: [packages.path(`${BUN}/bin/bun`), '--no-env-file'],
    deno: [packages.path(`${DENO}/deno`), 'run', '--allow-all', '--no-lock'],
  };
}

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The adapters of hosts with functions or Workers, what runs these, and the dependencies of this package. */
export async function hostPackages() {
  // Functions are stopped by signals.
  if (process.platform === 'win32') return undefined;
  return npmPackages('tests on Netlify, Vercel and Cloudflare', {
    ...dependencies,
    astro: devDependencies.astro,
    '@astrojs/cloudflare': '14.3.3',
    '@astrojs/netlify': '8.2.6',
    '@astrojs/vercel': '11.0.11',
    '@netlify/blobs': '10.7.13',
    wrangler: '4.151.0',
  });
}
