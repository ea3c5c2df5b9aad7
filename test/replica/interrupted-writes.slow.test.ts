import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStorage, type Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import {
  type EmulatedSpace,
  emulatedSpaceOf,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { contentFilesIn, filesIn, flip, flipped, isFacts, restore } from '../support/folder-files.ts';
import type { ChildOptions } from './sync-child.ts';

const KINDS_OF_CHANGES = 3;
const CHILD = fileURLToPath(new URL('sync-child.ts', import.meta.url));

const itemsOf = async (emulated: EmulatedSpace, options = {}) =>
  Object.fromEntries(await (await emulated.sync({ concurrency: 1, ...options })).items());
const rightItems = async (emulated: EmulatedSpace) =>
  Object.fromEntries(await readFromService(emulated, MODELS));

test('after a sync is killed at any of its requests or writes, the next sync is right', async () => {
  const service = await startEmulator(seedOf(160), { rateLimit: false });
  const emulated = emulatedSpaceOf(service);
  try {
    await emulated.sync({ concurrency: 1 });
    let previous = await rightItems(emulated);
    let kills = 0;
    // Syncs differ in their steps: it ends once no kind of change has one that was not tried.
    for (let [n, complete] = [1, 0]; complete < KINDS_OF_CHANGES; n++) {
      change(emulated, n);
      const isKilled = await syncUntilStep(emulated, n);
      kills += Number(isKilled);
      complete = isKilled ? 0 : complete + 1;
      const now = await rightItems(emulated);
      expect([previous, now]).toContainEqual(await itemsOf(emulated, { offline: true }));
      expect(await itemsOf(emulated)).toEqual(now);
      previous = now;
    }
    console.log(`killed at ${kills} steps`);
    expect(kills).toBeGreaterThan(10);
    expect(emulated.warnings).toEqual([]);
  } finally {
    await service.close();
  }
});

/** Changes in two models, so that a sync has several files to write. */
function change({ service }: EmulatedSpace, n: number): void {
  service.clock.advance(1000);
  service.contents.edit(1 + 4 * (n % 30), { name: `edit ${n}` });
  if (n % KINDS_OF_CHANGES === 0)
    service.contents.create({ model: 'event', published: { ja: { title: `new ${n}` } } });
  else if (n % KINDS_OF_CHANGES === 1) service.contents.archive(122 + (n % 36));
  else service.contents.edit(3, { title: `edit ${n}` });
}

/** Whether a sync in another process was killed at its n-th step, or had ended by then. */
async function syncUntilStep(emulated: EmulatedSpace, n: number): Promise<boolean> {
  const options: ChildOptions = {
    baseUrl: emulated.service.baseUrl,
    dir: emulated.dir,
    models: MODELS,
    now: emulated.service.clock.now(),
    once: true,
    killedAt: n,
  };
  const child = spawn(process.execPath, [CHILD, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = await new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code, signal) => resolve(signal ?? code));
  });
  expect([0, 'SIGKILL']).toContain(ended);
  return ended === 'SIGKILL';
}

describe('a small snapshot', () => {
  let emulated: EmulatedSpace;
  let good: string;
  let right: unknown;
  beforeAll(async () => {
    emulated = openEmulatedSpace(seedOf(6));
    await emulated.sync({ concurrency: 1 });
    good = `${emulated.dir}-good`;
    cpSync(emulated.dir, good, { recursive: true });
    right = await rightItems(emulated);
    return () => rmSync(good, { recursive: true });
  });

  /** Offline, so that nothing but the files can answer. */
  async function isRefused(): Promise<void> {
    await expect(itemsOf(emulated, { offline: true })).rejects.toThrow();
  }

  /** Online, damage is told once, repaired, and told no more. */
  async function isRepaired(): Promise<void> {
    emulated.warnings.length = 0;
    expect(await itemsOf(emulated)).toEqual(right);
    expect(emulated.warnings).toHaveLength(1);
    expect(await itemsOf(emulated)).toEqual(right);
    expect(await itemsOf(emulated, { offline: true })).toEqual(right);
    expect(emulated.warnings).toHaveLength(1);
  }

  test('is rejected with any flipped byte', async () => {
    // From memory, for the thousands of times that this is read.
    const files = new Map(
      filesIn(good).map((file) => [
        file.slice(good.length + 1).replaceAll(/[\\/]/g, ':'),
        readFileSync(file),
      ]),
    );
    const driver = memory();
    const getItemRaw: Driver['getItemRaw'] = async (key) => files.get(key) ?? null;
    const storage = createStorage({
      driver: { ...driver, getItemRaw, getKeys: async () => [...files.keys()] },
    });
    const cache = { storage };
    expect(await itemsOf(emulated, { offline: true, cache })).toEqual(right);
    for (const bytes of files.values()) {
      if (isFacts(bytes)) continue;
      for (let at = 0; at < bytes.length; at++) {
        flip(bytes, at);
        await expect(itemsOf(emulated, { offline: true, cache })).rejects.toThrow();
        flip(bytes, at);
      }
    }
    expect(await itemsOf(emulated, { offline: true, cache })).toEqual(right);
  });

  test('with flipped bytes is reported once and fetched again', async () => {
    const sizes = contentFilesIn(good).map((file) => readFileSync(file).length);
    for (let n = 0; n < 40; n++) {
      restore(emulated.dir, good);
      const index = n % sizes.length;
      const file = contentFilesIn(emulated.dir)[index] as string;
      writeFileSync(file, flipped(file, (n * 7919) % (sizes[index] as number)));
      await isRepaired();
    }
  });

  test('is rejected if any of its files is truncated anywhere', async () => {
    restore(emulated.dir, good);
    for (const file of contentFilesIn(emulated.dir)) {
      const bytes = readFileSync(file);
      for (let length = 0; length < bytes.length; length += 7) {
        writeFileSync(file, bytes.subarray(0, length));
        await isRefused();
      }
      await isRepaired();
      restore(emulated.dir, good);
    }
  });

  test('needs no repair if the facts about its items are damaged or missing', async () => {
    const findFacts = () => filesIn(emulated.dir).find((file) => isFacts(readFileSync(file))) as string;
    for (const damage of [
      (file: string) => writeFileSync(file, flipped(file, 20)),
      (file: string) => rmSync(file),
    ]) {
      restore(emulated.dir, good);
      emulated.warnings.length = 0;
      damage(findFacts());
      expect(await itemsOf(emulated, { offline: true })).toEqual(right);
      expect(await itemsOf(emulated)).toEqual(right);
      expect(emulated.warnings).toEqual([]);
    }
    restore(emulated.dir, good);
  });

  test('with a missing file is fetched again', async () => {
    for (const original of contentFilesIn(good)) {
      restore(emulated.dir, good);
      const file = join(emulated.dir, original.slice(good.length));
      rmSync(file);
      await isRefused();
      // Without any manifest there is no snapshot, which is where every cache begins.
      if (file.includes('segment')) await isRepaired();
      else expect(await itemsOf(emulated)).toEqual(right);
    }
  });

  test('with a damaged newest manifest falls back to the previous one, and reports it', async () => {
    restore(emulated.dir, good);
    const before = new Set(filesIn(emulated.dir));
    emulated.service.contents.edit(1, { name: 'edited' });
    await emulated.sync({ concurrency: 1 });
    const manifest =
      filesIn(emulated.dir).find((file) => file.includes('manifest') && !before.has(file)) ?? '';
    writeFileSync(manifest, flipped(manifest, 100));
    emulated.warnings.length = 0;
    expect(await itemsOf(emulated, { offline: true })).toEqual(right);
    expect(emulated.warnings).toHaveLength(1);
    right = await rightItems(emulated);
    emulated.warnings.length = 0;
    expect(await itemsOf(emulated)).toEqual(right);
    expect(await itemsOf(emulated)).toEqual(right);
    expect(emulated.warnings).toHaveLength(1);
  });
});

