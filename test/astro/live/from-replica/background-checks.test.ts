import { describe, expect, test } from 'vitest';
import { BackgroundChecks } from '../../../../src/astro/live/check/background-checks.ts';
import { Freshness } from '../../../../src/astro/live/check/freshness.ts';
import type { LiveHost } from '../../../../src/astro/live/check/live-host.ts';
import { LiveNeeds } from '../../../../src/astro/live/check/live-needs.ts';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { withOneVersion } from '../../../../src/astro/revalidate/revalidate-responses.ts';
import { until } from '../../../support/until.ts';

const INTERVAL = 2000;

/** Checks of content that is shown by previews only, unless it is `isPermanent`. */
function setUp({ isPermanent = false, sharedDelay = undefined as number | undefined } = {}) {
  const timers = new Set<() => void>();
  const state = {
    now: 0,
    isPreviewed: false,
    checks: 0,
    changed: 0,
    delay: 0,
    request: undefined as unknown,
  };
  let checking: Promise<void> | undefined;
  const host = {
    now: () => state.now,
    schedule: (callback: () => void, delay: number) => {
      state.delay = delay;
      timers.add(callback);
      return () => timers.delete(callback);
    },
    sync: async () => {},
  } as unknown as LiveHost;
  const needs = new LiveNeeds();
  needs.add(INTERVAL, [], { isPreview: true });
  if (isPermanent) needs.add(INTERVAL, []);
  const freshness = new Freshness('Drafts', Number.POSITIVE_INFINITY, { info() {}, warn() {} });
  const checks = new BackgroundChecks({
    host: async () => host,
    needs,
    isPreviewed: () => state.isPreviewed,
    freshness,
    check: async () => {
      state.checks += 1;
      state.request = liveSources().currentRequest();
      await checking;
      return { tags: [], added: 0, changed: state.changed, removed: 0 };
    },
    sharedDelay: () => sharedDelay,
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
  /** Runs the timers that are set, at this time. */
  const runTimers = () => {
    const due = [...timers];
    timers.clear();
    for (const callback of due) callback();
  };
  /** The next checks take until the returned function is called. */
  const holdChecks = () => {
    let release = () => {};
    checking = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { checks, state, timers, request, tick, host, freshness, runTimers, holdChecks };
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
  await withOneVersion({}, async () => {
    await checks.check({ isForced: false });
    expect(state.request).toBe(liveSources().currentRequest());
    checks.schedule({ ...host, schedule });
  });
  await until(() => state.checks === 2);
  expect(state.request).toBeUndefined();
});

test('while events announce the changes, the timer waits longer, until it finds a change that none announced', async () => {
  const { checks, state, host } = setUp({ isPermanent: true });
  const delay = () => {
    checks.schedule(host);
    return state.delay;
  };
  state.changed = 1;
  await checks.checkNow();
  expect(delay()).toBe(INTERVAL);
  await checks.checkNow({ isAfterEvent: true });
  expect(delay()).toBe(6 * INTERVAL);
  state.changed = 0;
  await checks.check({ isForced: false });
  expect(delay()).toBe(6 * INTERVAL);
  state.changed = 1;
  await checks.check({ isForced: false });
  expect(delay()).toBe(INTERVAL);
});

test('events that announce nothing change no interval', async () => {
  const { checks, state, host } = setUp({ isPermanent: true });
  await checks.checkNow({ isAfterEvent: true });
  checks.schedule(host);
  expect(state.delay).toBe(INTERVAL);
});

test('servers that share their checks check as often as the others expect, with and without events', async () => {
  const { checks, state, host } = setUp({ isPermanent: true, sharedDelay: 1800 });
  state.changed = 1;
  await checks.checkNow({ isAfterEvent: true });
  checks.schedule(host);
  expect(state.delay).toBe(1800);
});

describe('a server whose timer is late, because its process was frozen after a response', () => {
  /** What a page does, and whether it is still waiting. */
  const start = ({ checks, host }: ReturnType<typeof setUp>) => {
    const page = { isWaiting: true };
    const loading = checks.checkIfDue(host).then(() => checks.waitIfLate(host));
    void loading.then(() => {
      page.isWaiting = false;
    });
    return page;
  };
  const openServer = async () => {
    const server = setUp({ isPermanent: true });
    await server.request();
    await settle();
    const release = server.holdChecks();
    return { ...server, release };
  };

  test.each(['the timer', 'a page'])('checks before it serves, if %s is first', async (first) => {
    const server = await openServer();
    server.state.now += 10 * INTERVAL;
    if (first === 'the timer') server.runTimers();
    const page = start(server);
    await settle();
    expect([page.isWaiting, server.state.checks]).toEqual([true, 2]);
    server.release();
    await settle();
    expect(page.isWaiting).toBe(false);
  });

  test('serves what it has if the check takes long', async () => {
    const server = await openServer();
    server.state.now += 10 * INTERVAL;
    const page = start(server);
    await settle();
    expect(page.isWaiting).toBe(true);
    server.runTimers();
    await settle();
    expect(page.isWaiting).toBe(false);
    server.release();
  });

  test('serves what it has while the service fails', async () => {
    const server = await openServer();
    server.freshness.fail(server.state.now, new Error('down'));
    server.state.now += 10 * INTERVAL;
    const page = start(server);
    await settle();
    expect(page.isWaiting).toBe(false);
    server.release();
  });

  test('checks in the background if the timer is in time', async () => {
    const server = await openServer();
    server.state.now += 1.5 * INTERVAL;
    server.runTimers();
    const page = start(server);
    await settle();
    expect(page.isWaiting).toBe(false);
    server.release();
  });
});

test('content that only previews show is checked as often as before: an editor waits for what no event announced', async () => {
  const { checks, state, host } = setUp();
  state.isPreviewed = true;
  state.changed = 1;
  await checks.checkNow({ isAfterEvent: true });
  checks.schedule(host);
  expect(state.delay).toBe(INTERVAL);
});

test('while checks fail, the interval is the usual one', async () => {
  const { checks, state, host, freshness } = setUp({ isPermanent: true });
  state.changed = 1;
  await checks.checkNow({ isAfterEvent: true });
  freshness.fail(state.now, new Error('down'));
  checks.schedule(host);
  expect(state.delay).toBe(INTERVAL);
});
