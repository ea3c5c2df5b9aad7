// npm run test:long: the property test of the replica at length, each time with new lives. LUID_RUNS sets
// how many, and LUID_SEED which.
import { ended, start } from './process.mjs';

const LUID_RUNS = process.env.LUID_RUNS ?? '10000';
const LUID_SEED = process.env.LUID_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const test = start('vitest', ['run', 'test/replica/never-wrong.property.test.ts'], {
  env: { LUID_RUNS, LUID_SEED },
});
process.exitCode = await ended(test);
