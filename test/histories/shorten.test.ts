import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';
import type { History, Setup, Step } from './steps.ts';

const setup = {
  start: { size: 300, perSecond: 1, subSpaces: true, draftEvery: 9, onlyEnglishEvery: 20 },
  sites: [],
  assumptions: { tieOrder: 'shuffled', purgeDelay: 2000 },
  concurrency: 2,
  bareHeaders: true,
  skew: 90_000,
} as Setup;
const waits = (...all: number[]): Step[] => all.map((ms) => ({ kind: 'wait', ms }));
const lengths = ({ steps }: History) => steps.map((step) => (step.kind === 'wait' ? step.ms : 0));

it('keeps only the steps and settings that are needed for the failure', async () => {
  const attempt = async (history: History) => {
    const has = (ms: number) => lengths(history).includes(ms);
    return has(3) && has(7) && history.setup.assumptions.purgeDelay ? new Error('wrong') : undefined;
  };
  const short = await shorten({ setup, steps: waits(1, 2, 3, 4, 5, 6, 7, 8) }, new Error('wrong'), attempt);
  expect(lengths(short.history)).toEqual([3, 7]);
  expect(short.history.setup).toMatchObject({
    assumptions: { purgeDelay: 2000 },
    start: { size: 40, subSpaces: false },
    bareHeaders: false,
    skew: 0,
  });
  expect(short.history.setup.assumptions).not.toHaveProperty('tieOrder');
});

it('ignores histories that fail with another error', async () => {
  const attempt = async (history: History) => new Error(history.steps.length === 3 ? 'wrong' : 'other');
  const short = await shorten({ setup, steps: waits(1, 2, 3) }, new Error('wrong'), attempt);
  expect(lengths(short.history)).toEqual([1, 2, 3]);
});
