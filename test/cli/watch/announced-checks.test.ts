import type { AddressInfo } from 'node:net';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterEach, expect, test } from 'vitest';
import { AnnouncedChecks, listenForEvents } from '../../../src/cli/watch/announced-checks.ts';
import { watchUntilStopped } from '../../../src/cli/watch/watch-loop.ts';
import { openWatchState } from '../../../src/cli/watch/watch-state.ts';
import { openWatchedContent } from '../../../src/cli/watch/watched-content.ts';
import { Watcher } from '../../../src/cli/watch/watcher.ts';
import { createConnection } from '../../../src/client/http/connection.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { SpaceRuntime } from '../../../src/space/runtime.ts';
import { MODELS, seedOf } from '../../support/emulated-space.ts';
import { until } from '../../support/until.ts';

const SECRET = 'open sesame, little door';
const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A clock whose time passes when a test lets it. */
function testClock() {
  let now = Date.UTC(2027, 0, 1);
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.throwIfAborted();
        const sleep = { at: now + milliseconds, wake: resolve };
        sleeping.add(sleep);
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleep);
          reject(signal.reason);
        });
      }),
    get isIdle() {
      return sleeping.size > 0;
    },
    pass(milliseconds: number) {
      now += milliseconds;
      for (const sleep of [...sleeping].filter(({ at }) => at <= now)) {
        sleeping.delete(sleep);
        sleep.wake();
      }
    },
  };
}

/** `luid watch --listen` of a space, with webhooks that reach it when a test sends them. */
async function watchSpace() {
  const clock = testClock();
  const service = createEmulator(seedOf(300), { rateLimit: false, assumptions: { purgeDelay: 60_000 } });
  service.clock.set(clock.now());
  const connection = createConnection({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    fetch: service.fetch,
    clock: { now: clock.now, sleep: () => new Promise(() => {}) },
  });
  const space = {
    runtime: new SpaceRuntime(),
    models: MODELS,
    settings: {},
    connect: () => async () => connection,
  };
  const storage = createStorage({ driver: memory() });
  const cache = { storage, throwIfFailed() {}, async close() {} };
  const stop = new AbortController();
  const { signal } = stop;
  const events = new AnnouncedChecks(clock);
  ends.push(() => {
    events.close();
    stop.abort();
  });
  const seen: string[] = [];
  const watcher = new Watcher({
    ...(await openWatchedContent(space, { cache, drafts: false, warn: () => {} })),
    fire: async () => void seen.push('deploy'),
    state: openWatchState(storage, {
      target: 'a',
      baseUrl: service.baseUrl,
      space: undefined,
      drafts: false,
    }),
    every: 300_000,
    settle: 20_000,
    fireFirst: false,
    clock,
    signal,
    onEvent: (event) => seen.push(event),
  });
  const watching = watchUntilStopped(watcher, {
    every: 300_000,
    clock,
    signal,
    events,
    onFailure: (error) => seen.push(String(error)),
    onRecovery: () => {},
  });
  ends.push(() => watching);
  await until(() => seen.includes('first') && clock.isIdle);
  return { service, clock, events, seen };
}

test('after an event the content is read bypassing the CDN, and deployed once it has settled', async () => {
  const { service, clock, events, seen } = await watchSpace();
  service.contents.edit(2, { title: 'new' });
  await events.add();
  expect(seen).toEqual(['first', 'changed']);
  await until(() => clock.isIdle);
  service.contents.edit(3, { title: 'newer' });
  clock.pass(15_000);
  await events.add();
  await until(() => clock.isIdle);
  clock.pass(15_000);
  await until(() => clock.isIdle);
  expect(seen).toEqual(['first', 'changed']);
  clock.pass(5_000);
  await until(() => seen.includes('fired'));
  expect(seen).toEqual(['first', 'changed', 'deploy', 'fired']);
});

test('an event that announces nothing deploys nothing', async () => {
  const { clock, events, seen } = await watchSpace();
  await events.add();
  await until(() => clock.isIdle);
  clock.pass(290_000);
  expect(seen).toEqual(['first']);
});

test('a change whose event was lost is found by the regular check', async () => {
  const { service, clock, seen } = await watchSpace();
  service.contents.edit(2, { title: 'new' });
  service.clock.advance(61_000);
  clock.pass(300_000);
  await until(() => seen.includes('changed'));
  expect(seen).toEqual(['first', 'changed']);
});

test('a failed check is the result of the event, and does not end the loop', async () => {
  const { service, events, seen, clock } = await watchSpace();
  const remove = service.faults.add({ kind: { status: 401 }, times: 100 });
  await expect(events.add()).rejects.toThrow('401');
  remove();
  service.contents.edit(2, { title: 'new' });
  await until(() => clock.isIdle);
  clock.pass(100);
  await until(() => seen.includes('changed'));
});

test('events are received at /_luid/refresh, with the secret', async () => {
  let received = 0;
  const server = await listenForEvents({
    port: 0,
    secret: SECRET,
    header: 'X-Hook',
    onEvent: async () => {
      received += 1;
    },
    logger: { error: () => {} },
  });
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const send = async (path: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{}' })).status;
  expect(await send('/_luid/refresh', { 'x-hook': SECRET })).toBe(200);
  expect(await send('/_luid/refresh', { 'x-luid-secret': SECRET })).toBe(200);
  expect(await send('/_luid/refresh', { 'x-hook': 'wrong' })).toBe(401);
  expect(await send('/', { 'x-hook': SECRET })).toBe(404);
  expect(received).toBe(2);
  const again = listenForEvents({
    port,
    secret: SECRET,
    header: undefined,
    onEvent: async () => {},
    logger: { error: () => {} },
  });
  await expect(again).rejects.toThrow(`luid watch cannot listen on port ${port}`);
});
