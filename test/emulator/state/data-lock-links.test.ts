import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataLock } from '../../../src/emulator/state/data-lock.ts';

const { linkSync, renameSync } = fs;
let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-links-'));
  data = join(folder, 'state.json');
});
afterEach(async () => {
  replace({ linkSync, renameSync });
  await rm(folder, { recursive: true });
});

function replace(functions: Partial<Pick<typeof fs, 'linkSync' | 'renameSync'>>): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}

/** As on FAT and some network file systems. */
function withoutLinks(): void {
  throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
}

const lockOf = (pid: number) =>
  JSON.stringify({ token: `of ${pid}`, pid, host: hostname(), since: Date.now() });

describe.each([
  ['with hard links', linkSync],
  ['without hard links', withoutLinks],
])('a file system %s', (_kind, link) => {
  it('has one lock per data file, which only its owner can read', async () => {
    replace({ linkSync: link });
    const lock = DataLock.acquire(data);
    expect(() => DataLock.acquire(data)).toThrow('in use by another emulator in this process');
    expect((await stat(`${data}.lock`)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    await lock.check();
    lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('a stale lock is taken over', async () => {
    await writeFile(`${data}.lock`, lockOf(2 ** 22 + 1));
    replace({ linkSync: link });
    const lock = DataLock.acquire(data);
    await lock.check();
    lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock that another process acquires while a stale one is removed is restored', async () => {
    await writeFile(`${data}.lock`, lockOf(2 ** 22 + 1));
    const fresh = lockOf(process.ppid);
    replace({
      linkSync: link,
      renameSync: (from, to) => {
        fs.writeFileSync(from, fresh);
        renameSync(from, to);
      },
    });
    expect(() => DataLock.acquire(data)).toThrow(`in use by process ${process.ppid}`);
    expect(await readdir(folder)).toEqual(['state.json.lock']);
    expect(await readFile(`${data}.lock`, 'utf8')).toBe(fresh);
  });
});
