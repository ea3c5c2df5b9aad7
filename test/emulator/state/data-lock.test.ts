import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, startEmulator } from '../../../src/emulator/index.ts';
import { SPACE } from '../small-seed.ts';

const LUID = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function newDataPath(): Promise<string> {
  return join(await mkdtemp(join(folder, 'file-')), 'state.json');
}

async function patch(emulator: Pick<Emulator, 'fetch' | 'baseUrl'>, title: string): Promise<number> {
  const response = await emulator.fetch(`${emulator.baseUrl}/contents/10?model=article`, {
    method: 'PATCH',
    headers: { 'X-SERVICE-API-KEY': 'all' },
    body: JSON.stringify({ fields: { title } }),
  });
  return response.status;
}

const open = (data: string, options = {}) => createEmulator(SPACE, { data, onError: () => {}, ...options });

async function startChild(data: string): Promise<{ child: ChildProcess; baseUrl: string }> {
  const child = spawn(process.execPath, [LUID, 'emulator', '--data', data], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, baseUrl: line.split(' ')[1] ?? '' };
}

/** A lock as another process would have left it. */
const lockOf = (holder: object) =>
  JSON.stringify({ token: 'other', pid: process.pid, host: hostname(), since: Date.now(), ...holder });

describe('two emulators on one data file', () => {
  it('in two processes: the error of the second names the first; after a kill it can start', async () => {
    const data = await newDataPath();
    const { child, baseUrl } = await startChild(data);
    const run = promisify(execFile)(process.execPath, [LUID, 'emulator', '--data', data]);
    const refused = await run.catch((error: { code: number; stdout: string; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      new RegExp(`^luid emulator: The data file .*state\\.json is in use by process ${child.pid}, since `),
    );
    expect(() => open(data)).toThrow(`in use by process ${child.pid}`);
    const headers = { 'X-SERVICE-API-KEY': 'draft-key' };
    expect((await fetch(`${baseUrl}/contents?limit=1`, { headers })).status).toBe(200);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readdir(join(data, '..'))).toEqual(['state.json.lock']);
    const successor = open(data);
    expect(await patch(successor, 'taken over')).toBe(200);
    await successor.close();
    expect(await readdir(join(data, '..'))).toEqual(['state.json']);
  });

  it('in one process: the second fails until the first is closed', async () => {
    const data = await newDataPath();
    const first = open(data);
    expect(() => open(data)).toThrow(/in use by another emulator in this process \(\d+\)/);
    await expect(startEmulator(SPACE, { data })).rejects.toThrow(/close\(\)/);
    expect(await patch(first, 'first')).toBe(200);
    await first.close();
    const second = open(data);
    expect(second.contents.get(10).draft).toMatchObject({ ja: { title: 'first' } });
    expect(await patch(first, 'too late')).toBe(500);
    await second.close();
  });

  it('in one process, after the clock was set forward: the second fails, too', async () => {
    const data = await newDataPath();
    const first = open(data);
    const lock = JSON.parse(await readFile(`${data}.lock`, 'utf8')) as object;
    await writeFile(`${data}.lock`, JSON.stringify({ ...lock, since: 1 }));
    expect(() => open(data)).toThrow('in use by another emulator in this process');
    expect(await patch(first, 'first')).toBe(200);
    await first.close();
  });

  it('a link to the file is the same file', async () => {
    const data = await newDataPath();
    const first = open(data);
    await patch(first, 'x');
    await symlink(data, `${data}.link`);
    expect(() => open(`${data}.link`)).toThrow('in use');
    await first.close();
  });

  it('an emulator that cannot start leaves no lock', async () => {
    const data = await newDataPath();
    expect(() => createEmulator({ keys: 5 }, { data })).toThrow('seed.');
    const other = await startEmulator(SPACE);
    const port = Number(new URL(other.baseUrl).port);
    await expect(startEmulator(SPACE, { data, port })).rejects.toThrow('cannot listen');
    await other.close();
    expect(await readdir(join(data, '..'))).toEqual([]);
  });

  it('a lock acquired by another process is noticed before anything is written', async () => {
    const data = await newDataPath();
    const emulator = open(data);
    await patch(emulator, 'kept');
    await writeFile(`${data}.lock`, lockOf({}));
    expect(await patch(emulator, 'lost')).toBe(500);
    expect(await readFile(data, 'utf8')).toContain('kept');
    await emulator.close();
    expect(await readFile(`${data}.lock`, 'utf8')).toContain('other');
  });
});

describe('a stale lock', () => {
  it.each([
    ['by a process that is gone', lockOf({ pid: 2 ** 22 + 1 })],
    ['by an earlier process of this id, as in a container', lockOf({ since: 1 })],
    // Only Linux tells when a process started.
    ...(existsSync('/proc/self/stat')
      ? [
          ['by a process whose id another one has now', lockOf({ pid: process.ppid, started: '1' })],
          [
            'by an earlier process of this id, before the clock was set back',
            lockOf({ started: '1', since: Date.now() + 3_600_000 }),
          ],
        ]
      : []),
    ['empty', ''],
    ['as something else', '{"pid":-1}'],
  ])('%s is taken over', async (_how, text) => {
    const data = await newDataPath();
    await writeFile(`${data}.lock`, text);
    const emulator = open(data);
    expect(await patch(emulator, 'x')).toBe(200);
    await emulator.close();
    expect(await readdir(join(data, '..'))).toEqual(['state.json']);
  });

  it.each([
    [
      'a living process',
      lockOf({ pid: process.ppid }),
      `process ${process.ppid}`,
      `Stop it, or choose another file. If process ${process.ppid} is not an emulator, delete `,
    ],
    [
      'another machine',
      lockOf({ pid: 1, host: 'else\u001bwhere' }),
      String.raw`process 1 on else\u001bwhere`,
      'Stop it, or choose another file. If it no longer runs, delete ',
    ],
    [
      'this process',
      lockOf({}),
      `another emulator in this process (${process.pid})`,
      'Call close() on it first, or choose another file. If there is no other emulator, delete ',
    ],
  ])('by %s is respected, and the hint names its file', async (_who, text, named, hint) => {
    const data = await newDataPath();
    await writeFile(`${data}.lock`, text);
    expect(() => open(data)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(named), hint: `${hint}${data}.lock.` }),
    );
    expect(await readFile(`${data}.lock`, 'utf8')).toBe(text);
  });

  it('a folder in its place is an error with the reason', async () => {
    const data = await newDataPath();
    await mkdir(`${data}.lock`);
    expect(() => open(data)).toThrow(/state\.json cannot be locked: /);
  });
});

