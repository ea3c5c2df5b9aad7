import { afterAll, beforeAll } from 'vitest';
import { describeHost } from './describe-host.ts';
import { HOSTS } from './features.ts';
import { cloudflareHost, netlifyHost, runtimeHost, vercelHost } from './hosts.ts';
import { type BuiltSites, buildSites } from './site/built-sites.ts';
import { hostPackages, runtimePackages } from './site/packages.ts';

const runtimes = await runtimePackages();
const packages = await hostPackages();

let built: BuiltSites;
beforeAll(async () => {
  built = await buildSites(packages);
});
afterAll(() => built?.close());

const service = () => built.service;
describeHost(HOSTS.node, service, () => runtimeHost(built, process.execPath));
if (runtimes) {
  const { bun, deno } = runtimes;
  describeHost(HOSTS.bun, service, () => runtimeHost(built, ...bun));
  describeHost(HOSTS.deno, service, () => runtimeHost(built, ...deno));
}
if (packages) {
  describeHost(HOSTS.netlify, service, () => netlifyHost(built));
  describeHost(HOSTS.vercel, service, () => vercelHost(built));
  describeHost(HOSTS.cloudflare, service, () => cloudflareHost(built));
}
