import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage, type Storage } from 'unstorage';
import redis from 'unstorage/drivers/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeStorage } from './storage-suite.ts';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

test.runIf(process.env.CI)('Redis is installed in CI', () => {
  expect(isInstalled, 'Install redis-server, as .ci/run does.').toBe(true);
});
if (!isInstalled) console.log('No redis-server is installed, so the cache is not tested on one.');

describe.skipIf(!isInstalled)('a real Redis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-redis-'));
  const path = join(folder, 'redis.sock');
  const opened: Storage[] = [];
  let server: ChildProcess;

  beforeAll(async () => {
    const args = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', folder];
    server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject).on('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
      server.stdout?.on('data', (lines) => {
        if (/ready to accept/i.test(String(lines))) resolve();
      });
    });
  });

  afterAll(async () => {
    for (const storage of opened) await storage.dispose();
    const gone = once(server, 'exit');
    server.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });

  describeStorage('Redis', () => {
    const storage = createStorage({ driver: redis({ path, base: `site-${opened.length}` }) });
    opened.push(storage);
    return storage;
  });
});
