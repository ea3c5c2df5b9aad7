// npm run test:long: the property test of the replica at length. LUID_RUNS sets how many lives.
import { ended, start } from './process.mjs';

const LUID_RUNS = process.env.LUID_RUNS ?? '10000';
const test = start('vitest', ['run', 'test/replica/never-wrong.property.test.ts'], { env: { LUID_RUNS } });
process.exitCode = await ended(test);