describe('temporary files', () => {
  it('a link at a guessable name is neither followed nor changed', async () => {
    const data = await newDataPath();
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    for (const name of [`${data}.tmp`, `${data}.lock.tmp`]) await symlink(victim, name);
    const emulator = open(data);
    expect(await patch(emulator, 'x')).toBe(200);
    await emulator.close();
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect((await lstat(`${data}.tmp`)).isSymbolicLink()).toBe(true);
  });

  it('a lock that is a link is replaced, not written through', async () => {
    const data = await newDataPath();
    const victim = join(folder, 'victim-of-lock');
    await writeFile(victim, 'precious');
    await symlink(victim, `${data}.lock`);
    const emulator = open(data);
    expect(await patch(emulator, 'x')).toBe(200);
    await emulator.close();
    expect(await readFile(victim, 'utf8')).toBe('precious');
  });

  it('those of killed emulators are removed, and no others', async () => {
    const data = await newDataPath();
    const left = '01234567-89ab-cdef-0123-456789abcdef.tmp';
    for (const name of ['state.json', 'state.json.lock', 'other.json']) {
      await writeFile(join(data, '..', `${name}.${left}`), '');
    }
    const emulator = open(data);
    await patch(emulator, 'x');
    await emulator.close();
    expect(await readdir(join(data, '..'))).toEqual([`other.json.${left}`, 'state.json']);
  });

  it('only the owner can read the file: it contains keys and drafts', async () => {
    const data = await newDataPath();
    const emulator = open(data);
    await patch(emulator, 'x');
    expect((await lstat(data)).mode & 0o777).toBe(0o600);
    await emulator.close();
  });

  it.runIf(isRoot)('uploads are not stored in a folder of another user, or behind a link', async () => {
    const data = await newDataPath();
    const elsewhere = await mkdtemp(join(folder, 'elsewhere-'));
    const errors: unknown[] = [];
    const emulator = open(data, { onError: (error: unknown) => errors.push(error) });
    await symlink(elsewhere, `${data}.media`);
    const upload = async () => {
      const body = new FormData();
      body.append('file', new Blob(['text']), 'a.txt');
      const headers = { 'X-SERVICE-API-KEY': 'all' };
      return (await emulator.fetch(`${emulator.baseUrl}/media`, { method: 'POST', headers, body })).status;
    };
    expect(await upload()).toBe(500);
    await rm(`${data}.media`);
    await mkdir(`${data}.media`, { mode: 0o700 });
    await chown(`${data}.media`, 12_345, 12_345);
    expect(await upload()).toBe(500);
    expect(errors.map((error) => (error as Error).message)).toEqual([
      expect.stringContaining('is a link'),
      expect.stringContaining('belongs to another user'),
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
    await emulator.close();
  });
});

describe('a folder that uploads cannot be stored in', () => {
  const user = process.getuid?.();
  it.each([
    ['a link', (media: string) => symlink(folder, media), 'is a link, not a folder', /^Remove or rename it/],
    ['a file', (media: string) => writeFile(media, ''), 'is a file, not a folder', /^Remove or rename it/],
    // Windows has neither owners nor modes.
    ...(user === undefined
      ? []
      : ([
          [
            'writable for its group',
            (media: string) => mkdir(media).then(() => chmod(media, 0o775)),
            'can be written by other users',
            new RegExp(
              `^Only its owner \\(uid ${user}\\) may write to it\\. Run: chmod go-w ".*state\\.json\\.media"$`,
            ),
          ],
        ] as const)),
    // Only root can give a folder away.
    ...(isRoot
      ? ([
          [
            'of another user, as a mounted one may be',
            (media: string) => mkdir(media, { mode: 0o700 }).then(() => chown(media, 12_345, 12_345)),
            'belongs to another user (uid 12345)',
            /\(uid 0\)\. Run the emulator as uid 12345, or change the owner: chown -R 0 ".*state\.json\.media"$/,
          ],
        ] as const)
      : []),
  ] as const)(
    '%s: the emulator does not start, says why and leaves no lock',
    async (_what, make, reason, hint) => {
      const data = await newDataPath();
      await make(`${data}.media`);
      expect(() => open(data)).toThrow(
        expect.objectContaining({
          name: 'LuidConfigError',
          message: expect.stringContaining(`Uploads cannot be stored: ${data}.media ${reason}`),
          hint: expect.stringMatching(hint),
        }),
      );
      expect(await readdir(join(data, '..'))).toEqual(['state.json.media']);
    },
  );
});

it('an emulator starts under a user id that has no name, as in `docker run --user 12345`', async () => {
  const data = await newDataPath();
  if (isRoot) await chown(join(data, '..'), 12_345, 12_345);
  if (isRoot) await chmod(folder, 0o755);
  // Only root can become such a user; for others the call fails as it would then.
  const script = `
    import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    import { createEmulator } from ${JSON.stringify(new URL('../../../src/emulator/index.ts', import.meta.url).href)};
    if (${isRoot}) {
      process.setgroups([]);
      process.setgid(12345);
      process.setuid(12345);
    } else {
      os.userInfo = () => { throw new Error('ENOENT: no such user'); };
      syncBuiltinESMExports();
    }
    let name = 'named';
    try { os.userInfo(); } catch { name = 'nameless'; }
    const emulator = createEmulator(${JSON.stringify(SPACE)}, { data: ${JSON.stringify(data)} });
    const { status } = await emulator.fetch(emulator.baseUrl + '/contents', { headers: { 'X-SERVICE-API-KEY': 'all' } });
    await emulator.close();
    console.log(name, status);
  `;
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(run.stdout).toBe('nameless 200\n');
  expect(await readdir(join(data, '..'))).toEqual([]);
});
