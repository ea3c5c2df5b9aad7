// npm run bench [NAME …] [-- --quick]: runs benchmarks and updates test/bench/RESULTS.md. --quick uses the smallest
// sizes and only prints the table. npm run bench targets [TARGET …] [-- --rounds=N] measures single targets. --ascii
// measures content in ASCII instead of Japanese, and only prints the results.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './process.mjs';

const BENCHMARKS = {
  peers: 'peers/run.ts',
  replica: 'replica.ts',
  'sync-overhead': 'sync-overhead.ts',
  'end-to-end': 'end-to-end/run.ts',
  profile: 'profile.ts',
  live: 'live.ts',
  hosts: 'hosts/run.ts',
  events: 'hosts/events.ts',
  'emulator-start': 'emulator-start.ts',
  encryption: 'encryption.ts',
  'target-profiles': 'targets/profiles.ts',
  // Last, so that its table is at the end of the output.
  targets: 'targets/run.ts',
};

const folder = join(root, 'test/bench');
const args = process.argv.slice(2).filter((arg) => arg !== 'bench');
const options = args.filter((arg) => arg.startsWith('--'));
const requested = args.filter((arg) => !arg.startsWith('--'));
// Names after `targets` are those of single targets.
const targets = requested.includes('targets') ? requested.splice(requested.indexOf('targets') + 1) : [];
if (options.includes('--ascii')) process.env.LUID_BENCH_TEXT = 'ASCII';
const unknown = requested.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown) {
  console.error(
    `Unknown benchmark ${JSON.stringify(unknown)}. Available: ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exit(1);
}

await run('node', ['scripts/build.mjs']);
await installPeers();
for (const name of requested.length > 0 ? requested : Object.keys(BENCHMARKS)) {
  const own = name === 'targets' ? targets : [];
  await run('node', ['--expose-gc', join(folder, BENCHMARKS[name]), ...own, ...options]);
}
if (!options.some((option) => ['--quick', '--ascii'].includes(option)))
  await run('node', [join(folder, 'render.ts')]);

/** Installs the other loaders that are measured, unless they are installed. */
async function installPeers() {
  const { dependencies } = readPackage(folder);
  const isInstalled = ([name, version]) =>
    readPackage(join(folder, 'node_modules', name))?.version === version;
  if (Object.entries(dependencies).every(isInstalled)) return;
  // They use our Astro: some require an older one, which npm would install.
  const flags = ['--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags], { cwd: folder });
}

function readPackage(path) {
  const file = join(path, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
