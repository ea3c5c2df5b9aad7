import { expect, test } from 'vitest';
import type { Replica } from '../../src/replica/replica.ts';
import { SpaceRuntime } from '../../src/space/runtime.ts';

const published = { drafts: false, lang: undefined };
const replica = {} as Replica;

test('a view is synced once at a time, and again when the sync has ended', async () => {
  const runtime = new SpaceRuntime();
  let syncs = 0;
  const start = async () => {
    syncs += 1;
    return replica;
  };
  const first = runtime.sync(published, start);
  expect(runtime.sync({ ...published }, start)).toBe(first);
  expect(syncs).toBe(1);
  await Promise.all([runtime.sync({ ...published, lang: 'en' }, start), first]);
  expect(syncs).toBe(2);
  await runtime.sync(published, start);
  expect(syncs).toBe(3);
});

test('a sync starts when the cache of the last one is written', async () => {
  const runtime = new SpaceRuntime();
  const { promise: stored, resolve } = Promise.withResolvers<void>();
  await runtime.sync(published, async () => ({ stored }) as Replica);
  const log: string[] = [];
  const next = runtime.sync(published, async () => {
    log.push('sync');
    return replica;
  });
  await runtime.sync({ ...published, lang: 'en' }, async () => replica);
  log.push('stored');
  resolve();
  await next;
  expect(log).toEqual(['stored', 'sync']);
});

test('a failed sync is not kept', async () => {
  const runtime = new SpaceRuntime();
  await expect(runtime.sync(published, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await runtime.sync(published, async () => replica)).toBe(replica);
});

test('the main language is detected until it is known', async () => {
  const runtime = new SpaceRuntime();
  expect(await runtime.mainLanguage(async () => undefined)).toBeUndefined();
  expect(await runtime.mainLanguage(async () => 'ja')).toBe('ja');
  expect(await runtime.mainLanguage(async () => 'en')).toBe('ja');
});

test('a log line is logged once per space', () => {
  const logged: string[] = [];
  for (const { once } of [new SpaceRuntime(), new SpaceRuntime()]) {
    once('key', () => logged.push('first'));
    once('key', () => logged.push('second'));
  }
  expect(logged).toEqual(['first', 'first']);
});
