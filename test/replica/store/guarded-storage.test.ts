import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GuardedStorage } from '../../../src/replica/store/guarded-storage.ts';

const driver = memory();
let storage: Storage;
let isReachable: boolean;
/** The keys that the storage was asked for. */
let requests: string[];
/** Requests are lost: they never end. */
let isLosing: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  isReachable = true;
  isLosing = false;
  requests = [];
  const reach = async (key: string) => {
    requests.push(key);
    if (isLosing) await new Promise<never>(() => {});
    if (!isReachable) throw new Error('unreachable');
  };
  storage = createStorage({
    driver: {
      ...driver,
      hasItem: async (key, options) => {
        await reach(key);
        return driver.hasItem(key, options);
      },
      getItem: async (key) => {
        await reach(key);
        return 'value';
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const read = (guarded: GuardedStorage, key: string) => guarded.call((one) => one.getItem(key));
/** Lets everything happen that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a storage that can be reached', () => {
  test('is called, and no timer is left', async () => {
    expect(await read(new GuardedStorage(storage), 'a')).toBe('value');
    expect(requests).toEqual(['a']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a storage that failed', () => {
  test('is not called again: calls fail with the same error, while it is probed', async () => {
    const guarded = new GuardedStorage(storage);
    isReachable = false;
    await expect(read(guarded, 'a')).rejects.toEqual(new Error('unreachable'));
    await settle();
    await expect(read(guarded, 'b')).rejects.toEqual(new Error('unreachable'));
    await settle();
    expect(requests).toEqual(['a', 'probe', 'probe']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is probed by one call at a time', async () => {
    const guarded = new GuardedStorage(storage);
    isReachable = false;
    await expect(read(guarded, 'a')).rejects.toThrow();
    await settle();
    const calls = ['b', 'c', 'd'].map((key) => read(guarded, key).catch(() => {}));
    await Promise.all(calls);
    await settle();
    expect(requests).toEqual(['a', 'probe', 'probe']);
  });
});

describe('a storage that does not respond', () => {
  const never = () => new Promise<never>(() => {});

  test.each([
    ['3 s', undefined, 3000],
    ['its own limit', 50, 50],
  ])('has failed after %s', async (_, limit, milliseconds) => {
    const guarded = new GuardedStorage(storage, limit);
    const errors: unknown[] = [];
    guarded.call(never).catch((error: unknown) => errors.push(error));
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(errors).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(errors).toEqual([new Error(`The storage has not responded for ${milliseconds / 1000} s`)]);
  });

  test('is called again after a probe has reached it, without another failure', async () => {
    const guarded = new GuardedStorage(storage);
    const failed = guarded.call(never).catch(() => {});
    await vi.advanceTimersByTimeAsync(3000);
    await failed;
    await settle();
    expect(requests).toEqual(['probe']);
    expect(await read(guarded, 'a')).toBe('value');
  });

  test('is called again although a probe was lost: the next one reaches it', async () => {
    const guarded = new GuardedStorage(storage, 50);
    isLosing = true;
    const failed = read(guarded, 'a').catch(() => {});
    await vi.advanceTimersByTimeAsync(50);
    await failed;
    isLosing = false;
    await vi.advanceTimersByTimeAsync(50);
    // Fails at once, and probes again.
    await expect(read(guarded, 'b')).rejects.toThrow('has not responded');
    await settle();
    expect(await read(guarded, 'c')).toBe('value');
    expect(requests).toEqual(['a', 'probe', 'probe', 'c']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
