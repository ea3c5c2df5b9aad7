import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';
import type { History, Step, World } from './steps.ts';

const world = {
  start: { size: 300, perSecond: 1, subSpaces: true, draftEvery: 9 },
  sites: [],
  assumptions: { tieOrder: 'shuffled', purgeDelay: 2000 },
  concurrency: 2,
  bareHeaders: true,
  skew: 90_000,
} as World;
const waits = (...all: number[]): Step[] => all.map((ms) => ({ kind: 'wait', ms }));
const lengths = ({ steps }: History) => steps.map((step) => (step.kind === 'wait' ? step.ms : 0));

it('leaves the steps and settings that a failure needs', async () => {
  const attempt = async (history: History) => {
    const has = (ms: number) => lengths(history).includes(ms);
    return has(3) && has(7) && history.world.assumptions.purgeDelay ? new Error('wrong') : undefined;
  };
  const short = await shorten({ world, steps: waits(1, 2, 3, 4, 5, 6, 7, 8) }, new Error('wrong'), attempt);
  expect(lengths(short.history)).toEqual([3, 7]);
  expect(short.history.world).toMatchObject({
    assumptions: { purgeDelay: 2000 },
    start: { size: 40, subSpaces: false },
    bareHeaders: false,
    skew: 0,
  });
  expect(short.history.world.assumptions).not.toHaveProperty('tieOrder');
});

it('does not follow another error', async () => {
  const attempt = async (history: History) => new Error(history.steps.length === 3 ? 'wrong' : 'other');
  const short = await shorten({ world, steps: waits(1, 2, 3) }, new Error('wrong'), attempt);
  expect(lengths(short.history)).toEqual([1, 2, 3]);
});
