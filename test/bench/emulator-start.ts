/** Measures how soon `luid emulator` answers: with and without the studio, with the sample and with many items. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmulatorResults } from './emulator-section.ts';
import { readMachine } from './machine.ts';
import { writeResults } from './results.ts';
import { textOf } from './text.ts';

const ROUNDS = process.argv.includes('--quick') ? 1 : 5;
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const COUNT = 10_000;
const NODE_ALONE = 'Node alone';
const dir = mkdtempSync(join(tmpdir(), 'astro-luid-emulator-bench-'));
const seed = join(dir, 'seed.json');
writeFileSync(seed, JSON.stringify(manyItems()));

const CASES: Record<string, { readonly args: readonly string[]; readonly key: string }> = {
  'the sample, without the studio': { args: ['--studio', 'off'], key: 'published-key' },
  'the sample': { args: [], key: 'published-key' },
  [`${COUNT.toLocaleString('en')} items of 2 KB, without the studio`]: {
    args: ['--studio', 'off', '--seed', seed],
    key: 'published',
  },
};

try {
  const times = new Map<string, number[]>([NODE_ALONE, ...Object.keys(CASES)].map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    times.get(NODE_ALONE)?.push(await timeOfNode());
    for (const [name, one] of Object.entries(CASES)) times.get(name)?.push(await timeToAnswer(one));
  }
  const middle = (list: readonly number[]) => [...list].sort((a, b) => a - b)[ROUNDS >> 1] as number;
  const starts = [...times].map(([name, list]) => ({ name, ms: middle(list) }));
  for (const { name, ms } of starts) console.log(`${name}: ${ms.toFixed(0)} ms`);
  const results: EmulatorResults = { machine: readMachine(), rounds: ROUNDS, starts };
  if (!process.argv.includes('--quick')) writeResults('emulator-start', results);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function timeOfNode(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}

/** From the start of the process to the end of the first response. */
async function timeToAnswer({ args, key }: (typeof CASES)[string]): Promise<number> {
  const start = performance.now();
  const emulator = spawn(process.execPath, [CLI, 'emulator', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(emulator.stdout, 'data')) as [Buffer];
  const [, baseUrl] = line.toString().split(' ');
  const response = await fetch(`${baseUrl}/contents`, { headers: { 'X-SERVICE-API-KEY': key } });
  await response.arrayBuffer();
  const ms = performance.now() - start;
  emulator.kill();
  await once(emulator, 'exit');
  if (!response.ok) throw new Error(`The emulator answered ${response.status}`);
  return ms;
}

function manyItems() {
  const body = textOf(2_000);
  return {
    keys: [{ key: 'published', reads: 'published' }],
    languages: { main: 'en', sub: [] },
    models: { article: { title: { type: 'text', title: true }, body: { type: 'multiline' } } },
    contents: Array.from({ length: COUNT }, (_, index) => ({
      id: index + 1,
      model: 'article',
      created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      published: { en: { title: `Article ${index}`, body } },
    })),
  };
}
