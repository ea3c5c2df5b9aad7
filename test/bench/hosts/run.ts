/** Measures cold starts and the size of servers on the hosts of test/hosts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HOSTS } from '../../hosts/features.ts';
import { cloudflareHost, type Host, netlifyHost, runtimeHost, vercelHost } from '../../hosts/hosts.ts';
import type { HostedServer } from '../../hosts/servers/server-process.ts';
import { ADAPTERS, type AdapterName } from '../../hosts/site/adapters.ts';
import { buildSites } from '../../hosts/site/built-sites.ts';
import { hostPackages, runtimePackages } from '../../hosts/site/packages.ts';
import { readMachine } from '../machine.ts';
import { writeResults } from '../results.ts';
import { type BundleFigures, type HostFigures, hostsSection } from './hosts-section.ts';
import { plainFiles } from './plain-site.ts';

const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 1 : 5;
/** Where each adapter writes the server. */
const SERVERS: Readonly<Record<AdapterName, string>> = {
  node: 'dist/server',
  netlify: '.netlify/v1/functions/ssr',
  vercel: '.vercel/output/functions/_render.func',
  cloudflare: 'dist/server',
};

const runtimes = await runtimePackages();
const packages = await hostPackages();
if (!runtimes || !packages) throw new Error('The packages of hosts cannot be installed');
const built = await buildSites(packages);
try {
  const hosts = [
    await measureStarts(HOSTS.node.name, runtimeHost(built, process.execPath)),
    await measureStarts(HOSTS.bun.name, runtimeHost(built, ...runtimes.bun)),
    await measureStarts(HOSTS.deno.name, runtimeHost(built, ...runtimes.deno)),
    await measureStarts(HOSTS.netlify.name, netlifyHost(built)),
    await measureStarts(HOSTS.vercel.name, vercelHost(built)),
    await measureWorker(),
  ];
  const bundles: BundleFigures[] = [];
  for (const name of Object.keys(ADAPTERS) as AdapterName[]) {
    const plain = await built.build(name, plainFiles(ADAPTERS[name]));
    const sizeIn = (folder: string) => gzipped(join(folder, SERVERS[name]));
    bundles.push({
      adapter: ADAPTERS[name].package,
      gzip: sizeIn(built.sites[name].folder),
      plain: sizeIn(plain.folder),
    });
  }
  const results = { machine: readMachine(), rounds: ROUNDS, hosts, bundles };
  console.log(hostsSection(results));
  if (!isQuick) writeResults('hosts', results);
} finally {
  await built.close();
}

async function measureStarts(name: string, host: Host): Promise<HostFigures> {
  const [empty, stored]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    let server: HostedServer | undefined;
    const first = async (start: () => Promise<HostedServer>) => {
      const begin = performance.now();
      server = await start();
      await visit(server);
      return performance.now() - begin;
    };
    empty.push(await first(host.start));
    await server?.idle?.();
    stored.push(await first(() => host.restart(server as HostedServer)));
    await server?.close();
  }
  return { name, empty: Math.min(...empty), stored: Math.min(...stored) };
}

async function measureWorker(): Promise<HostFigures> {
  const host = cloudflareHost(built);
  let server = await host.start();
  const stored: number[] = [];
  try {
    await host.fill?.();
    for (let round = 0; round < ROUNDS; round++) {
      server = await host.restart(server);
      const begin = performance.now();
      await visit(server);
      stored.push(performance.now() - begin);
    }
  } finally {
    await server.close();
  }
  return { name: HOSTS.cloudflare.name, stored: Math.min(...stored) };
}

async function visit({ url, log }: HostedServer): Promise<void> {
  const response = await fetch(`${url}/articles/1`);
  if (!(await response.text()).includes('<b>Title 1</b>')) throw new Error(`${response.status}: ${log()}`);
}

/** Without the part of a Worker that only prerenders. */
function gzipped(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?js$/.test(file) && !file.includes('.prerender'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).byteLength, 0);
}
