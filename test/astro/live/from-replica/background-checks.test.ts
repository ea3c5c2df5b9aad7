import { expect, test } from 'vitest';
import { BackgroundChecks } from '../../../../src/astro/live/from-replica/background-checks.ts';
import { Freshness } from '../../../../src/astro/live/from-replica/freshness.ts';
import type { LiveHost } from '../../../../src/astro/live/from-replica/live-host.ts';
import { LiveNeeds } from '../../../../src/astro/live/from-replica/live-needs.ts';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { withOneVersion } from '../../../../src/astro/revalidate/request-versions.ts';
import { until } from '../../../support/until.ts';

const INTERVAL = 2000;

/** Checks of content that is shown by previews only, unless it is `isPermanent`. */
function setUp({ isPermanent = false } = {}) {
  const timers = new Set<() => void>();
  const state = { now: 0, isPreviewed: false, checks: 0, request: undefined as unknown };
  const host = {
    now: () => state.now,
    logger: { info() {}, warn() {} },
    schedule: (callback: () => void) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    sync: async () => {},
  } as unknown as LiveHost;
  const needs = new LiveNeeds();
  needs.add(INTERVAL, [], { isPreview: true });
  if (isPermanent) needs.add(INTERVAL, []);
  const checks = new BackgroundChecks({
    host: async () => host,
    needs,
    isPreviewed: () => state.isPreviewed,
    freshness: new Freshness('Drafts', Number.POSITIVE_INFINITY),
    check: async () => {
      state.checks += 1;
      state.request = liveSources().currentRequest();
      return { tags: [], added: 0, changed: 0, removed: 0 };
    },
    delay: () => INTERVAL,
  });
  /** What a page does. */
  const request = async () => {
    await checks.checkIfDue(host);
    return state.checks;
  };
  const tick = async () => {
    state.now += INTERVAL;
    for (const callback of [...timers]) {
      timers.delete(callback);
      callback();
    }
    await settle();
    return state.checks;
  };
  return { checks, state, timers, request, tick, host };
}

const settle = () => new Promise(setImmediate);

test('content that only previews show is not checked by a timer while no preview is open', async () => {
  const { request, tick, timers } = setUp();
  expect(await request()).toBe(1);
  expect(timers.size).toBe(0);
  expect(await tick()).toBe(1);
});

test('a page waits for the check after a pause, so that it shows the newest draft', async () => {
  const { request, tick } = setUp();
  await request();
  await tick();
  // As many as there were requests: each has waited.
  expect(await request()).toBe(2);
});

test('two pages after a pause wait for the same check', async () => {
  const { request, state } = setUp();
  expect(await Promise.all([request(), request()])).toEqual([1, 1]);
  expect(state.checks).toBe(1);
});

test('an open preview lets checks go on, and its end pauses them', async () => {
  const { checks, request, state, tick, timers } = setUp();
  await request();
  state.isPreviewed = true;
  checks.resume();
  await settle();
  expect([state.checks, timers.size]).toEqual([2, 1]);
  expect(await tick()).toBe(3);
  // A second preview starts no second series.
  checks.resume();
  await settle();
  expect([state.checks, timers.size]).toEqual([3, 1]);
  state.isPreviewed = false;
  expect(await tick()).toBe(4);
  expect(timers.size).toBe(0);
  expect(await tick()).toBe(4);
});

test('content that other pages show too is checked all the time, and no page waits', async () => {
  const { request, tick, timers } = setUp({ isPermanent: true });
  expect(await request()).toBe(0);
  await settle();
  expect(timers.size).toBe(1);
  expect(await tick()).toBe(2);
  expect(await tick()).toBe(3);
});

test('nothing goes on after the end', async () => {
  const { checks, request, state, timers } = setUp();
  await request();
  checks.close();
  state.isPreviewed = true;
  checks.resume();
  await settle();
  expect([state.checks, timers.size]).toEqual([1, 0]);
});

test('checks by a timer are not part of the request that started it, and do not keep its version in memory', async () => {
  const { checks, state, host } = setUp({ isPermanent: true });
  const schedule = (callback: () => void) => {
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  };
  await withOneVersion(async () => {
    await checks.check({ isForced: false });
    expect(state.request).toBe(liveSources().currentRequest());
    checks.schedule({ ...host, schedule });
  });
  await until(() => state.checks === 2);
  expect(state.request).toBeUndefined();
});
