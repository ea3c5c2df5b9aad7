import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStorage, type Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { filesIn, flip, flipped, restore } from './folder.ts';
import { type House, houseOf, MODELS, openHouse, seedOf, truth } from './house.ts';
import type { ChildOptions } from './sync-child.ts';

const CHILD = fileURLToPath(new URL('sync-child.ts', import.meta.url));

const itemsOf = async (house: House, options = {}) =>
  Object.fromEntries(await (await house.sync({ concurrency: 1, ...options })).items());
const truthOf = async (house: House) => Object.fromEntries(await truth(house, MODELS));

test('a sync that is killed at any of its requests and writes leaves the next one right', async () => {
  const service = await startEmulator(seedOf(160), { rateLimit: false });
  const house = houseOf(service);
  try {
    await house.sync({ concurrency: 1 });
    const folders = [...new Set(filesIn(house.dir).map((file) => dirname(file)))];
    let previous = await truthOf(house);
    let endedByItself = false;
    let kills = 0;
    for (let n = 1; !endedByItself; n++) {
      change(house, n);
      endedByItself = await syncUntilEvent(house, folders, n);
      kills += Number(!endedByItself);
      const now = await truthOf(house);
      expect([previous, now]).toContainEqual(await itemsOf(house, { offline: true }));
      expect(await itemsOf(house)).toEqual(now);
      previous = now;
    }
    expect(kills).toBeGreaterThan(10);
    expect(house.warnings).toEqual([]);
  } finally {
    await service.close();
  }
});

/** Changes in two models, so that a sync has several files to write. */
function change({ service }: House, n: number): void {
  service.clock.advance(1000);
  service.contents.edit(1 + 4 * (n % 30), { name: `edit ${n}` });
  if (n % 3 === 0) service.contents.create({ model: 'event', published: { ja: { title: `new ${n}` } } });
  else if (n % 3 === 1) service.contents.archive(122 + (n % 36));
  else service.contents.edit(3, { title: `edit ${n}` });
}

