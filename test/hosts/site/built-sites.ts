import { join } from 'node:path';
import { type RunningEmulator, type Seed, startEmulator } from '../../../src/emulator/index.ts';
import { createFolder, pack, ROOT } from '../../package/pack.ts';
import type { NpmPackages } from '../../support/npm-packages.ts';
import { ADAPTERS, type Adapter, type AdapterName } from './adapters.ts';
import { createPackedSite, type PackedSite } from './packed-site.ts';
import { PREVIEW_SECRET, REFRESH_SECRET, SEED, siteFiles } from './site-files.ts';
import { Storages } from './storages.ts';

/** The service, the storages, and the site, built once per adapter with the packed package. */
export interface BuiltSites {
  readonly service: RunningEmulator;
  readonly storages: Storages;
  /** Of builds, and of servers. */
  readonly environment: NodeJS.ProcessEnv;
  readonly sites: Readonly<Record<AdapterName, PackedSite>>;
  close(): Promise<void>;
}

interface SiteOptions {
  /** The content of the service. */
  readonly seed?: Seed;
  readonly filesOf?: (adapter: Adapter) => Record<string, string>;
}

/** `packages`: those of hosts; without them, only the site with `@astrojs/node` is built. */
export async function buildSites(
  packages: NpmPackages | undefined,
  { seed = SEED, filesOf = siteFiles }: SiteOptions = {},
): Promise<BuiltSites> {
  const { folder, remove } = createFolder();
  const service = await startEmulator(seed, { directory: folder, rateLimit: false });
  const storages = new Storages(folder, packages);
  const environment = {
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
  const build = async (name: AdapterName): Promise<[AdapterName, PackedSite]> => {
    const adapter = ADAPTERS[name];
    const modules = name === 'node' ? join(ROOT, 'node_modules') : (packages as NpmPackages).path('');
    const site = await createPackedSite(folder, { adapter, tarball, packages: modules, filesOf });
    await site.build({ ...environment, ...(await storages.open(adapter.storage)) });
    return [name, site];
  };
  const names = (Object.keys(ADAPTERS) as AdapterName[]).filter((name) => name === 'node' || packages);
  const sites = Object.fromEntries(await Promise.all(names.map(build))) as Record<AdapterName, PackedSite>;
  return {
    service,
    storages,
    environment,
    sites,
    async close() {
      await storages.close();
      await service.close();
      remove();
    },
  };
}
