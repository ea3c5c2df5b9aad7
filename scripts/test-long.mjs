// npm run test:long: runs the random tests for longer and with a new seed, and tests that take very long. LUID_RUNS sets
// the number of runs of each, LUID_SEED the seed. The package is built first, since some tests use it as it is shipped.
import './build.mjs';
import { ended, start } from './process.mjs';

const RUNS = {
  'test/replica/never-wrong.property.test.ts': '10000',
  'test/histories/histories.property.test.ts': '20000',
  'test/reliability/random-faults.test.ts': '2000',
  'test/reliability/random-builds.test.ts': '200',
};
const LUID_SEED = process.env.LUID_SEED ?? String(Math.floor(Math.random() * 2 ** 31));

if ((await ended(start('vitest', ['run', 'test/long'], { env: { LUID_LONG: '1' } }))) !== 0)
  process.exitCode = 1;
for (const [file, runs] of Object.entries(RUNS)) {
  const LUID_RUNS = process.env.LUID_RUNS ?? runs;
  const code = await ended(start('vitest', ['run', file], { env: { LUID_RUNS, LUID_SEED } }));
  if (code !== 0) process.exitCode = 1;
}
