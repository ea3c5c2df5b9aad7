import type { Fault } from './fault.ts';
import * as handlers from './fault-handlers.ts';
import {
  type Case,
  type Expectation,
  type FaultRunner,
  halfOf,
  SHAPES,
  type Shape,
  type Trial,
} from './fault-runner.ts';
import type { Exchange } from './faulty-proxy.ts';
import type { TestSetup } from './test-setup.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const shapes = Object.keys(SHAPES) as Shape[];

/** A CDN location serves old content until it is purged an hour later. */
async function staleCdn(runner: FaultRunner): Promise<Case[]> {
  const name = 'stale CDN';
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    for (const [which, pick] of Object.entries(WHICH)) {
      const setup = runner.createSetup({ concurrency: SHAPES[shape] });
      const far = { name, handler: handlers.stale };
      setup.service.assumptions = { ...setup.service.assumptions, purgeDelay: HOUR, purgeReach: 'some' };
      const under = async (at: 'cold' | 'warm', expects: Expectation) => {
        setup.makeEdits();
        const matches = pick();
        setup.proxyClient.choose = (exchange) => (matches(exchange) ? far : undefined);
        const load = await setup.load();
        setup.proxyClient.choose = undefined;
        setup.clock.advance(2 * HOUR);
        const next = await setup.load();
        cases.push({ name: `${which}, ${at}, ${shape}`, expects, load, next, budget: 4 * clean.cold });
      };
      // Both locations cache every response of a load.
      setup.proxyClient.choose = () => far;
      await setup.load();
      setup.proxyClient.choose = undefined;
      setup.clearStoreAndCache();
      await setup.load();
      await under('warm', 'right or older');
      setup.proxyClient.choose = () => far;
      await setup.load();
      setup.clearStoreAndCache();
      await under('cold', 'right');
    }
  }
  return cases;
}

const WHICH: Record<string, () => (exchange: Exchange) => boolean> = {
  all: () => () => true,
  'one half, once': () => halfOf(0),
  'the other half, once': () => halfOf(1),
};

/** Content with a wrong time, or a wrong local clock. */
async function wrongTimes(runner: FaultRunner, by: number): Promise<Case[]> {
  const cases: Case[] = [];
  const load = async (setup: TestSetup, name: string) => {
    const under = await setup.load();
    setup.makeEdits();
    const next = await setup.load();
    cases.push({
      name,
      expects: 'right',
      load: under,
      next,
      budget: 10 * (await runner.clean('changes')).cold,
    });
  };
  if (by < 0) cases.push(await editInThePast(runner, by));
  for (const shape of shapes) {
    const stamped = runner.createSetup({ concurrency: SHAPES[shape] });
    for (const at of ['cold', 'warm']) {
      stamped.serviceClockOffset = by;
      stamped.edit((contents) => {
        contents.create({ model: 'article', published: { ja: { title: `stamped ${at}`, author: 5 } } });
        if (by > 0) contents.edit(1, { name: `stamped ${at}` });
      });
      stamped.serviceClockOffset = 0;
      stamped.makeEdits();
      await load(stamped, `one item, ${at}, ${shape}`);
    }
    const offset = runner.createSetup({ concurrency: SHAPES[shape] });
    offset.localClockOffset = -by;
    offset.makeEdits();
    await load(offset, `local clock, cold, ${shape}`);
    offset.makeEdits();
    await load(offset, `local clock, warm, ${shape}`);
  }
  return cases;
}

/** An edit that the newest items do not show is found by the full sync a day later. */
async function editInThePast(runner: FaultRunner, by: number): Promise<Case> {
  const setup = runner.createSetup({ concurrency: SHAPES.changes });
  await setup.load();
  setup.serviceClockOffset = by;
  setup.edit((contents) => contents.edit(1, { name: 'stamped' }));
  setup.serviceClockOffset = 0;
  setup.makeEdits();
  const load = await setup.load();
  setup.clock.advance(25 * HOUR);
  const next = await setup.load();
  const { cold } = await runner.clean('changes');
  return { name: 'an edit, warm, changes', expects: 'right or older', load, next, budget: 10 * cold };
}

/** The key is rejected after some requests. */
async function unauthorized(runner: FaultRunner): Promise<Case[]> {
  const fault = { name: '401 midway', handler: handlers.refuse(401) };
  const expectedLog = /401 .*→ The key is missing or wrong: check LUID_API_KEY/s;
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    const setup = runner.createSetup({ concurrency: SHAPES[shape] });
    for (const at of ['cold', 'warm'] as const) {
      const loads: Trial[] = [];
      for (const from of [1, 2, 3]) {
        for (const when of ['once', 'always'] as const) {
          for (const onError of ['fail', 'stale'] as const) {
            if (onError === 'stale' && at === 'cold') continue;
            setup.onError = onError;
            setup.proxyClient.choose = ({ n }) =>
              (when === 'once' ? n === from : n >= from) ? fault : undefined;
            const load = await setup.load();
            setup.proxyClient.choose = undefined;
            const expects = onError === 'stale' ? 'last good' : 'fails';
            const name = `${when}, at request ${from}, ${at}, ${shape}, ${onError}`;
            loads.push({ name, expects, load, expectedLog, budget: clean[at] });
          }
        }
      }
      setup.onError = 'fail';
      const next = await setup.load();
      cases.push(...loads.map((one) => ({ ...one, next })));
      setup.makeEdits();
    }
  }
  return cases;
}

const NOT_APPLICABLE = {
  'a failed load changes nothing': 'it makes no load fail',
  'the problem is reported': 'there is nothing that a user could do',
} as const;

/** Faults of the service that span several responses. */
export const SERVICE_FAULTS: readonly Fault[] = [
  { name: 'stale CDN', cases: staleCdn, without: NOT_APPLICABLE },
  { name: 'time in the future', cases: (runner) => wrongTimes(runner, 5 * YEAR), without: NOT_APPLICABLE },
  { name: 'time in the past', cases: (runner) => wrongTimes(runner, -5 * YEAR), without: NOT_APPLICABLE },
  { name: '401 midway', cases: unauthorized },
];
