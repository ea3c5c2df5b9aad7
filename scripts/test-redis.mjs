// npm run test:redis: tests the cache with a real Redis, which the test starts.
import { spawnSync } from 'node:child_process';
import { ended, start } from './process.mjs';

if (spawnSync('redis-server', ['--version']).status === 0) {
  process.exitCode = await ended(start('vitest', ['run', 'test/replica/redis.test.ts']));
} else {
  console.error('redis-server is not installed. For example: apt-get install redis-server');
  process.exitCode = 1;
}
