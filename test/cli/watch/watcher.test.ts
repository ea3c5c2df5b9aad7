import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { describe, expect, test } from 'vitest';
import { openWatchState } from '../../../src/cli/watch/watch-state.ts';
import { Watcher } from '../../../src/cli/watch/watcher.ts';
import {
  type Interval,
  MAX_AGE,
  type SimulationOptions,
  WatchSimulation,
} from '../support/watch-simulation.ts';

const MINUTE = 60_000;
const START = Date.UTC(2027, 0, 1);
const interval = (edits: readonly (() => void)[] = [], more: Partial<Interval> = {}): Interval => ({
  edits,
  editsDuringReads: [],
  outage: 'none',
  hook: 'ok',
  crash: undefined,
  ...more,
});

/** Runs a simulation of the given intervals, followed by quiet time. */
async function simulate(
  options: SimulationOptions,
  intervals: (simulation: WatchSimulation) => readonly Interval[],
  quietTime = 10 * MINUTE,
): Promise<WatchSimulation> {
  const simulation = new WatchSimulation(options);
  await simulation.open();
  try {
    await simulation.run(intervals(simulation), quietTime);
    return simulation;
  } finally {
    await simulation.close();
  }
}

describe('the hook is called', () => {
  test('once for several edits in a row, when the content has settled', async () => {
    const simulation = await simulate({ items: 20 }, ({ service: { contents } }) =>
      [2, 3, 4].map((id) => interval([() => contents.edit(id, { title: `new ${id}` })])),
    );
    expect(simulation).toMatchObject({ calls: 1, isDeployed: true, events: ['first', 'changed', 'fired'] });
  });

  test('not for a draft that is saved and discarded, which only changes `_updated_at` and `_status`', async () => {
    const simulation = await simulate({ items: 20 }, ({ service: { contents } }) => [
      interval([() => contents.saveDraft(2, { title: 'draft' })]),
      interval(),
      interval(),
      interval([() => contents.discardDraft(2)]),
    ]);
    expect(simulation).toMatchObject({ calls: 0, changes: 0, events: ['first'] });
  });

  test('for a saved draft, if the key reads drafts', async () => {
    const simulation = await simulate({ items: 20, drafts: true }, ({ service: { contents } }) => [
      interval([() => contents.saveDraft(2, { title: 'draft' })]),
    ]);
    expect(simulation).toMatchObject({ calls: 1, isDeployed: true });
  });

  test('when unchanged content is published again', async () => {
    const simulation = await simulate({ items: 20 }, ({ service: { contents } }) => [
      interval([() => contents.publish(2)]),
    ]);
    expect(simulation).toMatchObject({ calls: 1, isDeployed: true });
  });

  test('for a change that a slow CDN location shows later than the heads', async () => {
    const assumptions = { purgeDelay: 50_000, purgeReach: 'some' } as const;
    const simulation = await simulate(
      { items: 20, cdn: 'split', assumptions },
      ({ service: { contents } }) => [
        interval([() => contents.edit(2, { title: 'new' })]),
        ...Array.from({ length: 6 }, () => interval()),
        interval([() => contents.edit(2, { title: 'newer' })]),
      ],
    );
    expect(simulation).toMatchObject({ calls: 2, isDeployed: true });
  });

  test('again for a change that is undone after a call whose response got lost', async () => {
    const simulation = await simulate({ items: 20 }, ({ service: { contents } }) => [
      interval([() => contents.archive(3)], { hook: 'response lost' }),
      interval([], { hook: 'response lost' }),
      interval([() => contents.restore(3)]),
    ]);
    expect(simulation).toMatchObject({ calls: 2, isDeployed: true, unexpectedCalls: [] });
  });

  test('again in that case, even if the watcher was killed before the change was undone', async () => {
    const simulation = await simulate({ items: 20 }, ({ service: { contents } }) => [
      interval([() => contents.archive(3)], { hook: 'response lost' }),
      interval([], { hook: 'response lost' }),
      interval([], { crash: { after: 0, isDone: false } }),
      interval([() => contents.restore(3)]),
    ]);
    expect(simulation).toMatchObject({ killed: 1, calls: 2, isDeployed: true, unexpectedCalls: [] });
  });

  test('at the first start only with fireFirst', async () => {
    expect(await simulate({ items: 5 }, () => [])).toMatchObject({ calls: 0, events: ['first'] });
    const fired = await simulate({ items: 5, fireFirst: true }, () => [], 11 * MINUTE);
    expect(fired.events).toEqual(['first', 'fired']);
  });

  test('from time to time while content keeps changing', async () => {
    const simulation = await simulate({ items: 20 }, ({ service: { contents } }) =>
      Array.from({ length: 60 }, (_, n) => interval([() => contents.edit(2, { title: `new ${n}` })])),
    );
    expect(simulation.changes).toBe(60);
    expect(simulation.calls).toBeGreaterThan(2);
    expect(simulation.calls).toBeLessThan(10);
  });

  test('within `verify.maxAge` for changes that the heads do not show, such as an alt text', async () => {
    const simulation = await simulate(
      { items: 300, concurrency: 2 },
      ({ service: { contents, media } }) => [
        interval([() => contents.edit(1, { portrait: 9_000_001 })]),
        // From here on, the heads contain other items only.
        interval(Array.from({ length: 120 }, (_, n) => () => contents.edit(n + 20, {}))),
        ...Array.from({ length: 8 }, () => interval()),
        interval([() => media.setAlt(9_000_001, 'another')]),
      ],
      MAX_AGE + 10 * MINUTE,
    );
    expect(simulation).toMatchObject({ isDeployed: true, unexpectedCalls: [] });
    expect(simulation.hours).toBeGreaterThan(23);
  });

  test('again after a refusal, with growing pauses, and each refusal is reported', async () => {
    const simulation = await simulate(
      { items: 5 },
      ({ service: { contents } }) => [
        interval([() => contents.edit(2, { title: 'new' })], { hook: 'gone' }),
        ...Array.from({ length: 40 }, () => interval([], { hook: 'gone' })),
      ],
      70 * MINUTE,
    );
    const [first = ''] = simulation.failures;
    expect(first).toMatch(/the hook at 127\.0\.0\.1:\d+ responded with 404/);
    expect(first).not.toContain('secret');
    expect(simulation.failures.length).toBe(simulation.calls - 1);
    expect(simulation.calls).toBeLessThan(8);
    expect(simulation.isDeployed).toBe(true);
  });

  test('in time, if the clock of the system is set back while a change settles', async () => {
    let [time, content, calls] = [START, 'old', 0];
    const clock = { now: () => time, sleep: async () => {} };
    const { signal } = new AbortController();
    const storage = createStorage({ driver: memory() });
    const target = { target: 'hook', baseUrl: 'http://cms.test/v1', space: undefined, drafts: false };
    const watcher = new Watcher({
      readHeads: async () => content,
      readContent: async () => content,
      fire: async () => void calls++,
      state: openWatchState(storage, target),
      every: 30_000,
      settle: 20_000,
      fullReadEvery: MAX_AGE,
      lastFullRead: START,
      fireFirst: false,
      clock,
      signal,
      onEvent: () => {},
    });
    await watcher.check();
    content = 'new';
    await watcher.check();
    time -= 60 * MINUTE;
    await watcher.check();
    expect(watcher.timeUntilNextCheck()).toBe(20_000);
    time += 20_000;
    await watcher.fireIfDue();
    expect(calls).toBe(1);
  });
});
