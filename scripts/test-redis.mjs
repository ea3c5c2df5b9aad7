// npm run test:redis: the cache on a real Redis, which the test starts for itself.
import { spawnSync } from 'node:child_process';
import { ended, start } from './process.mjs';

if (spawnSync('redis-server', ['--version']).status === 0) {
  process.exitCode = await ended(start('vitest', ['run', 'test/replica/redis.test.ts']));
} else {
  console.error('There is no redis-server here. Install it, for example: apt-get install redis-server');
  process.exitCode = 1;
}
