/**
 * Measures live collections from a replica: 100,000 items of about 2 KB, 50 loops that load entries by slug in one
 * process on one core.
 *
 *   node test/bench/live.ts [--seconds=60] [--count=100000], after a build
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMachine } from './machine.ts';
import { writeResults } from './results.ts';

/** What a server measured. Times in milliseconds, memory in bytes. */
interface LiveFigures {
  /** From the start of the process. */
  readonly firstEntry: number;
  /** CPU time until then: does not depend on the load of the machine. */
  readonly firstEntryCpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly where: number;
  readonly rss: [number, ...number[]] & { at(index: -1): number };
  /** Without garbage, after one minute and at the end. */
  readonly held: [number, ...number[]] & { at(index: -1): number };
  /** What is stored as JSON. */
  readonly raw: number;
  readonly requestsPerCheck: number;
}

const option = (name: string, byDefault: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? byDefault);
const seconds = option('seconds', 60);
const count = option('count', 100_000);

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const emulator = fork(pathOf('emulator-child.ts'), [JSON.stringify({ count, latency: 0, bytes: 2000 })], {
  execArgv: ['--max-old-space-size=8192'],
});
const [baseUrl] = (await once(emulator, 'message')) as [string];
const dir = mkdtempSync(join(tmpdir(), 'astro-luid-live-bench-'));
try {
  // The first one fills the cache.
  const cold = await runServer({ seconds: 0 });
  const warm = await runServer({ seconds });
  const load = loadavg().map((value) => value.toFixed(1));
  print('cold start, first entry', cold.firstEntry, 'ms');
  print('warm start, first entry', warm.firstEntry, 'ms', 1500);
  print('warm start, CPU time until the first entry', warm.firstEntryCpu, 'ms');
  print('entry by slug, p50', warm.p50, 'ms');
  print('entry by slug, p99', warm.p99, 'ms', 10);
  console.log(`entries per second: ${Math.round(warm.perSecond)} (at least 2000)`);
  print('where over all, once warm', warm.where, 'ms', 150);
  print('memory after the first entry', warm.rss[0] / 1e6, 'MB');
  print('memory after one minute', (warm.rss[1] ?? 0) / 1e6, 'MB');
  print('memory at the end', warm.rss.at(-1) / 1e6, 'MB');
  print('without garbage, after one minute', warm.held[0] / 1e6, 'MB');
  print('without garbage, at the end', warm.held.at(-1) / 1e6, 'MB');
  console.log(
    `memory against ${(warm.raw / 1e6).toFixed(0)} MB of JSON: ${(warm.rss.at(-1) / warm.raw).toFixed(2)} x (at most 2 x); without garbage ${(warm.held.at(-1) / warm.raw).toFixed(2)} x`,
  );
  console.log(`requests per check: ${warm.requestsPerCheck.toFixed(2)}`);
  console.log(`load of the machine: ${load.join(', ')}`);
  if (!process.argv.includes('--quick'))
    writeResults('live', { machine: readMachine(), seconds, count, cold, warm, load });
} finally {
  emulator.disconnect();
  rmSync(dir, { recursive: true, force: true });
}

/** Runs a server on one core, where that is possible. */
async function runServer(options: { readonly seconds: number }): Promise<LiveFigures> {
  const args = ['--expose-gc', pathOf('live-child.mjs'), JSON.stringify({ baseUrl, dir, count, ...options })];
  const command: [string, string[]] =
    process.platform === 'linux'
      ? ['taskset', ['-c', '1', process.execPath, ...args]]
      : [process.execPath, args];
  const server: ChildProcess = spawn(...command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(server, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`The server ended with code ${code}`);
  });
  const [figures] = (await Promise.race([once(server, 'message'), failed])) as [LiveFigures];
  failed.catch(() => {});
  await exited;
  return figures;
}

function print(what: string, value: number, unit: string, limit?: number): void {
  console.log(
    `${what}: ${value.toFixed(1)} ${unit}${limit === undefined ? '' : ` (at most ${limit} ${unit})`}`,
  );
}
