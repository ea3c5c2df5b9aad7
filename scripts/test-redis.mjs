// npm run test:redis: tests the cache, and several live servers, with a real Redis, which the tests start.
import { spawnSync } from 'node:child_process';
import { ended, start } from './process.mjs';

if (spawnSync('redis-server', ['--version']).status === 0) {
  const { LUID_RUNS = '20' } = process.env;
  const tests = ['test/replica/redis.test.ts', 'test/astro/live/from-replica/fleet'];
  process.exitCode = await ended(start('vitest', ['run', ...tests], { env: { LUID_RUNS } }));
} else {
  console.error('redis-server is not installed. For example: apt-get install redis-server');
  process.exitCode = 1;
}
