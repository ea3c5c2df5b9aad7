import { readFileSync, writeFileSync } from 'node:fs';
import { filesIn, flip } from '../support/folder-files.ts';
import { type Death, loadIn, startChild } from './child.ts';
import type { Fault } from './fault.ts';
import { type Case, type Lab, SHAPES, type Shape } from './lab.ts';
import { MutableDataStore } from './loading.ts';
import { type Failing, failing } from './storage.ts';

const shapes = Object.keys(SHAPES) as Shape[];

/** The cache fails: what is loaded is right all the same, and what lies there stays whole. */
async function badDisk(lab: Lab, kinds: Record<string, Failing>): Promise<Case[]> {
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await lab.clean(shape);
    for (const [kind, what] of Object.entries(kinds)) {
      let now: Failing | undefined;
      const world = lab.world({
        concurrency: SHAPES[shape],
        storage: (folder) => failing(folder, () => now),
      });
      for (const at of ['cold', 'warm'] as const) {
        const known = at === 'cold' ? undefined : await world.truth();
        if (at === 'warm') world.change();
        now = what;
        const load = await world.load();
        now = undefined;
        const cache = { known, now: await world.cached() };
        const says = /The cache cannot be (read|written), .*it does not work/;
        const next = await world.load();
        const budget = Math.max(clean.cold, clean.warm);
        cases.push({ name: `${kind}, ${at}, ${shape}`, expects: 'right', load, next, says, budget, cache });
      }
    }
  }
  return cases;
}

/** Files that are not what was written. */
async function badFiles(lab: Lab, damage: (bytes: Buffer) => Uint8Array): Promise<Case[]> {
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await lab.clean(shape);
    const world = lab.world({ concurrency: SHAPES[shape] });
    await world.load();
    for (const kind of ['manifest', 'segment', '']) {
      world.change();
      for (const file of filesIn(world.dir).filter((name) => name.includes(kind))) {
        writeFileSync(file, damage(readFileSync(file)));
      }
      const load = await world.load();
      const says = /cache.* damaged/;
      const cache = { known: undefined, now: await world.cached() };
      const next = await world.load();
      const name = `${kind || 'all files'}, ${shape}`;
      // Read again, once for each model that is found to be damaged, past the CDN.
      cases.push({ name, expects: 'right', load, next, says, budget: 4 * clean.cold, cache });
    }
  }
  return cases;
}

/** Where a process ends: at a request, or at a write to the cache. */
const DEATHS: readonly (Death | { readonly request: number })[] = [
  { request: 2 },
  { request: 6 },
  { write: 2, isDone: false },
  { write: 3, isDone: true },
];

/** A process ends in the middle of a load. */
async function killed(lab: Lab): Promise<Case[]> {
  const cases: Case[] = [];
  const clean = await lab.clean('changes');
  const world = lab.world({ concurrency: SHAPES.changes });
  await world.load();
  for (const death of DEATHS) {
    const known = await world.truth();
    for (let days = 0; days < 2; days++) world.change();
    const child = await startChild(world, 'write' in death ? death : undefined);
    const kill = { name: 'the end', spoil: () => void child.kill('SIGKILL') };
    world.guest.choose = ({ n }) => ('request' in death && n === death.request ? kill : undefined);
    const load = await world.watch(new MutableDataStore(), () => loadIn(child, world.clock.now()));
    world.guest.choose = undefined;
    const cache = { known, now: await world.cached() };
    const next = await world.load();
    const name = JSON.stringify(death);
    cases.push({ name, expects: 'fails', load, next, says: /SIGKILL/, budget: clean.warm, cache });
  }
  return cases;
}

/** Two processes with one cache load at the same time. */
async function twoBuilds(lab: Lab): Promise<Case[]> {
  const cases: Case[] = [];
  const world = lab.world({ concurrency: SHAPES.changes });
  const clean = await lab.clean('changes');
  const children = await Promise.all([startChild(world), startChild(world)]);
  try {
    for (let round = 1; round <= 5; round++) {
      const known = round === 1 ? undefined : await world.truth();
      world.change();
      const stores = await Promise.all(
        children.map(async (child) => {
          const { store, error, lines } = await loadIn(child, world.clock.now());
          return { store: await MutableDataStore.fromString(store), error, lines };
        }),
      );
      const arrivals = [...world.guest.arrivals];
      const cache = { known, now: await world.cached() };
      const next = await world.load();
      for (const { store, error, lines } of stores) {
        const load = await world.watch(store, async (say) => {
          for (const line of lines) say(line);
          if (error) throw new Error(error);
        });
        const budget = 2 * (round === 1 ? clean.cold : clean.warm) + 8;
        cases.push({
          name: `round ${round}`,
          expects: 'right',
          load: { ...load, arrivals },
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
    cases: (lab) =>
      badDisk(lab, {
        always: { code: 'ENOSPC', reads: false, from: 1, times: Number.POSITIVE_INFINITY },
        'after one write': { code: 'ENOSPC', reads: false, from: 2, times: Number.POSITIVE_INFINITY },
        once: { code: 'ENOSPC', reads: false, from: 1, times: 1 },
      }),
  },
  {
    name: 'no permission',
    cases: (lab) =>
      badDisk(lab, {
        'to read or write': { code: 'EACCES', reads: true, from: 1, times: Number.POSITIVE_INFINITY },
        'to write': { code: 'EROFS', reads: false, from: 1, times: Number.POSITIVE_INFINITY },
      }),
  },
  { name: 'torn cache', cases: (lab) => badFiles(lab, (bytes) => bytes.subarray(0, bytes.length >> 1)) },
  {
    name: 'flipped cache',
    cases: (lab) =>
      badFiles(lab, (bytes) => {
        flip(bytes, bytes.length >> 1);
        return bytes;
      }),
  },
  { name: 'killed process', cases: killed },
  {
    name: 'two builds',
    cases: twoBuilds,
    without: { 'it says so': 'nothing goes wrong that anybody would have to know of' },
  },
];
