import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { npmPackages } from '../support/npm-packages.ts';
import { describeHost } from './describe-host.ts';
import { startProcess } from './server-process.ts';
import { PREVIEW_SECRET, REFRESH_SECRET, SEED, siteFiles } from './site-files.ts';

// The same site, built once, in each runtime that serves what @astrojs/node builds.

const CONFIG = `
  import node from '@astrojs/node';
  import { defineConfig, memoryCache } from 'astro/config';
  import luid from 'astro-luid/integration';
  import { space } from './src/space.ts';
  export default defineConfig({
    adapter: node({ mode: 'standalone' }),
    cache: { provider: memoryCache({ query: { sort: true } }) },
    integrations: [luid(space, { revalidate: true, preview: true })],
  });`;

const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
const BUN = `@oven/bun-linux-${machine === 'x64' ? 'x64-baseline' : 'aarch64'}`;
const DENO = `@deno/linux-${machine}-glibc`;
const runtimes =
  process.platform === 'linux'
    ? await npmPackages('tests in Bun and Deno', { [BUN]: '1.4.4', [DENO]: '2.9.5' })
    : undefined;

const folder = mkdtempSync(join(tmpdir(), 'astro-luid-hosts-'));
const images = mkdtempSync(join(tmpdir(), 'astro-luid-hosts-media-'));
let service: RunningEmulator;
let site: Site;
let environment: NodeJS.ProcessEnv;
let caches = 0;

beforeAll(async () => {
  service = await startEmulator(SEED, { directory: images, rateLimit: false });
  environment = {
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'drafts-key',
    LUID_REFRESH_SECRET: REFRESH_SECRET,
    LUID_PREVIEW_SECRET: PREVIEW_SECRET,
  };
  site = createSite(siteFiles(CONFIG), environment, ['@astrojs/node']);
  await site.astro(['build'], { LUID_CACHE_DIR: join(folder, 'build') });
});
afterAll(async () => {
  site?.remove();
  await service?.close();
  for (const path of [folder, images]) rmSync(path, { recursive: true, force: true });
});

function describeRuntime(name: string, ...command: [string, ...string[]]): void {
  describeHost(name, {
    service: () => service,
    start: ({ keepsCache = false } = {}) => {
      if (!keepsCache) caches += 1;
      const own = { LUID_CACHE_DIR: join(folder, `cache-${caches}`), DENO_NO_UPDATE_CHECK: '1' };
      return startProcess([...command, 'dist/server/entry.mjs'], site.folder, { ...environment, ...own });
    },
  });
}

describeRuntime('Node', process.execPath);
if (runtimes) {
  describeRuntime('Bun', runtimes.path(`${BUN}/bin/bun`), '--no-env-file');
  describeRuntime('Deno', runtimes.path(`${DENO}/deno`), 'run', '--allow-all', '--no-lock');
}
