/**
 * What a replica costs: with nothing changed, cold behind a slow line, and as it grows. Figures to read,
 * not thresholds: they depend on the machine, their ratios hardly.
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
import { CONCURRENT_READS } from '../../src/client/http/rate-limiter.ts';
import { LIMITS } from '../../src/contract/limits.ts';
import { field } from '../../src/index.ts';
import { openReplica } from '../../src/replica/replica.ts';
import { openStorage } from '../../src/replica/store/storage.ts';
import type { ReplicaResults } from './limit-section.ts';
import { machineOf } from './machine.ts';
import { writeResults } from './results.ts';

const MODELS = {
  article: { title: field.text({ title: true }), body: field.multiline(), author: field.reference('author') },
  author: { name: field.text({ title: true }) },
};

interface Site {
  readonly sync: () => Promise<{ ms: number; peak: number; requests: number }>;
  /** Reads of segments so far, and the bytes of JSON that came from the service. */
  readonly counts: { segments: number; bytes: number };
  /** Empties the cache, so that the next sync is a cold one. */
  readonly forget: () => Promise<void>;
  readonly close: () => void;
}

async function openSite(count: number, { latency = 0, bytes = 300 } = {}): Promise<Site> {
  const path = fileURLToPath(new URL('emulator-child.ts', import.meta.url));
  const emulator = fork(path, [JSON.stringify({ count, latency, bytes })], {
    execArgv: ['--max-old-space-size=8192'],
  });
  const baseUrl = await new Promise<string>((resolve) => emulator.once('message', resolve as () => void));
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-bench-'));
  const counts = { segments: 0, bytes: 0 };
  const folder = openStorage({}, dir);
  const storage: Storage = {
    ...folder,
    getItemRaw: (key: string) => {
      if (key.includes(':segment:')) counts.segments += 1;
      return folder.getItemRaw(key);
    },
  } as Storage;
  const found = createConnection({
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
    forget: () => folder.clear(),
    async sync() {
      globalThis.gc?.();
      const before = held();
      let peak = 0;
      const look = () => {
        peak = Math.max(peak, held() - before);
      };
      const sample = setInterval(look, 2);
      const start = performance.now();
      const { summary } = await openReplica({
        connect: async () => found,
        models: MODELS,
        cache: { storage },
        cacheDir: dir,
        maxAge: 24 * 3600 * 1000,
        logger: { info: () => {}, warn: (line) => console.warn(line) },
      });
      const ms = performance.now() - start;
      clearInterval(sample);
      look();
      return { ms, peak, requests: summary.requests };
    },
    close() {
      emulator.disconnect();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Objects and buffers, with what is not collected yet. */
function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const line = (...cells: string[]) => console.log(cells.map((cell, n) => cell.padEnd(n ? 18 : 46)).join(''));
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const ms = (time: number) => `${time.toFixed(1)} ms`;

async function warm(count: number) {
  const site = await openSite(count);
  await site.sync();
  await site.sync();
  site.counts.segments = 0;
  const runs = [];
  for (let n = 0; n < 30; n++) runs.push(await site.sync());
  site.close();
  const { segments } = site.counts;
  return { ms: median(runs.map((run) => run.ms)), peak: median(runs.map((run) => run.peak)), segments };
}

async function cold(count: number, options: { latency?: number; bytes?: number }) {
  const site = await openSite(count, options);
  // The emulator's process is new: the first sync would measure how it warms up.
  await site.sync();
  await site.forget();
  site.counts.bytes = 0;
  const run = await site.sync();
  site.close();
  return { ...run, raw: site.counts.bytes };
}

const [few, many] = [await warm(2_000), await warm(100_000)];
line('', '2,000 items', '100,000 items', 'ratio');
line('nothing changed, time', ms(few.ms), ms(many.ms), (many.ms / few.ms).toFixed(2));
line('nothing changed, memory', mb(few.peak), mb(many.peak), (many.peak / few.peak).toFixed(2));
line('nothing changed, segments read', String(few.segments), String(many.segments), '');

const slow = await cold(10_000, { latency: 50 });
const pages = Math.ceil(10_000 / LIMITS.pageSize);
const ideal = (pages * 50) / CONCURRENT_READS;
line('', 'ideal', 'measured', 'ratio');
line('cold, 10,000 items at 50 ms', ms(ideal), ms(slow.ms), (slow.ms / ideal).toFixed(2));

const [small, large] = [await cold(10_000, { bytes: 2000 }), await cold(100_000, { bytes: 2000 })];
line('', '10,000 of 2 KB', '100,000 of 2 KB', 'ratio');
line('cold, time', ms(small.ms), ms(large.ms), (large.ms / small.ms).toFixed(2));
const times = (run: { peak: number; raw: number }) => `${(run.peak / run.raw).toFixed(2)} x raw`;
line('cold, peak memory against raw JSON', times(small), times(large), '');

const results: ReplicaResults = {
  machine: machineOf(),
  warm: { few, many },
  slow: { ...slow, ideal, pages },
  growth: { small, large },
};
writeResults('replica', results);
