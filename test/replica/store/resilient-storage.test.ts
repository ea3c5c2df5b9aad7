import { createStorage, type Driver, type Storage } from 'unstorage';
import { beforeEach, describe, expect, test } from 'vitest';
import { resilientStorage } from '../../../src/replica/store/resilient-storage.ts';
import { until } from '../../support/until.ts';

const MANIFESTS = 'v10:abc:manifest';
const MANIFEST = `${MANIFESTS}:000000000001-site-1-x`;
const segment = (hash: string) => `v10:abc:segment:${hash}`;

let stored: Map<string, string>;
/** Keys in the order in which they were written. */
let written: string[];
let mode: 'up' | 'down' | 'hangs';
let backing: Storage;
/** Runs before each write. */
let beforeWrite: () => Promise<void>;
/** How many writes of segments and manifests there were at once, at most. */
let parallel: { segments: number; manifests: number };

beforeEach(() => {
  beforeWrite = async () => {};
  parallel = { segments: 0, manifests: 0 };
  const running = { segments: 0, manifests: 0 };
  stored = new Map();
  written = [];
  mode = 'up';
  const use = async <T>(action: () => T | Promise<T>): Promise<T> => {
    if (mode === 'down') throw new Error('not reachable');
    if (mode === 'hangs') await until(() => mode !== 'hangs');
    return action();
  };
  const driver: Driver = {
    name: 'test',
    hasItem: (key) => use(() => stored.has(key)),
    getItem: (key) => use(() => stored.get(key) ?? null),
    getItemRaw: (key) => use(() => stored.get(key) ?? null),
    setItem: (key, value) => use(() => void stored.set(key, value)),
    setItemRaw: (key, value) =>
      use(async () => {
        const kind = key.includes(':manifest:') ? 'manifests' : 'segments';
        running[kind] += 1;
        parallel[kind] = Math.max(parallel[kind], running[kind]);
        await beforeWrite();
        running[kind] -= 1;
        written.push(key);
        stored.set(key, String(value));
      }),
    removeItem: (key) => use(() => void stored.delete(key)),
    getKeys: () => use(() => [...stored.keys()]),
  };
  backing = createStorage({ driver });
});

async function readText(storage: Storage, key: string): Promise<string | undefined> {
  const raw: unknown = await storage.getItemRaw(key);
  return raw instanceof Uint8Array ? new TextDecoder().decode(raw) : undefined;
}

/** Another call after a failure notices that the storage is reachable again. */
async function untilReachable(storage: Storage): Promise<void> {
  await until(() =>
    storage.getItem('other').then(
      () => true,
      () => false,
    ),
  );
}

