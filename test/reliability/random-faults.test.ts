import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { randomRuns } from '../support/random-runs.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { failingStorage, type StorageFault } from './failing-storage.ts';
import { FAULT_HANDLERS } from './fault-handlers.ts';
import type { Expectation, Trial } from './fault-runner.ts';
import { type FaultyProxy, startProxy } from './faulty-proxy.ts';
import { GUARANTEES } from './guarantees.ts';
import { chooseRandomFaults } from './random-faults.ts';
import { type Load, TestSetup } from './test-setup.ts';

const LOADS = randomRuns(60);
/** Fixed, so that every run has the same faults; `npm run test:long` uses new ones. */
const SEED = Number(process.env.LUID_SEED ?? 20_261_115);
const LOADS_PER_SITE = 20;
const MINUTE = 60_000;

let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startProxy();
  // The delays of retries, too, are the same in every run.
  const random = seededRandom(SEED);
  vi.spyOn(Math, 'random').mockImplementation(() => random(2 ** 31) / 2 ** 31);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await proxy.close();
});

test(`no silent error in ${LOADS} loads of which every fifth request fails`, {
  timeout: 3_600_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${LOADS} repeats these loads`);
  const outcomes = { right: 0, failed: 0, 'last good': 0, older: 0 };
  for (let first = 0; first < LOADS; first += LOADS_PER_SITE) {
    await runSite(`${SEED} ${first}`, Math.min(LOADS_PER_SITE, LOADS - first), outcomes);
  }
  console.log(JSON.stringify(outcomes));
  // Every kind of result must occur.
  if (LOADS >= 200) expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
});

/** The loads of one site, with edits in between and random faults. */
async function runSite(seed: string, loads: number, outcomes: Record<string, number>): Promise<void> {
  const random = seededRandom(seed);
  const onError = random(3) === 0 ? 'stale' : 'fail';
  let bad: StorageFault | undefined;
  const setup = new TestSetup(proxy, {
    concurrency: random(2) === 0 ? 2 : 16,
    retries: [0, 1, 5][random(3)] ?? 5,
    onError,
    storage: (folder) => failingStorage(folder, () => bad),
  });
  setup.service.assumptions = { ...setup.service.assumptions, purgeDelay: MINUTE, purgeReach: 'some' };
  try {
    for (let n = 0; n < loads; n++) {
      for (let edits = random(4); edits > 0; edits--) edit(setup, random, n);
      // `stale` needs a cache that could be written.
      if (onError === 'fail' && random(5) === 0) {
        bad = { code: 'ENOSPC', reads: random(4) === 0, from: 1 + random(3), times: 1 + random(3) };
      }
      setup.proxyClient.choose =
        random(6) === 0 ? undefined : chooseRandomFaults(`${seed} ${n}`, FAULT_HANDLERS);
      const load = await setup.load();
      bad = undefined;
      const trial = { name: `load ${n} of site ${seed}`, expects: expectation(load), load, budget: 300 };
      check(trial);
      outcomes[KINDS[trial.expects]] = (outcomes[KINDS[trial.expects]] ?? 0) + 1;
    }
    setup.proxyClient.choose = undefined;
    setup.clock.advance(2 * MINUTE);
    const load = await setup.load();
    check({ name: `the load without faults of site ${seed}`, expects: 'right', load, budget: 60 });
  } finally {
    setup.remove();
  }
}

const KINDS = {
  right: 'right',
  fails: 'failed',
  'last good': 'last good',
  'right or older': 'older',
  'right or fails': 'right',
} as const satisfies Record<Expectation, string>;

/** The expected result of a load, by its log and the faults of its requests. */
function expectation({ error, lines, requests }: Load): Expectation {
  if (error !== undefined) return 'fails';
  if (lines.some(({ text }) => text.includes('using cached content'))) return 'last good';
  return requests.some(({ fault }) => fault === 'stale') ? 'right or older' : 'right';
}

function check(trial: Trial): void {
  for (const guarantee of GUARANTEES) {
    try {
      guarantee.check(trial);
    } catch (error) {
      const faults = trial.load.requests.map(({ url, fault }) => `${fault ?? 'no fault'} ${url}`).join('\n');
      throw new Error(`${trial.name}: ${guarantee.name}: ${(error as Error).message}\n${faults}`, {
        cause: error,
      });
    }
  }
}

const PAUSES_BETWEEN_EDITS = [0, 400, 5_000, 2 * MINUTE];

function edit(setup: TestSetup, random: SeededRandom, n: number): void {
  setup.clock.advance(PAUSES_BETWEEN_EDITS[random(4)] ?? 0);
  const id = random(4) === 0 ? 1 + random(20) : 101 + random(106);
  const isAuthor = id <= 20;
  const what = random(6);
  setup.edit((contents) => {
    if (contents.get(id).archived) {
      contents.restore(id);
      setup.removedIds.delete(id);
    } else if (what === 0) {
      contents.archive(id);
      setup.removedIds.add(id);
    } else if (what === 1) {
      contents.create({ model: 'article', published: { ja: { title: `new ${n}`, author: 1 + random(20) } } });
    } else if (isAuthor) contents.edit(id, { name: `author ${n} ${random(1000)}`, mentor: 1 + random(20) });
    else
      contents.edit(id, {
        title: `title ${n}`,
        author: 1 + random(20),
        related: [{ article: 101 + random(106) }],
      });
  });
}
