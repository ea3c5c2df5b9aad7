/**
 * Measures a replica: with nothing changed, cold with latency, and cold with many items. The times depend on the
 * machine; the ratios hardly do.
 *
 *   node --expose-gc test/bench/replica.ts
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Storage } from 'unstorage';
import { createConnection } from '../../src/client/http/connection.ts';
import { CONCURRENT_READS } from '../../src/client/http/limits/rate-limiter.ts';
import { LIMITS } from '../../src/contract/limits.ts';
import { field } from '../../src/index.ts';
import { openReplica } from '../../src/replica/open-replica.ts';
import { openStorage } from '../../src/replica/store/storage.ts';
import { readMachine } from './machine.ts';
import type { ReplicaResults } from './overhead-section.ts';
import { writeResults } from './results.ts';

const MODELS = {
  article: { title: field.text({ title: true }), body: field.multiline(), author: field.reference('author') },
  author: { name: field.text({ title: true }) },
};

interface Setup {
  readonly sync: () => Promise<{ ms: number; peak: number; requests: number }>;
  /** Segments read and bytes of JSON received so far. */
  readonly counts: { segments: number; bytes: number };
  /** Makes the next sync a cold one. */
  readonly clearCache: () => Promise<void>;
  readonly close: () => void;
}

async function openSetup(count: number, { latency = 0, bytes = 300 } = {}): Promise<Setup> {
  const path = fileURLToPath(new URL('emulator-child.ts', import.meta.url));
  const emulator = fork(path, [JSON.stringify({ count, latency, bytes })], {
    execArgv: ['--max-old-space-size=8192'],
  });
  const baseUrl = await new Promise<string>((resolve) => emulator.once('message', resolve as () => void));
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-bench-'));
  const counts = { segments: 0, bytes: 0 };
  const cacheStorage = openStorage({}, dir);
  const storage: Storage = {
    ...cacheStorage,
    getItemRaw: (key: string) => {
      if (key.includes(':segment:')) counts.segments += 1;
      return cacheStorage.getItemRaw(key);
    },
  } as Storage;
  const openConnection = createConnection({
    baseUrl,
    apiKey: 'published',
    network: { requestsPerMinute: Number.POSITIVE_INFINITY },
    fetch: async (...request) => {
      const response = await fetch(...request);
      counts.bytes += Number(response.headers.get('content-length') ?? 0);
      return response;
    },
  });
  return {
    counts,
    clearCache: () => cacheStorage.clear(),
    async sync() {
      globalThis.gc?.();
      const before = memoryInUse();
      let peak = 0;
      const sampleMemory = () => {
        peak = Math.max(peak, memoryInUse() - before);
      };
      const sampling = setInterval(sampleMemory, 2);
      const start = performance.now();
      const { summary } = await openReplica({
        connect: async () => openConnection,
        models: MODELS,
        cache: { storage },
        cacheDir: dir,
        maxAge: 24 * 3600 * 1000,
        logger: { info: () => {}, warn: (line) => console.warn(line) },
      });
      const ms = performance.now() - start;
      clearInterval(sampling);
      sampleMemory();
      return { ms, peak, requests: summary.requests };
    },
    close() {
      emulator.disconnect();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Bytes of objects and buffers, including garbage that is not collected yet. */
function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const printRow = (...cells: string[]) =>
  console.log(cells.map((cell, n) => cell.padEnd(n ? 18 : 46)).join(''));
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const ms = (time: number) => `${time.toFixed(1)} ms`;

async function measureWarm(count: number) {
  const setup = await openSetup(count);
  await setup.sync();
  await setup.sync();
  setup.counts.segments = 0;
  const runs = [];
  for (let n = 0; n < 30; n++) runs.push(await setup.sync());
  setup.close();
  const { segments } = setup.counts;
  return { ms: median(runs.map((run) => run.ms)), peak: median(runs.map((run) => run.peak)), segments };
}

async function measureCold(count: number, options: { latency?: number; bytes?: number }) {
  const setup = await openSetup(count, options);
  // The first sync warms up the emulator's process.
  await setup.sync();
  await setup.clearCache();
  setup.counts.bytes = 0;
  const run = await setup.sync();
  setup.close();
  return { ...run, raw: setup.counts.bytes };
}

const [few, many] = [await measureWarm(2_000), await measureWarm(100_000)];
printRow('', '2,000 items', '100,000 items', 'ratio');
printRow('nothing changed, time', ms(few.ms), ms(many.ms), (many.ms / few.ms).toFixed(2));
printRow('nothing changed, memory', mb(few.peak), mb(many.peak), (many.peak / few.peak).toFixed(2));
printRow('nothing changed, segments read', String(few.segments), String(many.segments), '');

const slow = await measureCold(10_000, { latency: 50 });
const pages = Math.ceil(10_000 / LIMITS.pageSize);
const ideal = (pages * 50) / CONCURRENT_READS;
printRow('', 'ideal', 'measured', 'ratio');
printRow('cold, 10,000 items at 50 ms', ms(ideal), ms(slow.ms), (slow.ms / ideal).toFixed(2));

const [small, large] = [
  await measureCold(10_000, { bytes: 2000 }),
  await measureCold(100_000, { bytes: 2000 }),
];
printRow('', '10,000 of 2 KB', '100,000 of 2 KB', 'ratio');
printRow('cold, time', ms(small.ms), ms(large.ms), (large.ms / small.ms).toFixed(2));
const times = (run: { peak: number; raw: number }) => `${(run.peak / run.raw).toFixed(2)} x raw`;
printRow('cold, peak memory against raw JSON', times(small), times(large), '');

const results: ReplicaResults = {
  machine: readMachine(),
  warm: { few, many },
  slow: { ...slow, ideal, pages },
  growth: { small, large },
};
writeResults('replica', results);