test('half-written files of killed processes are removed unless they are recent', async () => {
  const emulated = openEmulatedSpace(seedOf(6));
  await emulated.sync();
  const folder = dirname(filesIn(emulated.dir)[0] ?? '');
  const [old, young] = [join(folder, 'a.partial'), join(folder, 'b.partial')];
  for (const file of [old, young]) writeFileSync(file, 'half');
  utimesSync(old, new Date(0), new Date(0));
  emulated.service.contents.edit(1, { name: 'edited' });
  await emulated.sync();
  expect(filesIn(emulated.dir)).not.toContain(old);
  expect(filesIn(emulated.dir)).toContain(young);
});

describe('a storage that fails', () => {
  const failure = (code: string) => Object.assign(new Error(`${code}: it does not work`), { code });
  const failing = (what: Partial<Driver>) => createStorage({ driver: { ...memory(), ...what } as Driver });
  const broken = (code: string) => async () => {
    throw failure(code);
  };

  test.each([
    ['is full', () => failing({ setItemRaw: broken('ENOSPC') })],
    ['is read-only', () => failing({ setItemRaw: broken('EROFS'), removeItem: broken('EROFS') })],
    ['cannot be listed', () => failing({ getKeys: broken('EACCES') })],
    [
      'cannot be reached',
      () => failing({ getKeys: broken('ECONNREFUSED'), setItemRaw: broken('ECONNREFUSED') }),
    ],
  ])('and %s is reported once per sync, and the items are right', async (_, make) => {
    const emulated = openEmulatedSpace(seedOf(50));
    const cache = { storage: make() };
    for (let round = 1; round <= 3; round++) {
      emulated.service.contents.edit(round, { [round % 4 === 1 ? 'name' : 'title']: `edit ${round}` });
      expect(await itemsOf(emulated, { cache })).toEqual(await rightItems(emulated));
      expect(emulated.warnings).toHaveLength(round);
    }
  });

  test('and fills up between two writes keeps the previous state', async () => {
    const emulated = openEmulatedSpace(seedOf(400));
    let room = Number.POSITIVE_INFINITY;
    const driver = memory();
    const storage = failing({
      ...driver,
      setItemRaw: async (key, value, options) => {
        if (room-- <= 0) throw failure('ENOSPC');
        await driver.setItem?.(key, value, options);
      },
    });
    const cache = { storage };
    await itemsOf(emulated, { cache });
    const before = await rightItems(emulated);
    change(emulated, 1);
    for (let writes = 0; writes < 3; writes++) {
      room = writes;
      expect(await itemsOf(emulated, { cache })).toEqual(await rightItems(emulated));
      expect(emulated.warnings).toHaveLength(writes + 1);
      expect(await itemsOf(emulated, { cache, offline: true })).toEqual(before);
    }
  });

  test('and cannot read some segments has them fetched again', async () => {
    const emulated = openEmulatedSpace(seedOf(400));
    const driver = memory();
    const getItemRaw: Driver['getItemRaw'] = async (key) => {
      if (key.includes('segment')) throw failure('EIO');
      return driver.getItem(key, {});
    };
    const cache = { storage: failing({ ...driver, getItemRaw }) };
    await itemsOf(emulated, { cache });
    change(emulated, 1);
    expect(await itemsOf(emulated, { cache })).toEqual(await rightItems(emulated));
  });
});
