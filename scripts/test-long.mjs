// npm run test:long: runs the random tests for longer and with a new seed, and tests that take very long. LUID_RUNS sets
// the number of runs of each, LUID_SEED the seed. The package is built first, since some tests use it as it is shipped.
import './build.mjs';
import { ended, start } from './process.mjs';

const RUNS = {
  'test/histories/histories.property.test.ts': '10000',
  'test/replica/never-wrong.property.test.ts': '10000',
  'test/replica/two-processes.test.ts': '1000',
  'test/astro/loader/incremental.property.test.ts': '5000',
  'test/astro/loader/backlinks.property.test.ts': '2000',
  'test/astro/live/from-replica/live-equals-build.property.test.ts': '2000',
  'test/astro/live/from-replica/fleet/fleet.slow.test.ts': '200',
  'test/emulator/read/parse-query.property.test.ts': '10000',
  'test/entries/differential.property.test.ts': '10000',
  'test/cli/init/init-hostile.property.test.ts': '5000',
  'test/cli/watch/watcher.property.test.ts': '1000',
  'test/emulator/write/transitions.property.test.ts': '5000',
  'test/security/malformed-responses.property.test.ts': '2000',
  'test/security/sanitize.property.test.ts': '10000',
  'test/reliability/random-faults.test.ts': '2000',
  'test/reliability/random-builds.slow.test.ts': '200',
};
const LUID_SEED = process.env.LUID_SEED ?? String(Math.floor(Math.random() * 2 ** 31));

if ((await ended(start('vitest', ['run', 'test/long'], { env: { LUID_LONG: '1' } }))) !== 0)
  process.exitCode = 1;
for (const [file, runs] of Object.entries(RUNS)) {
  const LUID_RUNS = process.env.LUID_RUNS ?? runs;
  const code = await ended(
    start('vitest', ['run', '--testTimeout=36000000', file], { env: { LUID_RUNS, LUID_SEED } }),
  );
  if (code !== 0) process.exitCode = 1;
}
