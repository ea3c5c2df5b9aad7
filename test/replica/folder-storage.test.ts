import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/replica/store/storage.ts';
import { filesIn } from '../support/folder-files.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'astro-luid-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const isWindows = process.platform === 'win32';
const open = () => openStorage({}, join(dir, 'cache'));
const names = () =>
  filesIn(join(dir, 'cache')).map((file) => file.slice(dir.length + 7).replaceAll(sep, '/'));

describe('the cache', () => {
  test('is the storage that the options name, or a folder', async () => {
    const storage = createStorage({ driver: memory() });
    await openStorage({ storage, dir: join(dir, 'a') }, join(dir, 'b')).setItem('k', 'u');
    expect(await storage.getItem('k')).toBe('u');
    expect(existsSync(join(dir, 'a'))).toBe(false);
    await openStorage({ dir: join(dir, 'a') }, join(dir, 'b')).setItem('k', 'v');
    expect(readFileSync(join(dir, 'a', 'k'), 'utf8')).toBe('v');
    expect(openStorage({}, dir).getMount().driver.name).toBe('astro-luid-folder');
    await openStorage({}, join(dir, 'b')).setItem('k', 'w');
    expect(readFileSync(join(dir, 'b', 'k'), 'utf8')).toBe('w');
  });
});

describe('a folder', () => {
  test('returns what was stored, as a string and as bytes', async () => {
    const storage = open();
    await storage.setItem('a:b', '漢字');
    expect(await storage.getItem('a:b')).toBe('漢字');
    expect(await storage.hasItem('a:b')).toBe(true);
    await storage.setItem('a:b', 'new');
    expect(await open().getItem('a:b')).toBe('new');
    const bytes = new Uint8Array([0, 255, 128]);
    await storage.setItemRaw('raw', bytes);
    expect(new Uint8Array((await storage.getItemRaw('raw')) as Buffer)).toEqual(bytes);
    await storage.removeItem('a:b');
    expect(await storage.hasItem('a:b')).toBe(false);
  });

  test('returns nothing for a key that was not stored', async () => {
    const storage = open();
    expect(await storage.getItem('a')).toBeNull();
    expect(await storage.getItemRaw('a')).toBeNull();
    expect(await storage.hasItem('a')).toBe(false);
    expect(await storage.getKeys()).toEqual([]);
    await storage.removeItem('a');
  });

  test('has one file per key, in one folder per part of the key', async () => {
    const storage = open();
    await storage.setItem('a:b:c', '1');
    await storage.setItem('a:d e', '2');
    expect(names()).toEqual(['a/b/c', 'a/d%20e']);
    expect((await open().getKeys()).sort()).toEqual(['a:b:c', 'a:d e']);
  });

  test('can be written and cleared by several processes at once', async () => {
    const storages = [open(), open(), open()];
    await Promise.all(
      storages.flatMap((storage, n) =>
        Array.from({ length: 20 }, async (_, round) => {
          await storage.setItem(`v5:a:${n}-${round}`, 'x');
          await storage.removeItem(`v5:a:${n}-${round}`);
        }),
      ),
    );
    expect(names()).toEqual([]);
  });

  test('lists only the keys with a prefix', async () => {
    const storage = open();
    for (const key of ['one:a', 'one:b:c', 'two:a', 'x y:z']) await storage.setItem(key, key);
    expect((await storage.getKeys('one')).sort()).toEqual(['one:a', 'one:b:c']);
    expect(await storage.getKeys('one:b')).toEqual(['one:b:c']);
    expect(await storage.getKeys('x y')).toEqual(['x y:z']);
    expect(await storage.getKeys('three')).toEqual([]);
  });

  test('can be read by its owner only', async () => {
    await open().setItem('a:b', '1');
    expect(statSync(join(dir, 'cache/a/b')).mode & 0o777).toBe(isWindows ? 0o666 : 0o600);
    expect(statSync(join(dir, 'cache/a')).mode & 0o777).toBe(isWindows ? 0o666 : 0o700);
  });

  test('does not list files that it did not write', async () => {
    const storage = open();
    await storage.setItem('a', '1');
    writeFileSync(join(dir, 'cache', '%zz'), 'x');
    writeFileSync(join(dir, 'cache', `a.1${'.partial'}`), 'x');
    expect(await storage.getKeys()).toEqual(['a']);
  });

  test('reports files that it cannot read, list or write', async () => {
    const storage = open();
    await storage.setItem('a:b', '1');
    await expect(storage.getItem('a')).rejects.toThrow('EISDIR');
    await expect(storage.hasItem('a')).rejects.toThrow('EISDIR');
    await expect(storage.setItem('a', 'x')).rejects.toThrow();
    expect(names()).toEqual(['a/b']);
    writeFileSync(join(dir, 'file'), 'x');
    const blocked = openStorage({}, join(dir, 'file'));
    await expect(blocked.getKeys()).rejects.toThrow('ENOTDIR');
    await expect(blocked.setItem('a', 'x')).rejects.toThrow();
  });
});

describe('temporary files of a killed process', () => {
  const HOUR = 3600;
  const leave = (name: string, age: number) => {
    const file = join(dir, 'cache', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'x');
    const time = Date.now() / 1000 - age;
    utimesSync(file, time, time);
    return file;
  };

  test('are removed by the next process that writes, if they are old', async () => {
    const old = leave('a/old.partial', HOUR + 60);
    const young = leave('a/young.partial', HOUR - 60);
    const stored = leave('a/stored', 9 * HOUR);
    const storage = open();
    await storage.getItem('a:x');
    expect(existsSync(old)).toBe(true);
    await storage.setItem('b', '1');
    expect([old, young, stored].map((file) => existsSync(file))).toEqual([false, true, true]);
  });

  test('may be removed by another process at the same time', async () => {
    // A link that leads nowhere: it is listed, and there is no file.
    mkdirSync(join(dir, 'cache'));
    symlinkSync(join(dir, 'nowhere'), join(dir, 'cache', 'gone.partial'));
    await open().setItem('a', 'x');
    expect(await open().getItem('a')).toBe('x');
  });

  test('are searched for once', async () => {
    const storage = open();
    await storage.setItem('a', '1');
    const old = leave('old.partial', 9 * HOUR);
    await storage.setItem('a', '2');
    expect(existsSync(old)).toBe(true);
    expect(readdirSync(join(dir, 'cache')).sort()).toEqual(['a', 'old.partial']);
  });
});
