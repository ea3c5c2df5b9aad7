import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Chance, chanceFrom, faultsByChance } from './chance.ts';
import type { Expectation, Trial } from './lab.ts';
import { PROMISES } from './promises.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { SPOILS } from './spoils.ts';
import { type Failing, failing } from './storage.ts';
import { type Load, World } from './world.ts';

const LOADS = Number(process.env.LUID_RUNS ?? 200);
/** The same faults for every change; `npm run test:long` looks for new ones. */
const SEED = Number(process.env.LUID_SEED ?? 20_261_115);
const LOADS_IN_A_LIFE = 20;
const MINUTE = 60_000;

let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startProxy();
  // Waits before a request is sent again, too, are the same in every run.
  const chance = chanceFrom(SEED);
  vi.spyOn(Math, 'random').mockImplementation(() => chance(2 ** 31) / 2 ** 31);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await proxy.close();
});

test(`no silent error in ${LOADS} loads of which every fifth request fails`, {
  timeout: 3_600_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${LOADS} makes these loads again`);
  const outcomes = { right: 0, failed: 0, 'last good': 0, older: 0 };
  for (let first = 0; first < LOADS; first += LOADS_IN_A_LIFE) {
    await live(`${SEED} ${first}`, Math.min(LOADS_IN_A_LIFE, LOADS - first), outcomes);
  }
  console.log(JSON.stringify(outcomes));
  // Each kind of end is met, or this proves less than it says.
  if (LOADS >= 200) expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
});

/** A site's builds while editors work and everything fails. */
async function live(seed: string, loads: number, outcomes: Record<string, number>): Promise<void> {
  const chance = chanceFrom(seed);
  const onError = chance(3) === 0 ? 'stale' : 'fail';
  let bad: Failing | undefined;
  const world = new World(proxy, {
    concurrency: chance(2) === 0 ? 2 : 16,
    retries: [0, 1, 5][chance(3)] ?? 5,
    onError,
    storage: (folder) => failing(folder, () => bad),
  });
  world.service.assumptions = { ...world.service.assumptions, purgeDelay: MINUTE, purgeReach: 'some' };
  try {
    for (let n = 0; n < loads; n++) {
      for (let edits = chance(4); edits > 0; edits--) edit(world, chance, n);
      // Where using cached content, it is that of a cache that could be written.
      if (onError === 'fail' && chance(5) === 0) {
        bad = { code: 'ENOSPC', reads: chance(4) === 0, from: 1 + chance(3), times: 1 + chance(3) };
      }
      world.guest.choose = chance(6) === 0 ? undefined : faultsByChance(`${seed} ${n}`, SPOILS);
      const load = await world.load();
      bad = undefined;
      const trial = { name: `load ${n} of life ${seed}`, expects: expectation(load), load, budget: 300 };
      check(trial);
      outcomes[KINDS[trial.expects]] = (outcomes[KINDS[trial.expects]] ?? 0) + 1;
    }
    world.guest.choose = undefined;
    world.clock.advance(2 * MINUTE);
    const load = await world.load();
    check({ name: `the quiet end of life ${seed}`, expects: 'right', load, budget: 60 });
  } finally {
    world.remove();
  }
}

const KINDS = {
  right: 'right',
  fails: 'failed',
  'last good': 'last good',
  'right or older': 'older',
  'right or fails': 'right',
} as const satisfies Record<Expectation, string>;

/** What a load must have come to, from what it says and what happened to its requests. */
function expectation({ error, lines, arrivals }: Load): Expectation {
  if (error !== undefined) return 'fails';
  if (lines.some(({ text }) => text.includes('using cached content'))) return 'last good';
  return arrivals.some(({ fault }) => fault === 'stale') ? 'right or older' : 'right';
}

function check(trial: Trial): void {
  for (const promise of PROMISES) {
    try {
      promise.check(trial);
    } catch (error) {
      const faults = trial.load.arrivals.map(({ url, fault }) => `${fault ?? 'answered'} ${url}`).join('\n');
      throw new Error(`${trial.name}: ${promise.name}: ${(error as Error).message}\n${faults}`, {
        cause: error,
      });
    }
  }
}

const LONGEST_REST = [0, 400, 5_000, 2 * MINUTE];

function edit(world: World, chance: Chance, n: number): void {
  world.clock.advance(LONGEST_REST[chance(4)] ?? 0);
  const id = chance(4) === 0 ? 1 + chance(20) : 101 + chance(106);
  const isAuthor = id <= 20;
  const what = chance(6);
  world.edit((contents) => {
    if (contents.get(id).archived) {
      contents.restore(id);
      world.gone.delete(id);
    } else if (what === 0) {
      contents.archive(id);
      world.gone.add(id);
    } else if (what === 1) {
      contents.create({ model: 'article', published: { ja: { title: `new ${n}`, author: 1 + chance(20) } } });
    } else if (isAuthor) contents.edit(id, { name: `author ${n} ${chance(1000)}`, mentor: 1 + chance(20) });
    else
      contents.edit(id, {
        title: `title ${n}`,
        author: 1 + chance(20),
        related: [{ article: 101 + chance(106) }],
      });
  });
}
