/**
 * Measures cold start, size and freshness of the site of test/hosts on each host: node test/bench/hosts/run.ts [--quick]
 * [--only=HOST], after a build. With --only, the results of other hosts are kept. Skipped where a host cannot run.
 */
import { loadavg } from 'node:os';
import { HOSTS } from '../../hosts/features.ts';
import { cloudflareHost, type Host, netlifyHost, runtimeHost, vercelHost } from '../../hosts/hosts.ts';
import type { AdapterName } from '../../hosts/site/adapters.ts';
import { type BuiltSites, buildSites } from '../../hosts/site/built-sites.ts';
import { hostPackages, runtimePackages } from '../../hosts/site/packages.ts';
import { readMachine } from '../machine.ts';
import { readResults, writeResults } from '../results.ts';
import { bundleSize, workerUpload } from './bundle-size.ts';
import type { HostFigures, HostsResults } from './hosts-results.ts';
import { hostsSection } from './hosts-section.ts';
import { measureFreshness } from './measure-freshness.ts';
import { measureStarts } from './measure-starts.ts';
import { plainFiles } from './plain-files.ts';
import { seedOf } from './seed.ts';

const isQuick = process.argv.includes('--quick');
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
const ROUNDS = isQuick ? 1 : 5;
const PUBLISHES = isQuick
  ? { webhook: 2, cron: 1, polling: 1, afterPause: 1 }
  : { webhook: 10, cron: 6, polling: 6, afterPause: 3 };
const ITEMS = 200;

const seed = seedOf(ITEMS);

const runtimes = await runtimePackages();
const packages = await hostPackages();
if (!runtimes || !packages) {
  console.error('The benchmark of hosts needs Linux and their packages, so it is skipped.');
  process.exit(0);
}
const built = await buildSites(packages, { seed });
const plain = await buildSites(packages, { seed, filesOf: plainFiles });

const CASES: readonly { name: string; adapter: AdapterName; open: (built: BuiltSites) => Host }[] = [
  { ...HOSTS.node, adapter: 'node', open: (sites) => runtimeHost(sites, process.execPath) },
  { ...HOSTS.bun, adapter: 'node', open: (sites) => runtimeHost(sites, ...runtimes.bun) },
  { ...HOSTS.deno, adapter: 'node', open: (sites) => runtimeHost(sites, ...runtimes.deno) },
  { ...HOSTS.netlify, adapter: 'netlify', open: netlifyHost },
  { ...HOSTS.vercel, adapter: 'vercel', open: vercelHost },
  { ...HOSTS.cloudflare, adapter: 'cloudflare', open: cloudflareHost },
];

try {
  const stored = only ? readResults<HostsResults>('hosts') : undefined;
  const hosts: HostFigures[] = [];
  for (const { name, adapter, open } of CASES) {
    if (only && name !== only) {
      hosts.push(...(stored?.hosts.filter((one) => one.name === name) ?? []));
      continue;
    }
    const figures = {
      name,
      plainStarts: await measureStarts(withoutSync(open(plain)), ROUNDS),
      starts: await measureStarts(open(built), ROUNDS),
      size: { site: await bundleSize(built.sites[adapter]), plain: await bundleSize(plain.sites[adapter]) },
      freshness: await measureFreshness(built, open, PUBLISHES),
    };
    console.error(JSON.stringify(figures));
    hosts.push(figures);
  }
  const worker = {
    site: await workerUpload(built.sites.cloudflare, packages),
    plain: await workerUpload(plain.sites.cloudflare, packages),
  };
  const results: HostsResults = {
    machine: readMachine(),
    load: Math.max(loadavg()[2] ?? 0, stored?.load ?? 0),
    items: ITEMS,
    hosts,
    worker,
  };
  console.log(hostsSection(results));
  if (!isQuick) writeResults('hosts', results);
} finally {
  await built.close();
  await plain.close();
}

/** A site that has no copy of the content. */
function withoutSync({ start, restart, tagHeader }: Host): Host {
  return { start, restart, tagHeader };
}
