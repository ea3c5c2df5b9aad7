import { readFileSync, writeFileSync } from 'node:fs';
import { filesIn, flip } from '../support/folder-files.ts';
import { type KillPoint, loadInProcess, startBuildProcess } from './build-process.ts';
import { forge } from './damaged-cache.ts';
import { failingStorage, type StorageFault } from './failing-storage.ts';
import type { Fault } from './fault.ts';
import { type Case, type FaultRunner, SHAPES, type Shape } from './fault-runner.ts';
import { MutableDataStore } from './load-collections.ts';

const shapes = Object.keys(SHAPES) as Shape[];

/** The cache fails: the content is correct anyway, and the stored files stay intact. */
async function badDisk(runner: FaultRunner, kinds: Record<string, StorageFault>): Promise<Case[]> {
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    for (const [kind, what] of Object.entries(kinds)) {
      let now: StorageFault | undefined;
      const setup = runner.createSetup({
        concurrency: SHAPES[shape],
        storage: (folder) => failingStorage(folder, () => now),
      });
      for (const at of ['cold', 'warm'] as const) {
        const known = at === 'cold' ? undefined : await setup.serviceContent();
        if (at === 'warm') setup.makeEdits();
        now = what;
        const load = await setup.load();
        now = undefined;
        const cache = { known, now: await setup.cached() };
        const expectedLog = /Cannot (read|write) the cache; .*it does not work/;
        const next = await setup.load();
        const budget = Math.max(clean.cold, clean.warm);
        cases.push({
          name: `${kind}, ${at}, ${shape}`,
          expects: 'right',
          load,
          next,
          expectedLog,
          budget,
          cache,
        });
      }
    }
  }
  return cases;
}

/** Damaged files in the cache. */
async function badFiles(runner: FaultRunner, damage: (bytes: Buffer) => Uint8Array): Promise<Case[]> {
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    const setup = runner.createSetup({ concurrency: SHAPES[shape] });
    await setup.load();
    for (const kind of ['manifest', 'segment', '']) {
      setup.makeEdits();
      for (const file of filesIn(setup.dir).filter((name) => name.includes(kind))) {
        writeFileSync(file, damage(readFileSync(file)));
      }
      const load = await setup.load();
      const expectedLog = /cache.* damaged/;
      const cache = { known: undefined, now: await setup.cached() };
      const next = await setup.load();
      const name = `${kind || 'all files'}, ${shape}`;
      // Each damaged model is read again, bypassing the CDN.
      cases.push({ name, expects: 'right', load, next, expectedLog, budget: 4 * clean.cold, cache });
    }
  }
  return cases;
}

/** Other content in the cache, by somebody who lacks the key. */
async function forgedCache(runner: FaultRunner): Promise<Case[]> {
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    const setup = runner.createSetup({ concurrency: SHAPES[shape] });
    await setup.load();
    setup.makeEdits();
    forge(setup);
    const load = await setup.load();
    const cache = { known: undefined, now: await setup.cached() };
    const next = await setup.load();
    const expectedLog = /cache.* damaged/;
    cases.push({ name: shape, expects: 'right', load, next, expectedLog, budget: 4 * clean.cold, cache });
  }
  return cases;
}

/** Where a process is killed: at a request, or at a write to the cache. */
const KILL_POINTS: readonly (KillPoint | { readonly request: number })[] = [
  { request: 2 },
  { request: 6 },
  { write: 2, isDone: false },
  { write: 3, isDone: true },
];

/** A process is killed in the middle of a load. */
async function killed(runner: FaultRunner): Promise<Case[]> {
  const cases: Case[] = [];
  const clean = await runner.clean('changes');
  const setup = runner.createSetup({ concurrency: SHAPES.changes });
  await setup.load();
  for (const killPoint of KILL_POINTS) {
    const known = await setup.serviceContent();
    for (let days = 0; days < 2; days++) setup.makeEdits();
    const child = await startBuildProcess(setup, 'write' in killPoint ? killPoint : undefined);
    const kill = { name: 'kill', handler: () => void child.kill('SIGKILL') };
    setup.proxyClient.choose = ({ n }) =>
      'request' in killPoint && n === killPoint.request ? kill : undefined;
    const load = await setup.record(new MutableDataStore(), () => loadInProcess(child, setup.clock.now()));
    setup.proxyClient.choose = undefined;
    const cache = { known, now: await setup.cached() };
    const next = await setup.load();
    const name = JSON.stringify(killPoint);
    cases.push({ name, expects: 'fails', load, next, expectedLog: /SIGKILL/, budget: clean.warm, cache });
  }
  return cases;
}

/** Two processes with one cache load at the same time. */
async function twoBuilds(runner: FaultRunner): Promise<Case[]> {
  const cases: Case[] = [];
  const setup = runner.createSetup({ concurrency: SHAPES.changes });
  const clean = await runner.clean('changes');
  const children = await Promise.all([startBuildProcess(setup), startBuildProcess(setup)]);
  try {
    for (let round = 1; round <= 5; round++) {
      const known = round === 1 ? undefined : await setup.serviceContent();
      setup.makeEdits();
      const stores = await Promise.all(
        children.map(async (child) => {
          const { store, error, lines } = await loadInProcess(child, setup.clock.now());
          return { store: await MutableDataStore.fromString(store), error, lines };
        }),
      );
      const requests = [...setup.proxyClient.requests];
      const cache = { known, now: await setup.cached() };
      const next = await setup.load();
      for (const { store, error, lines } of stores) {
        const load = await setup.record(store, async (log) => {
          for (const line of lines) log(line);
          if (error) throw new Error(error);
        });
        const budget = 2 * (round === 1 ? clean.cold : clean.warm) + 8;
        cases.push({
          name: `round ${round}`,
          expects: 'right',
          load: { ...load, requests },
          next,
          budget,
          cache,
        });
      }
    }
  } finally {
    for (const child of children) child.disconnect();
  }
  return cases;
}

/** What may happen to the machine that builds. */
export const MACHINE_FAULTS: readonly Fault[] = [
  {
    name: 'disk full',
    cases: (runner) =>
      badDisk(runner, {
        always: { code: 'ENOSPC', reads: false, from: 1, times: Number.POSITIVE_INFINITY },
        'after one write': { code: 'ENOSPC', reads: false, from: 2, times: Number.POSITIVE_INFINITY },
        once: { code: 'ENOSPC', reads: false, from: 1, times: 1 },
      }),
  },
  {
    name: 'no permission',
    cases: (runner) =>
      badDisk(runner, {
        'to read or write': { code: 'EACCES', reads: true, from: 1, times: Number.POSITIVE_INFINITY },
        'to write': { code: 'EROFS', reads: false, from: 1, times: Number.POSITIVE_INFINITY },
      }),
  },
  {
    name: 'torn cache',
    cases: (runner) => badFiles(runner, (bytes) => bytes.subarray(0, bytes.length >> 1)),
  },
  {
    name: 'flipped cache',
    cases: (runner) =>
      badFiles(runner, (bytes) => {
        flip(bytes, bytes.length >> 1);
        return bytes;
      }),
  },
  { name: 'forged cache', cases: forgedCache },
  { name: 'killed process', cases: killed },
  {
    name: 'two builds',
    cases: twoBuilds,
    without: { 'the problem is reported': 'there is no problem to report' },
  },
];