describe('a resilient storage', () => {
  test('returns what was read and written while the backing storage fails', async () => {
    stored.set(segment('read'), 'segment that was read').set(MANIFEST, 'manifest that was read');
    const { storage } = resilientStorage(backing);
    await storage.getItemRaw(segment('read'));
    await storage.getItemRaw(MANIFEST);
    await storage.setItemRaw(segment('written'), 'ä 日本');
    mode = 'down';
    expect(await readText(storage, segment('read'))).toBe('segment that was read');
    expect(await readText(storage, segment('written'))).toBe('ä 日本');
    expect(await readText(storage, MANIFEST)).toBe('manifest that was read');
    expect(await storage.getKeys(MANIFESTS)).toEqual([MANIFEST]);
    await expect(storage.getItemRaw(segment('unknown'))).rejects.toThrow('not reachable');
  });

  test('stores later what could not be stored, segments before manifests', async () => {
    const { storage } = resilientStorage(backing);
    mode = 'down';
    await storage.setItemRaw(MANIFEST, 'manifest');
    await storage.setItemRaw(segment('1'), 'one');
    await storage.setItemRaw(segment('2'), 'two');
    expect(stored.size).toBe(0);
    expect(await storage.getKeys(MANIFESTS)).toEqual([MANIFEST]);
    mode = 'up';
    await untilReachable(storage);
    expect(await storage.getKeys(MANIFESTS)).toEqual([MANIFEST]);
    expect(written).toEqual([segment('1'), segment('2'), MANIFEST]);
    expect([...stored.values()]).toEqual(['one', 'two', 'manifest']);
  });

  test('stores up to sixteen segments in parallel, and one manifest after the other', async () => {
    const { storage } = resilientStorage(backing);
    mode = 'down';
    for (let n = 0; n < 40; n++) await storage.setItemRaw(segment(`${n}`), 'x');
    for (let n = 1; n <= 3; n++) await storage.setItemRaw(MANIFEST.replace('1-site', `${n}-site`), 'x');
    mode = 'up';
    await untilReachable(storage);
    await storage.getKeys(MANIFESTS);
    expect(stored.size).toBe(43);
    expect(parallel).toEqual({ segments: 16, manifests: 1 });
  });

  test('stores nothing twice while there is no manifest yet', async () => {
    const { storage } = resilientStorage(backing);
    await storage.setItemRaw(segment('1'), 'one');
    expect(await storage.getKeys(MANIFESTS)).toEqual([]);
    expect(written).toEqual([segment('1')]);
  });

  test('keeps what it has read or written after the manifests were listed', async () => {
    const { storage } = resilientStorage(backing);
    await storage.setItemRaw(segment('1'), 'one');
    await storage.setItemRaw(MANIFEST, 'manifest');
    expect(await storage.getKeys(MANIFESTS)).toEqual([MANIFEST]);
    mode = 'down';
    expect(await storage.getKeys(MANIFESTS)).toEqual([MANIFEST]);
    expect(await readText(storage, MANIFEST)).toBe('manifest');
    expect(await readText(storage, segment('1'))).toBe('one');
  });

  test('keeps segments that another server has removed: a reader may still need them', async () => {
    const { storage } = resilientStorage(backing);
    for (const hash of ['1', '2']) await storage.setItemRaw(segment(hash), hash);
    stored.delete(segment('1'));
    expect(await storage.getKeys('v10:abc:segment')).toEqual([segment('2')]);
    expect(await readText(storage, segment('1'))).toBe('1');
  });

  test('does not list what is removed while it is being stored', async () => {
    const { storage } = resilientStorage(backing);
    mode = 'down';
    await storage.setItemRaw(MANIFEST, 'manifest');
    mode = 'up';
    await untilReachable(storage);
    beforeWrite = () => storage.removeItem(MANIFEST);
    expect(await storage.getKeys(MANIFESTS)).toEqual([]);
  });

  test('knows what exists, in memory or in the backing storage', async () => {
    stored.set(segment('stored'), 'stored').set('other', 'x');
    const { storage } = resilientStorage(backing);
    await storage.setItemRaw(segment('written'), 'written');
    expect(await storage.getItemRaw(segment('missing'))).toBeNull();
    const exist = (...keys: string[]) => Promise.all(keys.map((key) => storage.hasItem(key)));
    expect(await exist(segment('stored'), 'other', segment('written'), segment('missing'))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    mode = 'down';
    expect(await storage.hasItem(segment('written'))).toBe(true);
    await expect(storage.hasItem(segment('stored'))).rejects.toThrow('not reachable');
  });

  test('stores nothing as an empty text', async () => {
    const { storage } = resilientStorage(backing);
    await storage.setItemRaw(segment('1'), null);
    expect(await readText(storage, segment('1'))).toBe('');
    expect(stored.get(segment('1'))).toBe('');
  });

  test('writes each segment once, however many are written in parallel', async () => {
    const { storage } = resilientStorage(backing);
    const keys = Array.from({ length: 100 }, (_, n) => segment(String(n)));
    await Promise.all(keys.map((key) => storage.setItemRaw(key, key)));
    expect(written.sort()).toEqual(keys.sort());
  });

  test('stores what is written while the previous write ends, however close to its end', async () => {
    const missing: number[] = [];
    for (let steps = 0; steps < 40; steps++) {
      stored.clear();
      const { storage } = resilientStorage(backing);
      const first = storage.setItemRaw(segment('1'), 'one');
      for (let step = 0; step < steps; step++) await undefined;
      await Promise.all([first, storage.setItemRaw(segment('2'), 'two')]);
      if (!stored.has(segment('2'))) missing.push(steps);
    }
    expect(missing).toEqual([]);
  });

  test('stores what is written after a list with nothing to store', async () => {
    const { storage } = resilientStorage(backing);
    await storage.getKeys(MANIFESTS);
    await storage.setItemRaw(segment('1'), 'one');
    expect(stored.get(segment('1'))).toBe('one');
  });

  test('fills the backing storage again after it was emptied', async () => {
    stored.set(segment('read'), 'read').set(MANIFEST, 'manifest');
    const { storage } = resilientStorage(backing);
    await storage.getItemRaw(MANIFEST);
    await storage.getItemRaw(segment('read'));
    await storage.setItemRaw(segment('written'), 'written');
    const before = new Map(stored);
    stored.clear();
    expect(await storage.getKeys(MANIFESTS)).toEqual([MANIFEST]);
    expect(stored).toEqual(before);
    expect(written.at(-1)).toBe(MANIFEST);
  });

  test('frees segments that are not kept, unless they are not stored yet', async () => {
    const { storage, keepSegments } = resilientStorage(backing);
    await storage.setItemRaw(segment('kept'), 'kept');
    await storage.setItemRaw(segment('freed'), 'freed');
    mode = 'down';
    await storage.setItemRaw(segment('unstored'), 'unstored');
    keepSegments(new Set(['kept']));
    expect(await readText(storage, segment('kept'))).toBe('kept');
    expect(await readText(storage, segment('unstored'))).toBe('unstored');
    await expect(storage.getItemRaw(segment('freed'))).rejects.toThrow('not reachable');
  });

  test('forgets manifests that another server has removed', async () => {
    const { storage } = resilientStorage(backing);
    const next = MANIFEST.replace('1-site', '2-site');
    await storage.setItemRaw(MANIFEST, 'manifest');
    stored.delete(MANIFEST);
    stored.set(next, 'next');
    expect(await storage.getKeys(MANIFESTS)).toEqual([next]);
    mode = 'down';
    expect(await storage.getKeys(MANIFESTS)).toEqual([]);
  });

  test('keeps nothing but manifests and segments', async () => {
    const { storage } = resilientStorage(backing);
    await storage.setItem('live:site', { owner: 'a' });
    await storage.setItemRaw('dimensions', 'raw');
    expect(stored.get('dimensions')).toBe('raw');
    expect(await storage.getItem('live:site')).toEqual({ owner: 'a' });
    stored.set('live:site', '{"owner":"b"}').set('dimensions', 'other');
    expect(await storage.getItem('live:site')).toEqual({ owner: 'b' });
    expect(await storage.getItemRaw('dimensions')).toBe('other');
    mode = 'down';
    await expect(storage.getItem('live:site')).rejects.toThrow('not reachable');
    await expect(storage.setItem('live:site', {})).rejects.toThrow('not reachable');
  });

  test('does not wait for a storage that does not respond, and uses it again when it does', async () => {
    const { storage } = resilientStorage(backing, 50);
    await storage.setItemRaw(segment('1'), 'one');
    mode = 'hangs';
    await expect(storage.getItem('live:site')).rejects.toThrow('has not responded for 0.05 s');
    // Nothing waits from now on: not even for the time limit.
    for (let n = 0; n < 1000; n++) await expect(storage.getItem('live:site')).rejects.toThrow();
    expect(await readText(storage, segment('1'))).toBe('one');
    mode = 'up';
    await untilReachable(storage);
    expect(await storage.getItem('live:site')).toBeNull();
  });

  test('removes what the backing storage removes', async () => {
    const { storage } = resilientStorage(backing);
    await storage.setItemRaw(segment('1'), 'one');
    await storage.removeItem(segment('1'));
    expect(stored.size).toBe(0);
    expect(await storage.getItemRaw(segment('1'))).toBeNull();
    await storage.setItemRaw(segment('2'), 'two');
    mode = 'down';
    await storage.removeItem(segment('2'));
    expect(stored.has(segment('2'))).toBe(true);
  });
});
