import { CASES, type Case, type CaseName } from '../peers/cases.ts';
import { isCorrect } from '../peers/load-table.ts';
import { type Load, type Measurement, openMeasurement, type Setup } from '../peers/measure.ts';
import { MINIMAL } from '../peers/peer.ts';
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

const STORYBLOK = 'astro-loader-storyblok';
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

/** The time of a wrong result means nothing. */
async function expectCorrect(measurement: Measurement, current: Case): Promise<Load> {
  const load = await measurement.run(current);
  if (load.ended === 'completed' && isCorrect(load)) return load;
  const { peer, size, ended, error, comparison } = load;
  throw new Error(
    `${peer}, ${size} entries, ${current.name}: ${ended} ${error ?? ''} ${JSON.stringify(comparison)}`,
  );
}

const ours = (size: number, latency: number): Setup => ({ peer: 'astro-luid', size, latency });

const edit: TargetBenchmark = {
  name: 'edit',
  async run(rounds) {
    const [[unchanged = [], edited = []]] = await inRounds(rounds, [[ours(10_000, 0), UNCHANGED, EDIT]]);
    const figures = `${describe('one edit', edited)}; ${describe('nothing changed', unchanged)}`;
    const more = of('peak', edited).map((peak, round) => peak - (unchanged[round] as Load).peak);
    return [
      judge({
        what: 'one edit, 10,000 entries: time compared with nothing changed',
        values: ratios(of('ms', edited), of('ms', unchanged)),
        limit: 2,
        format: times,
        figures,
      }),
      judge({
        what: 'one edit, 10,000 entries: memory above nothing changed',
        values: more,
        limit: 25e6,
        format: megabytes,
        figures,
      }),
    ];
  },
};

const editGrowth: TargetBenchmark = {
  name: 'edit-growth',
  async run(rounds) {
    const [[few = []], [many = []]] = await inRounds(rounds, [
      [ours(10_000, 0), EDIT],
      [ours(100_000, 0), EDIT],
    ]);
    return [
      judge({
        what: 'one edit: own work with 100,000 entries compared with 10,000',
        values: ratios(ownWork(many), ownWork(few)),
        limit: 1.5,
        format: times,
        figures: `${describe('100,000', many)}; ${describe('10,000', few)}`,
      }),
    ];
  },
};

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
        limit: 1.5,
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

const cold: TargetBenchmark = {
  name: 'cold',
  async run(rounds) {
    const [[luid = []], [minimal = []], [storyblok = []]] = await inRounds(rounds, [
      [ours(10_000, 50), COLD],
      [{ ...ours(10_000, 50), peer: MINIMAL }, COLD],
      [{ ...ours(10_000, 50), peer: STORYBLOK }, COLD],
    ]);
    const compared = (other: readonly Load[], name: string, limit: number) =>
      judge({
        what: `cold, 10,000 entries at 50 ms: time compared with ${name}`,
        values: ratios(of('ms', luid), of('ms', other)),
        limit,
        format: times,
        figures: `${describe('astro-luid', luid)}; ${describe(name, other)}`,
      });
    return [compared(minimal, 'the minimal loader', 1.25), compared(storyblok, STORYBLOK, 1)];
  },
};

const coldLarge: TargetBenchmark = {
  name: 'cold-large',
  async run(rounds) {
    const [[luid = []], [storyblok = []]] = await inRounds(rounds, [
      [{ ...ours(100_000, 0), timeout: MANY_MINUTES }, COLD],
      [{ ...ours(100_000, 0), timeout: MANY_MINUTES, peer: STORYBLOK }, COLD],
    ]);
    const figures = `${describe('astro-luid', luid)}; ${describe(STORYBLOK, storyblok)}`;
    return [
      judge({
        what: `cold, 100,000 entries: time compared with ${STORYBLOK}`,
        values: ratios(of('ms', luid), of('ms', storyblok)),
        limit: 1,
        format: times,
        figures,
      }),
      judge({
        what: 'cold, 100,000 entries: peak memory',
        values: of('peak', luid),
        limit: 600e6,
        format: megabytes,
        figures,
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

export const LOAD_TARGETS: readonly TargetBenchmark[] = [
  edit,
  editGrowth,
  rename,
  deletion,
  cold,
  coldLarge,
  smallHeap,
];

/** Profiles the loads that the targets measure: one of each. */
export async function profileLoads(): Promise<TargetProfile[]> {
  const profiled: [string, Setup, Case][] = [
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
