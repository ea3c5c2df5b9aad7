/**
 * Measures live collections from a replica: 100,000 items of about 2 KB, 50 loops that load entries by slug in one
 * process on one core. Starts are measured on all cores.
 *
 *   node test/bench/live.ts [--seconds=60] [--count=100000], after a build
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LiveFigures, LiveResults } from './live-section.ts';
import { readMachine } from './machine.ts';
import { writeResults } from './results.ts';

const option = (name: string, byDefault: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? byDefault);
const seconds = option('seconds', 60);
const count = option('count', 100_000);
const STARTS = 5;

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const emulator = fork(pathOf('emulator-child.ts'), [JSON.stringify({ count, latency: 0, bytes: 2000 })], {
  execArgv: ['--max-old-space-size=8192'],
});
const [baseUrl] = (await once(emulator, 'message')) as [string];
const dir = mkdtempSync(join(tmpdir(), 'astro-luid-live-bench-'));
try {
  // The first one fills the cache.
  const cold = await runServer({ seconds: 0, cores: 'all' });
  const starts: LiveFigures[] = [];
  for (let n = 0; n < STARTS; n++) starts.push(await runServer({ seconds: 0, cores: 'all' }));
  const start = starts.sort((a, b) => a.firstEntry - b.firstEntry)[STARTS >> 1] as LiveFigures;
  const warm = await runServer({ seconds, cores: 'one' });
  const load = loadavg().map((value) => value.toFixed(1));
  print('cold start, first entry', cold.firstEntry, 'ms');
  print(`warm start, first entry, middle of ${STARTS}`, start.firstEntry, 'ms', 1500);
  print('warm start, CPU time until the first entry', start.firstEntryCpu, 'ms');
  print('warm start on one core, first entry', warm.firstEntry, 'ms');
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
  const results: LiveResults = { machine: readMachine(), seconds, count, cold, start, warm };
  if (!process.argv.includes('--quick')) writeResults('live', results);
} finally {
  emulator.disconnect();
  rmSync(dir, { recursive: true, force: true });
}

/** Runs a server, on one core where that is possible. */
async function runServer(options: {
  readonly seconds: number;
  readonly cores: 'one' | 'all';
}): Promise<LiveFigures> {
  const args = [
    '--expose-gc',
    pathOf('live-child.mjs'),
    JSON.stringify({ baseUrl, dir, count, seconds: options.seconds }),
  ];
  const command: [string, string[]] =
    process.platform === 'linux' && options.cores === 'one'
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
