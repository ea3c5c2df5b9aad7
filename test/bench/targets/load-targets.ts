import { CASES, type Case, type CaseName } from '../peers/cases.ts';
import { type Load, type Measurement, openMeasurement, type Setup } from '../peers/measure.ts';
import { expectCorrect } from './expect-correct.ts';
import type { TargetProfile } from './profiles-section.ts';
import {
  describeUsage,
  judge,
  median,
  megabytes,
  milliseconds,
  ratios,
  type TargetBenchmark,
  times,
} from './target.ts';

const AUTHORS_OF_200 = (size: number) => size / 200;
const MANY_MINUTES = 15 * 60_000;

const findCase = (name: CaseName) => CASES.find((candidate) => candidate.name === name) as Case;
const COLD = findCase('cold');
const UNCHANGED = findCase('nothing changed');
const EDIT = findCase('one edit');
const DELETION = findCase('one deletion');
const RENAME = findCase('referenced entry edited');

const of = (key: 'ms' | 'peak' | 'requests', loads: readonly Load[]) => loads.map((load) => load[key]);
/** Without the calls of Astro's store. */
const ownWork = (loads: readonly Load[]) => loads.map(({ ms, storeMs }) => ms - storeMs);
const describe = (name: string, loads: readonly Load[]) =>
  `${describeUsage(name, loads)}, of it ${milliseconds(median(loads.map(({ storeMs }) => storeMs)))} in Astro’s store`;

/**
 * Runs cases in turn, round by round, so that what else the machine does affects all of them. The setups stay open;
 * each case of a setup has its own list of loads.
 */
async function inRounds<const P extends readonly (readonly [Setup, ...Case[]])[]>(
  rounds: number,
  plan: P,
): Promise<{ [Index in keyof P]: Load[][] }> {
  const measurements: Measurement[] = [];
  try {
    for (const [setup, ...cases] of plan) {
      const measurement = await openMeasurement(setup);
      measurements.push(measurement);
      if (!cases[0]?.cold) await expectCorrect(measurement, COLD);
    }
    const results = plan.map(([, ...cases]) => cases.map((): Load[] => []));
    for (let round = 0; round < rounds; round++) {
      for (const [index, [, ...cases]] of plan.entries()) {
        for (const [at, current] of cases.entries()) {
          const load = await expectCorrect(measurements[index] as Measurement, current);
          results[index]?.[at]?.push(load);
        }
      }
    }
    return results as { [Index in keyof P]: Load[][] };
  } finally {
    for (const measurement of measurements) measurement.close();
  }
}

const ours = (size: number, latency: number): Setup => ({ peer: 'astro-luid', size, latency });

const rename: TargetBenchmark = {
  name: 'rename',
  async run(rounds) {
    const withAuthors = (size: number) => ({ ...ours(size, 0), authors: AUTHORS_OF_200(size) });
    const [[few = []], [many = []]] = await inRounds(rounds, [
      [withAuthors(10_000), RENAME],
      [withAuthors(100_000), RENAME],
    ]);
    return [
      judge({
        what: 'the author of 200 articles renamed: own work with 100,000 entries compared with 10,000',
        values: ratios(ownWork(many), ownWork(few)),
        limit: 1.8,
        format: times,
        figures: `${describe('100,000', many)}; ${describe('10,000', few)}`,
      }),
    ];
  },
};

const deletion: TargetBenchmark = {
  name: 'deletion',
  async run(rounds) {
    const [[deleted = []]] = await inRounds(rounds, [[ours(10_000, 50), DELETION]]);
    const figures = describe('one deletion', deleted);
    return [
      judge({
        what: 'one deletion, 10,000 entries at 50 ms',
        values: of('ms', deleted),
        limit: 400,
        format: milliseconds,
        figures,
      }),
      judge({
        what: 'one deletion, 10,000 entries: requests',
        values: of('requests', deleted),
        limit: 16,
        format: String,
        figures,
      }),
    ];
  },
};

const memory: TargetBenchmark = {
  name: 'memory',
  async run(rounds) {
    const [[luid = []]] = await inRounds(rounds, [[{ ...ours(100_000, 0), timeout: MANY_MINUTES }, COLD]]);
    return [
      judge({
        what: 'cold, 100,000 entries: peak memory',
        values: of('peak', luid),
        limit: 600e6,
        format: megabytes,
        figures: describe('astro-luid', luid),
      }),
    ];
  },
};

const SMALL_HEAP = 2048;

/** Once: it either completes or does not. */
const smallHeap: TargetBenchmark = {
  name: 'small-heap',
  async run() {
    const what = 'cold, 250,000 entries in a heap of 2 GB';
    const setup = { ...ours(250_000, 0), heap: SMALL_HEAP, timeout: MANY_MINUTES };
    try {
      const [[luid = []]] = await inRounds(1, [[setup, COLD]]);
      const figures = describe('astro-luid', luid);
      return [{ what, measured: 'completes', target: 'completes', isMet: true, rounds: 1, figures }];
    } catch (error) {
      const [figures = ''] = (error as Error).message.split('\n');
      return [{ what, measured: 'fails', target: 'completes', isMet: false, rounds: 1, figures }];
    }
  },
};

export const LOAD_TARGETS: readonly TargetBenchmark[] = [rename, deletion, memory, smallHeap];

/** Profiles the loads that the targets measure: one of each. */
export async function profileLoads(): Promise<TargetProfile[]> {
  const profiled: [string, Setup, Case][] = [
    ['nothing changed, 200', ours(200, 0), UNCHANGED],
    ['one edit, 200', ours(200, 0), EDIT],
    ['cold, 200', ours(200, 0), COLD],
    ['nothing changed, 1,000', ours(1_000, 0), UNCHANGED],
    ['one edit, 1,000', ours(1_000, 0), EDIT],
    ['cold, 1,000', ours(1_000, 0), COLD],
    ['one edit, 10,000', ours(10_000, 0), EDIT],
    ['one edit, 100,000', ours(100_000, 0), EDIT],
    ['author of 200 renamed, 100,000', { ...ours(100_000, 0), authors: AUTHORS_OF_200(100_000) }, RENAME],
    ['one deletion, 10,000 at 50 ms', ours(10_000, 50), DELETION],
    ['cold, 10,000 at 50 ms', ours(10_000, 50), COLD],
    ['cold, 100,000', { ...ours(100_000, 0), timeout: MANY_MINUTES }, COLD],
  ];
  const profiles: TargetProfile[] = [];
  for (const [what, setup, current] of profiled) {
    const [[[load] = []]] = await inRounds(1, [[{ ...setup, isProfiled: true }, current]]);
    if (load?.profile) profiles.push({ what, ms: load.ms, ...load.profile });
  }
  return profiles;
}