/** Whether a sync in another process came to its end before the n-th event, at which it is killed. */
async function syncUntilEvent(house: House, folders: readonly string[], n: number): Promise<boolean> {
  const options: ChildOptions = {
    baseUrl: house.service.baseUrl,
    dir: house.dir,
    models: MODELS,
    now: house.service.clock.now(),
    once: true,
  };
  const child = spawn(process.execPath, [CHILD, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let events = 0;
  const onEvent = () => {
    if (++events === n) child.kill('SIGKILL');
  };
  house.service.beforeRequest = onEvent;
  const watchers = folders.map((folder) => watch(folder, onEvent));
  try {
    const signal = await new Promise((resolve, reject) => {
      child.on('error', reject).on('exit', (_, endedBy) => resolve(endedBy));
    });
    return signal === null;
  } finally {
    for (const watcher of watchers) watcher.close();
    house.service.beforeRequest = undefined;
  }
}

describe('of a small snapshot', () => {
  let house: House;
  let good: string;
  let right: unknown;
  beforeAll(async () => {
    house = openHouse(seedOf(6));
    await house.sync({ concurrency: 1 });
    good = `${house.dir}-good`;
    cpSync(house.dir, good, { recursive: true });
    right = await truthOf(house);
    return () => rmSync(good, { recursive: true });
  });

  /** Offline, so that nothing but the files can answer. */
  async function isRefused(): Promise<void> {
    await expect(itemsOf(house, { offline: true })).rejects.toThrow();
  }

  /** Online, damage is told once, repaired, and told no more. */
  async function isRepaired(): Promise<void> {
    house.warnings.length = 0;
    expect(await itemsOf(house)).toEqual(right);
    expect(house.warnings).toHaveLength(1);
    expect(await itemsOf(house)).toEqual(right);
    expect(await itemsOf(house, { offline: true })).toEqual(right);
    expect(house.warnings).toHaveLength(1);
  }

  test('no flipped byte is accepted', async () => {
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
    expect(await itemsOf(house, { offline: true, cache })).toEqual(right);
    for (const bytes of files.values()) {
      for (let at = 0; at < bytes.length; at++) {
        flip(bytes, at);
        await expect(itemsOf(house, { offline: true, cache })).rejects.toThrow();
        flip(bytes, at);
      }
    }
    expect(await itemsOf(house, { offline: true, cache })).toEqual(right);
  });

  test('flipped bytes are told once and fetched again', async () => {
    const sizes = filesIn(good).map((file) => readFileSync(file).length);
    for (let n = 0; n < 40; n++) {
      restore(house.dir, good);
      const index = n % sizes.length;
      const file = filesIn(house.dir)[index] as string;
      writeFileSync(file, flipped(file, (n * 7919) % (sizes[index] as number)));
      await isRepaired();
    }
  });

  test('a file that was cut anywhere is not accepted', async () => {
    restore(house.dir, good);
    for (const file of filesIn(house.dir)) {
      const bytes = readFileSync(file);
      for (let length = 0; length < bytes.length; length += 7) {
        writeFileSync(file, bytes.subarray(0, length));
        await isRefused();
      }
      await isRepaired();
      restore(house.dir, good);
    }
  });

  test('a file that is gone is fetched again', async () => {
    for (const original of filesIn(good)) {
      restore(house.dir, good);
      const file = join(house.dir, original.slice(good.length));
      rmSync(file);
      await isRefused();
      // Without any manifest there is no snapshot, which is where every cache begins.
      if (file.includes('segment')) await isRepaired();
      else expect(await itemsOf(house)).toEqual(right);
    }
  });

  test('damage to the newest state gives the one before it, and is told', async () => {
    restore(house.dir, good);
    const before = new Set(filesIn(house.dir));
    house.service.contents.edit(1, { name: 'edited' });
    await house.sync({ concurrency: 1 });
    const manifest = filesIn(house.dir).find((file) => file.includes('manifest') && !before.has(file)) ?? '';
    writeFileSync(manifest, flipped(manifest, 100));
    house.warnings.length = 0;
    expect(await itemsOf(house, { offline: true })).toEqual(right);
    expect(house.warnings).toHaveLength(1);
    right = await truthOf(house);
    house.warnings.length = 0;
    expect(await itemsOf(house)).toEqual(right);
    expect(await itemsOf(house)).toEqual(right);
    expect(house.warnings).toHaveLength(1);
  });
});

test('what killed processes left half-written goes away, unless it is young', async () => {
  const house = openHouse(seedOf(6));
  await house.sync();
  const folder = dirname(filesIn(house.dir)[0] ?? '');
  const [old, young] = [join(folder, 'a.partial'), join(folder, 'b.partial')];
  for (const file of [old, young]) writeFileSync(file, 'half');
  utimesSync(old, new Date(0), new Date(0));
  house.service.contents.edit(1, { name: 'edited' });
  await house.sync();
  expect(filesIn(house.dir)).not.toContain(old);
  expect(filesIn(house.dir)).toContain(young);
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
  ])('and %s is told of once a sync, and the items are right', async (_, make) => {
    const house = openHouse(seedOf(50));
    const cache = { storage: make() };
    for (let round = 1; round <= 3; round++) {
      house.service.contents.edit(round, { [round % 4 === 1 ? 'name' : 'title']: `edit ${round}` });
      expect(await itemsOf(house, { cache })).toEqual(await truthOf(house));
      expect(house.warnings).toHaveLength(round);
    }
  });

  test('and fills up between two writes leaves the state before', async () => {
    const house = openHouse(seedOf(400));
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
    await itemsOf(house, { cache });
    const before = await truthOf(house);
    change(house, 1);
    for (let writes = 0; writes < 3; writes++) {
      room = writes;
      expect(await itemsOf(house, { cache })).toEqual(await truthOf(house));
      expect(house.warnings).toHaveLength(writes + 1);
      expect(await itemsOf(house, { cache, offline: true })).toEqual(before);
    }
  });

  test('and whose parts cannot be read has them fetched again', async () => {
    const house = openHouse(seedOf(400));
    const driver = memory();
    const getItemRaw: Driver['getItemRaw'] = async (key) => {
      if (key.includes('segment')) throw failure('EIO');
      return driver.getItem(key, {});
    };
    const cache = { storage: failing({ ...driver, getItemRaw }) };
    await itemsOf(house, { cache });
    change(house, 1);
    expect(await itemsOf(house, { cache })).toEqual(await truthOf(house));
  });
});
