import type { Fault } from './fault.ts';
import { type Case, type Expectation, halfOf, type Lab, SHAPES, type Shape, type Trial } from './lab.ts';
import type { Exchange } from './proxy.ts';
import * as spoils from './spoils.ts';
import type { World } from './world.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const shapes = Object.keys(SHAPES) as Shape[];

/** A point of presence shows what was, until a purge reaches it an hour later. */
async function staleCdn(lab: Lab): Promise<Case[]> {
  const name = 'stale CDN';
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await lab.clean(shape);
    for (const [which, pick] of Object.entries(WHICH)) {
      const world = lab.world({ concurrency: SHAPES[shape] });
      const far = { name, spoil: spoils.stale };
      world.service.assumptions = { ...world.service.assumptions, purgeDelay: HOUR, purgeReach: 'some' };
      const under = async (at: 'cold' | 'warm', expects: Expectation) => {
        world.change();
        const matches = pick();
        world.guest.choose = (exchange) => (matches(exchange) ? far : undefined);
        const load = await world.load();
        world.guest.choose = undefined;
        world.clock.advance(2 * HOUR);
        const next = await world.load();
        cases.push({ name: `${which}, ${at}, ${shape}`, expects, load, next, budget: 4 * clean.cold });
      };
      // Copies of all that a load asks for, here and there.
      world.guest.choose = () => far;
      await world.load();
      world.guest.choose = undefined;
      world.forget();
      await world.load();
      await under('warm', 'right or older');
      world.guest.choose = () => far;
      await world.load();
      world.forget();
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

/** Content that is stamped with another time than the one it has, or a clock here that is wrong. */
async function wrongTimes(lab: Lab, by: number): Promise<Case[]> {
  const cases: Case[] = [];
  const load = async (world: World, name: string) => {
    const under = await world.load();
    world.change();
    const next = await world.load();
    cases.push({ name, expects: 'right', load: under, next, budget: 10 * (await lab.clean('changes')).cold });
  };
  if (by < 0) cases.push(await editInThePast(lab, by));
  for (const shape of shapes) {
    const stamped = lab.world({ concurrency: SHAPES[shape] });
    for (const at of ['cold', 'warm']) {
      stamped.ahead = by;
      stamped.edit((contents) => {
        contents.create({ model: 'article', published: { ja: { title: `stamped ${at}`, author: 5 } } });
        if (by > 0) contents.edit(1, { name: `stamped ${at}` });
      });
      stamped.ahead = 0;
      stamped.change();
      await load(stamped, `one item, ${at}, ${shape}`);
    }
    const skewed = lab.world({ concurrency: SHAPES[shape] });
    skewed.skew = -by;
    skewed.change();
    await load(skewed, `the clock here, cold, ${shape}`);
    skewed.change();
    await load(skewed, `the clock here, warm, ${shape}`);
  }
  return cases;
}

/** An edit of which the newest items show nothing is seen when all is read again, a day later. */
async function editInThePast(lab: Lab, by: number): Promise<Case> {
  const world = lab.world({ concurrency: SHAPES.changes });
  await world.load();
  world.ahead = by;
  world.edit((contents) => contents.edit(1, { name: 'stamped' }));
  world.ahead = 0;
  world.change();
  const load = await world.load();
  world.clock.advance(25 * HOUR);
  const next = await world.load();
  const { cold } = await lab.clean('changes');
  return { name: 'an edit, warm, changes', expects: 'right or older', load, next, budget: 10 * cold };
}

/** The key is good for some requests, and then no more. */
async function unauthorized(lab: Lab): Promise<Case[]> {
  const fault = { name: '401 midway', spoil: spoils.refuse(401) };
  const says = /401 .*→ The key is missing or wrong: check LUID_API_KEY/s;
  const cases: Case[] = [];
  for (const shape of shapes) {
    const clean = await lab.clean(shape);
    const world = lab.world({ concurrency: SHAPES[shape] });
    for (const at of ['cold', 'warm'] as const) {
      const loads: Trial[] = [];
      for (const from of [1, 2, 3]) {
        for (const when of ['once', 'always'] as const) {
          for (const onError of ['fail', 'stale'] as const) {
            if (onError === 'stale' && at === 'cold') continue;
            world.onError = onError;
            world.guest.choose = ({ n }) => ((when === 'once' ? n === from : n >= from) ? fault : undefined);
            const load = await world.load();
            world.guest.choose = undefined;
            const expects = onError === 'stale' ? 'last good' : 'fails';
            const name = `${when}, at request ${from}, ${at}, ${shape}, ${onError}`;
            loads.push({ name, expects, load, says, budget: clean[at] });
          }
        }
      }
      world.onError = 'fail';
      const next = await world.load();
      cases.push(...loads.map((one) => ({ ...one, next })));
      world.change();
    }
  }
  return cases;
}

const UNNOTICED = {
  'a failed load changes nothing': 'no load fails by it',
  'it says so': 'it is nothing that anybody could mend',
} as const;

/** What the service does that no single answer shows. */
export const SERVICE_FAULTS: readonly Fault[] = [
  { name: 'stale CDN', cases: staleCdn, without: UNNOTICED },
  { name: 'time in the future', cases: (lab) => wrongTimes(lab, 5 * YEAR), without: UNNOTICED },
  { name: 'time in the past', cases: (lab) => wrongTimes(lab, -5 * YEAR), without: UNNOTICED },
  { name: '401 midway', cases: unauthorized },
];
