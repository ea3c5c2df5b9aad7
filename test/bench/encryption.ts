/** Measures what it costs to encrypt the cache of drafts: cold and warm loads, and the start of a server. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from '../../src/client/http/connection.ts';
import { field } from '../../src/index.ts';
import { openSnapshotReader } from '../../src/replica/content/snapshot-reader.ts';
import { openReplica } from '../../src/replica/open-replica.ts';
import { openStorage } from '../../src/replica/store/storage.ts';
import { readStored } from '../replica/read-stored.ts';
import { filesIn } from '../support/folder-files.ts';
import type { EncryptionResults } from './encryption-section.ts';
import { readMachine } from './machine.ts';
import { writeResults } from './results.ts';

const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 3 : 15;
const SIZES = isQuick ? [1000] : [1000, 10_000];
const MODELS = {
  article: { title: field.text({ title: true }), body: field.multiline(), author: field.reference('author') },
  author: { name: field.text({ title: true }) },
};

type Kind = 'clear' | 'encrypted';
type Step = 'cold' | 'warm' | 'start';

async function measure(count: number): Promise<EncryptionResults['sizes'][number]> {
  const path = fileURLToPath(new URL('emulator-child.ts', import.meta.url));
  const emulator = fork(path, [JSON.stringify({ count, latency: 0, bytes: 2000 })]);
  const baseUrl = await new Promise<string>((resolve) => emulator.once('message', resolve as () => void));
  const dirs = {
    clear: mkdtempSync(join(tmpdir(), 'bench-')),
    encrypted: mkdtempSync(join(tmpdir(), 'bench-')),
  };
  const connection = createConnection({
    baseUrl,
    apiKey: 'published',
    network: { requestsPerMinute: Number.POSITIVE_INFINITY },
  });
  const load = async (kind: Kind) => {
    const replica = await openReplica({
      connect: async () => connection,
      models: MODELS,
      drafts: kind === 'encrypted',
      cache: {},
      cacheDir: dirs[kind],
      maxAge: 24 * 3600 * 1000,
      logger: { info: () => {}, warn: (line) => console.warn(line) },
    });
    return replica.readAll();
  };
  const start = async (kind: Kind) => {
    const of = { baseUrl, apiKey: 'published', space: undefined, lang: undefined };
    const reader = await openSnapshotReader(openStorage({}, dirs[kind]), MODELS, of);
    const manifest = await reader.load();
    const replica = manifest && (await readStored(MODELS, reader, manifest, undefined));
    if ([...(replica?.values() ?? [])].length !== count) throw new Error('Not everything is stored');
  };
  const times: Record<Step, Record<Kind, number[]>> = {
    cold: { clear: [], encrypted: [] },
    warm: { clear: [], encrypted: [] },
    start: { clear: [], encrypted: [] },
  };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of round % 2 ? (['clear', 'encrypted'] as const) : (['encrypted', 'clear'] as const)) {
      rmSync(dirs[kind], { recursive: true, force: true });
      const steps: Record<Step, () => Promise<unknown>> = {
        cold: () => load(kind),
        warm: () => load(kind),
        start: () => start(kind),
      };
      for (const [step, run] of Object.entries(steps) as [Step, () => Promise<unknown>][]) {
        globalThis.gc?.();
        const before = process.cpuUsage();
        await run();
        const { user, system } = process.cpuUsage(before);
        // The first round is to warm up.
        if (round > 0) times[step][kind].push((user + system) / 1000);
      }
    }
  }
  const bytesOf = async (kind: Kind) => {
    rmSync(dirs[kind], { recursive: true, force: true });
    await load(kind);
    return filesIn(dirs[kind]).reduce((sum, file) => sum + statSync(file).size, 0);
  };
  const bytes = { clear: await bytesOf('clear'), encrypted: await bytesOf('encrypted') };
  emulator.disconnect();
  for (const dir of Object.values(dirs)) rmSync(dir, { recursive: true, force: true });
  const middle = ({ clear, encrypted }: Record<Kind, number[]>) => ({
    clear: median(clear),
    encrypted: median(encrypted),
  });
  return { count, cold: middle(times.cold), warm: middle(times.warm), start: middle(times.start), bytes };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const sizes = [];
for (const count of SIZES) sizes.push(await measure(count));
for (const { count, ...measured } of sizes) console.log(count, JSON.stringify(measured));
const results: EncryptionResults = { machine: readMachine(), rounds: ROUNDS, sizes };
if (!isQuick) writeResults('encryption', results);
