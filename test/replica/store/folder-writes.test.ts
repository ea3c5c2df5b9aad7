import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'unstorage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStorage } from '../../../src/replica/store/storage.ts';

/** What happens before the disk is used, as another process, a crash or another platform would have it. */
const disk = vi.hoisted(() => ({
  beforeRename: async (_from: string): Promise<void> => {},
  beforeSync: async (): Promise<void> => {},
  opened: [] as FileHandle[],
}));

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return {
    ...fs,
    open: async (...[path, ...rest]: Parameters<typeof fs.open>) => {
      const file = await fs.open(path, ...rest);
      disk.opened.push(file);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await disk.beforeSync();
        return sync();
      };
      return file;
    },
    rename: async (...[from, to]: Parameters<typeof fs.rename>) => {
      await disk.beforeRename(String(from));
      await fs.rename(from, to);
    },
  };
});

let dir: string;
let storage: Storage;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'astro-luid-writes-'));
  storage = openStorage({}, dir);
  const nothing = async () => {};
  Object.assign(disk, {
    beforeRename: nothing,
    beforeSync: nothing,
    opened: [],
  });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a file that is written', () => {
  test('is flushed before it has its name', async () => {
    const hadName: boolean[] = [];
    disk.beforeSync = async () => void hadName.push(existsSync(join(dir, 'a', 'b')));
    await storage.setItem('a:b', 'x');
    expect(hadName).toEqual([false]);
  });

  test('is closed, even if it cannot be flushed', async () => {
    await storage.setItem('a:b', 'x');
    disk.beforeSync = () => Promise.reject(new Error('The disk is full'));
    await expect(storage.setItem('a:c', 'x')).rejects.toThrow('The disk is full');
    expect(disk.opened.map(({ fd }) => fd)).toEqual([-1, -1]);
    expect(await storage.getKeys()).toEqual(['a:b']);
  });

  test('is an error of the rename if another process has removed it before that', async () => {
    disk.beforeRename = async (from) => rmSync(from);
    await expect(storage.setItem('a:b', 'x')).rejects.toMatchObject({ code: 'ENOENT', syscall: 'rename' });
  });
});
