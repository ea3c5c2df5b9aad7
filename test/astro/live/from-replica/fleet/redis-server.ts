import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const isRedisInstalled = spawnSync('redis-server', ['--version']).status === 0;

/** A real Redis that can be killed, and started again with its data or without. */
export class RedisServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'astro-luid-fleet-'));
  #running: ChildProcess | undefined;

  get path(): string {
    return join(this.#folder, 'redis.sock');
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  async start({ isEmpty = false } = {}): Promise<void> {
    if (isEmpty) rmSync(join(this.#folder, 'appendonlydir'), { recursive: true, force: true });
    const args = ['--port', '0', '--unixsocket', this.path, '--save', '', '--dir', this.#folder];
    const server = spawn('redis-server', [...args, '--appendonly', 'yes'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running = server;
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject).on('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
      server.stdout.on('data', (lines) => {
        if (/ready to accept/i.test(String(lines))) resolve();
      });
    });
  }

  async kill(): Promise<void> {
    const server = this.#running;
    if (!server) return;
    this.#running = undefined;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
