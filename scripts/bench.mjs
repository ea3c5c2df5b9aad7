// npm run bench [NAME …] [-- --quick]: measures, and writes test/bench/RESULTS.md. --quick takes the smallest
// sizes, prints the table and keeps nothing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './process.mjs';

const BENCHMARKS = {
  peers: 'peers/run.ts',
  replica: 'replica.ts',
  'sync-overhead': 'sync-overhead.ts',
  'end-to-end': 'end-to-end/run.ts',
  profile: 'profile.ts',
};

const folder = join(root, 'test/bench');
const args = process.argv.slice(2).filter((arg) => arg !== 'bench');
const options = args.filter((arg) => arg.startsWith('--'));
const asked = args.filter((arg) => !arg.startsWith('--'));
const unknown = asked.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown) {
  console.error(
    `There is no benchmark ${JSON.stringify(unknown)}: there are ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exit(1);
}

await run('node', ['scripts/build.mjs']);
await installPeers();
for (const name of asked.length > 0 ? asked : Object.keys(BENCHMARKS)) {
  await run('node', ['--expose-gc', join(folder, BENCHMARKS[name]), ...options]);
}
if (!options.includes('--quick')) await run('node', [join(folder, 'render.ts')]);

/** The loaders that are measured besides ours, unless they are there. */
async function installPeers() {
  const { dependencies } = readPackage(folder);
  const isThere = ([name, version]) => readPackage(join(folder, 'node_modules', name))?.version === version;
  if (Object.entries(dependencies).every(isThere)) return;
  // Astro itself is ours: some of them ask for an older one, and would bring it.
  const flags = ['--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags], { cwd: folder });
}

function readPackage(path) {
  const file = join(path, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
