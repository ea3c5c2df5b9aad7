import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../../../src/cli/init/write-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'astro-luid-write-'));
  writeFileSync(join(folder, 'config.ts'), 'mine');
  chmodSync(join(folder, 'config.ts'), 0o660);
  writeFileSync(join(folder, '.env'), 'OLD=1');
});
afterEach(() => rmSync(folder, { recursive: true }));

const FILES = [
  { path: 'src/space.ts', text: 'new', before: undefined },
  { path: 'config.ts', text: 'new', before: 'mine' },
  { path: '.env', text: 'KEY=1', before: 'OLD=1', secret: true },
];
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

/** Renames files until the number of `successes` is reached, then fails as for a file that is a mount point. */
function failingRename(successes: number): typeof renameSync {
  let count = 0;
  return (from, to) => {
    if (count++ === successes) throw new Error(`EBUSY: resource busy, rename ${to}`);
    renameSync(from, to);
  };
}

test('all files are written; those with a key are readable by the current user only', () => {
  writeFiles(folder, FILES);
  expect(FILES.map(({ path }) => read(path))).toEqual(['new', 'new', 'KEY=1']);
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['.env', 'config.ts', 'src']);
});

test('if one file cannot be replaced, those before it are as they were', () => {
  expect(() => writeFiles(folder, FILES, failingRename(2))).toThrow(/EBUSY.*\n.*Nothing was changed/);
  expect([read('config.ts'), read('.env')]).toEqual(['mine', 'OLD=1']);
  expect(statSync(join(folder, 'config.ts')).mode & 0o777).toBe(0o660);
  expect(readdirSync(folder).sort()).toEqual(['.env', 'config.ts']);
});

test('files that cannot be restored are named', () => {
  const rename: typeof renameSync = (from, to) => {
    if (read('config.ts') === 'new') throw new Error('EROFS: read-only file system');
    renameSync(from, to);
  };
  expect(() => writeFiles(folder, FILES, rename)).toThrow(
    /EROFS.*\n.*These were written, and could not be restored: config\.ts\./,
  );
  expect([read('config.ts'), read('.env')]).toEqual(['new', 'OLD=1']);
  expect(readdirSync(folder).sort()).toEqual(['.env', 'config.ts']);
});

test.each([
  ['was edited', () => writeFileSync(join(folder, '.env'), 'MINE=1'), ['.env', 'config.ts']],
  ['was removed', () => rmSync(join(folder, '.env')), ['config.ts']],
])('if a file %s since the plan was made, no file is written', (_, change, left) => {
  change();
  expect(() => writeFiles(folder, FILES)).toThrow(/^\.env was changed while .*\n.*Nothing was written/);
  expect(readdirSync(folder).sort()).toEqual(left);
  expect(read('config.ts')).toBe('mine');
});

test('if a new file exists by then, it is kept and no file is written', () => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/space.ts'), '');
  expect(() => writeFiles(folder, FILES.toReversed())).toThrow(/^src\/space\.ts was changed/);
  expect(readdirSync(join(folder, 'src'))).toEqual(['space.ts']);
  expect(FILES.map(({ path }) => read(path))).toEqual(['', 'mine', 'OLD=1']);
});

test('a file that differs only in bytes that are not UTF-8 is not replaced', () => {
  writeFileSync(join(folder, '.env'), Buffer.from([0x93]));
  const file = { path: '.env', text: 'KEY=1', before: '\ufffd' };
  expect(() => writeFiles(folder, [file])).toThrow('.env was changed while');
  expect(readFileSync(join(folder, '.env'))).toEqual(Buffer.from([0x93]));
});
