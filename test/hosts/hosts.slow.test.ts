import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import { createStorageServer } from 'unstorage/server';
import { afterAll, beforeAll } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createFolder, pack, ROOT } from '../package/pack.ts';
import { ADAPTERS } from './adapters.ts';
import { describeHost, type Host } from './describe-host.ts';
import { HOSTS, type HostProfile } from './features.ts';
import { startFunction } from './function-host.ts';
import { hostPackages, runtimePackages } from './packages.ts';
import { createPackedSite, type PackedSite } from './packed-site.ts';
import { type HostedServer, startProcess } from './server-process.ts';
import { PREVIEW_SECRET, REFRESH_SECRET, SEED } from './site-files.ts';

// The same site, built once per adapter with the packed package, on each host.

type AdapterName = keyof typeof ADAPTERS;

const runtimes = await runtimePackages();
const hosts = await hostPackages();

const { folder, remove } = createFolder();
const closers: (() => unknown)[] = [remove];
const sites = {} as Record<AdapterName, PackedSite>;
let service: RunningEmulator;
let environment: NodeJS.ProcessEnv;
let blobs = '';
let count = 0;

beforeAll(async () => {
  service = await startEmulator(SEED, { directory: folder, rateLimit: false });
  closers.push(() => service.close());
  environment = {
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'drafts-key',
    LUID_REFRESH_SECRET: REFRESH_SECRET,
    LUID_PREVIEW_SECRET: PREVIEW_SECRET,
    // Of the tools of hosts: their files are removed with the others, and they need no network.
    HOME: folder,
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    DENO_NO_UPDATE_CHECK: '1',
  };
  const tarball = await pack(folder);
  const build = async (name: AdapterName, packages: string, storage: NodeJS.ProcessEnv) => {
    const adapter = ADAPTERS[name];
    sites[name] = await createPackedSite(folder, { adapter, tarball, packages });
    await sites[name].build({ ...environment, ...storage });
  };
  const building = [build('node', join(ROOT, 'node_modules'), diskStorage())];
  if (hosts) {
    const packages = hosts.path('');
    await startBlobs();
    building.push(
      build('netlify', packages, blobStorage()),
      build('vercel', packages, await httpStorage()),
      build('cloudflare', packages, await httpStorage()),
    );
  }
  await Promise.all(building);
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

// Each starts empty.
const diskStorage = () => ({ LUID_CACHE_DIR: join(folder, `cache-${++count}`) });
async function httpStorage() {
  const server = createServer(createStorageServer(createStorage()).handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { LUID_STORAGE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
const blobStorage = () => {
  const context = { edgeURL: blobs, uncachedEdgeURL: blobs, siteID: `site-${++count}`, token: 'token' };
  return { NETLIFY_BLOBS_CONTEXT: Buffer.from(JSON.stringify(context)).toString('base64') };
};
async function startBlobs() {
  const { BlobsServer } = await (hosts as NonNullable<typeof hosts>).import('@netlify/blobs/dist/server.js');
  const server = new BlobsServer({ directory: join(folder, 'blobs'), token: 'token' });
  const { port } = await server.start();
  closers.push(() => server.stop());
  blobs = `http://localhost:${port}`;
}

/** A host whose servers have their storage from the environment. */
function describeServers(
  profile: HostProfile,
  tagHeader: string,
  openStorage: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>,
  startServer: (env: NodeJS.ProcessEnv) => Promise<HostedServer>,
): void {
  let storage: NodeJS.ProcessEnv;
  const start = () => startServer({ ...environment, ...storage });
  describeHost(profile, {
    service: () => service,
    tagHeader,
    async start() {
      storage = await openStorage();
      return start();
    },
    async restart(server) {
      await server.close();
      return start();
    },
  });
}

function describeRuntime(profile: HostProfile, ...command: [string, ...string[]]): void {
  describeServers(profile, 'cache-tag', diskStorage, (env) =>
    startProcess([...command, 'dist/server/entry.mjs'], sites.node.folder, env),
  );
}

describeRuntime(HOSTS.node, process.execPath);
if (runtimes) {
  describeRuntime(HOSTS.bun, runtimes.bun, '--no-env-file');
  describeRuntime(HOSTS.deno, runtimes.deno, 'run', '--allow-all', '--no-lock');
}

if (hosts) {
  describeServers(HOSTS.netlify, 'netlify-cache-tag', blobStorage, (env) =>
    startFunction({
      host: 'netlify',
      folder: sites.netlify.folder,
      file: join(sites.netlify.folder, '.netlify/v1/functions/ssr/ssr.mjs'),
      pages: join(sites.netlify.folder, 'dist'),
      headers: { control: 'netlify-cdn-cache-control', tags: 'netlify-cache-tag' },
      env: { ...env, SITE_ID: 'site', NETLIFY_PURGE_API_TOKEN: 'token' },
    }),
  );
  describeServers(HOSTS.vercel, 'vercel-cache-tag', httpStorage, (env) =>
    startFunction({
      host: 'vercel',
      folder: sites.vercel.folder,
      file: join(sites.vercel.folder, '.vercel/output/functions/_render.func/entry.mjs'),
      pages: join(sites.vercel.folder, '.vercel/output/static'),
      headers: { control: 'vercel-cdn-cache-control', tags: 'vercel-cache-tag' },
      env,
    }),
  );
  describeHost(HOSTS.cloudflare, cloudflare());
}

function cloudflare(): Host {
  let storage: string;
  return {
    service: () => service,
    tagHeader: 'cache-tag',
    async start() {
      const program = join(import.meta.dirname, 'worker-process.mjs');
      const config = join(sites.cloudflare.folder, 'dist/server/wrangler.json');
      const server = await startProcess(
        [process.execPath, program, config],
        sites.cloudflare.folder,
        environment,
      );
      storage = /storage at (\S+)/.exec(server.log())?.[1] as string;
      const { url, log } = server;
      const close = async () => {
        await fetch(`${storage}.worker/close`);
        await server.close();
      };
      return { url, log, close };
    },
    async restart(server) {
      await fetch(`${storage}.worker/restart`);
      return server;
    },
    fill: () => sites.cloudflare.sync({ ...environment, LUID_STORAGE_URL: storage }),
  };
}
