import { createStorage, type Driver } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { uniformStorage } from '../../../src/replica/store/uniform-storage.ts';

const bytes = new TextEncoder().encode('{"a": 1}');
const driverOf = (value: unknown, more: Partial<Driver> = {}): Driver => ({
  hasItem: () => true,
  getItem: () => value as string,
  getItemRaw: () => value,
  getKeys: () => [],
  ...more,
});
const open = (value: unknown, more?: Partial<Driver>) =>
  uniformStorage(createStorage({ driver: driverOf(value, more) }));

describe('a raw item', () => {
  test('is a string where the driver returns one', async () => {
    expect(await open('text').getItemRaw('k')).toBe('text');
    expect(await open('').getItemRaw('k')).toBe('');
    expect(await open('{"a": 1}').getItemRaw('k')).toBe('{"a": 1}');
  });

  test.each<[string, unknown]>([
    ['a Uint8Array', bytes],
    ['a Buffer', Buffer.from(bytes)],
    ['an ArrayBuffer', Uint8Array.from(bytes).buffer],
    [
      'a view of a part of a buffer',
      new DataView(Uint8Array.from([1, 2, ...bytes, 3]).buffer, 2, bytes.length),
    ],
    ['a Blob', new Blob([bytes])],
    ['a Response', new Response(bytes)],
  ])('is bytes where the driver returns %s', async (_, value) => {
    const raw = await open(value).getItemRaw('k');
    expect(raw).toBeInstanceOf(Uint8Array);
    expect([...(raw as Uint8Array)]).toEqual([...bytes]);
  });

  test('is null where the driver returns nothing', async () => {
    expect(await open(null).getItemRaw('k')).toBeNull();
    expect(await open(undefined).getItemRaw('k')).toBeNull();
  });

  test('that the driver has parsed is what was written, also the items of a segment', async () => {
    expect(await open({ a: 1 }).getItemRaw('k')).toBe('{"a":1}');
    expect(await open([{ a: 1 }, { b: 2 }]).getItemRaw('k')).toBe('[{"a":1},\n{"b":2}]');
    expect(await open([]).getItemRaw('k')).toBe('[]');
    expect(await open(12).getItemRaw('k')).toBe('12');
  });

  test('is null where the driver throws for what does not exist, and an error for what does', async () => {
    const getItemRaw = () => {
      throw new Error('no body');
    };
    expect(await open(null, { getItemRaw, hasItem: () => false }).getItemRaw('k')).toBeNull();
    await expect(open(null, { getItemRaw }).getItemRaw('k')).rejects.toThrow('no body');
    const hasItem = () => Promise.reject(new Error('not reachable'));
    await expect(open(null, { getItemRaw, hasItem }).getItemRaw('k')).rejects.toThrow('not reachable');
  });
});

describe('an item', () => {
  test('is parsed if it is JSON, also where the driver returns bytes', async () => {
    expect(await open('{"a": 1}').getItem('k')).toEqual({ a: 1 });
    expect(await open(new Blob([bytes])).getItem('k')).toEqual({ a: 1 });
    expect(await open(new TextEncoder().encode('ja').buffer).getItem('k')).toBe('ja');
    expect(await open(null).getItem('k')).toBeNull();
  });
});

test('everything else is that of the storage', async () => {
  const keys: string[] = [];
  const storage = open(null, { setItem: (key) => void keys.push(key), getKeys: () => keys });
  await storage.setItem('a', '1');
  expect(await storage.getKeys()).toEqual(['a']);
});
