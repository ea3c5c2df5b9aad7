import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, startEmulator } from '../../../src/emulator/index.ts';
import { run } from '../../support/run-command.ts';
import { readItem, SPACE } from '../small-seed.ts';

const LUID = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-data-'));
  await writeFile(join(folder, 'space.json'), JSON.stringify(SPACE));
});
afterAll(() => rm(folder, { recursive: true }));

/** The path of a new data file in a new folder. */
async function newDataPath(): Promise<string> {
  return join(await mkdtemp(join(folder, 'file-')), 'state.json');
}
const open = (data: string, options = {}) => createEmulator(SPACE, { data, rateLimit: false, ...options });

/** Closes an emulator, and opens its file as a later start would. */
async function reopen(before: Emulator, data: string): Promise<Emulator> {
  await before.close();
  return open(data);
}

interface Wish {
  method: string;
  path: string;
  body?: object;
  file?: string;
}
const wish = {
  create: (title: string): Wish => ({
    method: 'POST',
    path: '/contents?model=article&published=true',
    body: { fields: { title } },
  }),
  patch: (title: string): Wish => ({
    method: 'PATCH',
    path: '/contents/10?model=article',
    body: { fields: { title } },
  }),
  upload: (file: string): Wish => ({ method: 'POST', path: '/media?alt=a', file }),
  deleteMedia: (id: number): Wish => ({ method: 'DELETE', path: `/media/${id}` }),
};

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

async function send(fetch: Fetch, baseUrl: string, { method, path, body, file }: Wish) {
  const form = new FormData();
  if (file !== undefined) form.append('file', new Blob([file]), 'note.txt');
  const response = await fetch(baseUrl + path, {
    method,
    headers: { 'X-SERVICE-API-KEY': 'all' },
    ...(body && { body: JSON.stringify(body) }),
    ...(file !== undefined && { body: form }),
  });
  return { status: response.status, body: (await response.json()) as { id: number; status?: string } };
}
const write = (emulator: Emulator, asked: Wish) => send(emulator.fetch, emulator.baseUrl, asked);

describe('the data file', () => {
  it('stores changes made by requests and in code', async () => {
    const data = await newDataPath();
    const first = open(data);
    const { body } = await write(first, wish.create('Three'));
    first.contents.edit(10, { title: 'One, changed' });
    first.contents.archive(1);
    first.models.setOptions('article', 'category', ['news', 'other']);
    const second = await reopen(first, data);
    expect(second.snapshot()).toEqual(first.snapshot());
    expect(await readItem(second, body.id)).toMatchObject({ title: 'Three', _status: 'published' });
  });

  it('replaces the seed once it exists', async () => {
    const data = await newDataPath();
    const first = open(data);
    await write(first, wish.create('Kept'));
    await first.close();
    for (const seed of [{ keys: [], models: { other: { name: { type: 'text' } } } }, 'no seed', undefined]) {
      const other = createEmulator(seed, { data });
      expect(other.snapshot().contents).toHaveLength(4);
      await other.close();
    }
  });

  it('is created at the first change', async () => {
    const data = await newDataPath();
    await readItem(open(data), 10);
    await expect(readFile(data)).rejects.toThrow('ENOENT');
  });

  it('contains a change before the response is sent', async () => {
    const data = await newDataPath();
    const emulator = open(data);
    for (const title of ['a', 'b', 'c']) {
      await write(emulator, wish.patch(title));
      expect(JSON.parse(await readFile(data, 'utf8'))).toMatchObject({
        state: { contents: [{}, { draft: { ja: { title } } }, {}] },
      });
    }
  });

  it('stores uploaded files next to it, and the folder of the seed’s media', async () => {
    const data = await newDataPath();
    const directory = await mkdtemp(join(folder, 'seed-'));
    await writeFile(join(directory, 'a.jpg'), 'a picture');
    const first = open(data, { directory });
    const { body } = await write(first, wish.upload('some text'));
    const second = await reopen(first, data);
    const read = async (path: string) => (await second.fetch(`${second.assetsUrl}${path}`)).text();
    expect(await read(`/${body.id}/note.txt`)).toBe('some text');
    expect(await read('/900/a.jpg')).toBe('a picture');
    await write(second, wish.deleteMedia(body.id));
    expect(await readdir(`${data}.media`)).toEqual([]);
  });

  it('never reuses an id, even of removed content', async () => {
    const data = await newDataPath();
    const first = open(data);
    const { body: media } = await write(first, wish.upload('x'));
    await write(first, wish.deleteMedia(media.id));
    const { body: content } = await write(first, wish.create('x'));
    first.contents.remove(content.id);
    const second = await reopen(first, data);
    expect((await write(second, wish.upload('y'))).body.id).toBe(media.id + 1);
    expect((await write(second, wish.create('y'))).body.id).toBe(content.id + 1);
  });

  it('stores the time that discarding a draft restores', async () => {
    const data = await newDataPath();
    const first = open(data);
    const before = first.contents.get(10).updated_at;
    first.contents.saveDraft(10, { title: 'draft' });
    const second = await reopen(first, data);
    second.contents.discardDraft(10);
    expect(second.contents.get(10).updated_at).toBe(before);
  });

  it('stores parallel writes one after the other', async () => {
    const data = await newDataPath();
    const emulator = open(data);
    const titles = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const answers = await Promise.all(titles.map((title) => write(emulator, wish.create(title))));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(30);
    expect((await reopen(emulator, data)).snapshot()).toEqual(emulator.snapshot());
  });

  it('a change in code while a write is being stored is not lost', async () => {
    const data = await newDataPath();
    const emulator = open(data);
    const watcher = watch(join(data, '..'));
    const patched = write(emulator, wish.patch('by request'));
    await once(watcher, 'change');
    watcher.close();
    emulator.contents.saveDraft(10, { category: 'event' });
    expect((await patched).status).toBe(200);
    expect(emulator.contents.get(10).draft).toEqual({
      ja: { title: 'by request', category: 'event', author: 1 },
    });
    expect((await reopen(emulator, data)).snapshot()).toEqual(emulator.snapshot());
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['empty', ''],
    ['cut', '{"format":"astro-luid emulator 1","next":{"con'],
    ['a seed', JSON.stringify(SPACE)],
    ['another’s', '{"name":"something"}'],
    ['no object', '[1]'],
    ['of another version', '{"format":"astro-luid emulator 99","state":{}}'],
    [
      'with a bad state',
      JSON.stringify({
        format: 'astro-luid emulator 1',
        directory: '',
        next: { content: 1, media: 1 },
        uploaded: [],
        settled: {},
        state: { ...SPACE, keys: 5 },
      }),
    ],
  ])('%s: is rejected by name and not changed', async (_what, text) => {
    const data = await newDataPath();
    await writeFile(data, text);
    expect(() => open(data)).toThrow(/The data file .*state\.json .* \(it was not changed\)/);
    expect(await readFile(data, 'utf8')).toBe(text);
    expect(await readdir(join(data, '..'))).toEqual(['state.json']);
  });

  it('a missing folder is an error at the start', () => {
    expect(() => open(join(folder, 'nowhere', 'state.json'))).toThrow(/its folder does not exist/);
  });

  it('a write that cannot be stored is a 500 and changes nothing', async () => {
    const data = await newDataPath();
    const errors: unknown[] = [];
    const emulator = open(data, { onError: (error: unknown) => errors.push(error) });
    await write(emulator, wish.create('stored'));
    const before = emulator.snapshot();
    // A folder in the way of the file: nobody can put a file there, not even root.
    await rename(data, `${data}.kept`);
    await mkdir(join(data, 'x'), { recursive: true });
    const asked = [wish.create('lost'), wish.patch('lost'), wish.upload('lost'), wish.deleteMedia(900)];
    for (const one of asked) {
      expect(await write(emulator, one)).toEqual({
        status: 500,
        body: { status: '500', code: 'Internal Server Error' },
      });
    }
    expect(errors).toHaveLength(asked.length);
    expect(emulator.snapshot()).toEqual(before);
    expect(await readdir(`${data}.media`)).toEqual([]);
    expect((await readdir(join(data, '..'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await rm(data, { recursive: true });
    await rename(`${data}.kept`, data);
    expect((await write(emulator, wish.create('again'))).status).toBe(200);
    expect((await reopen(emulator, data)).snapshot()).toEqual(emulator.snapshot());
  });

  it.skipIf(process.getuid?.() === 0)('a folder without permission is the same', async () => {
    const data = await newDataPath();
    const emulator = open(data, { onError: () => undefined });
    await chmod(join(data, '..'), 0o500);
    expect((await write(emulator, wish.create('lost'))).status).toBe(500);
    await chmod(join(data, '..'), 0o700);
  });
});

describe('over a socket', () => {
  it('close() waits for changes made in code', async () => {
    const data = await newDataPath();
    const running = await startEmulator(SPACE, { data });
    running.contents.edit(10, { title: 'last' });
    await running.close();
    expect(await readItem(open(data), 10)).toMatchObject({ title: 'last' });
  });
});

/** Everything but the times, which are another process’s. */
function timeless(emulator: Emulator): unknown {
  const hide = (key: string, value: unknown) => (key.endsWith('_at') ? undefined : value);
  return JSON.parse(JSON.stringify(emulator.snapshot(), hide));
}

/** Most of a start is compiling, and there are many: what was compiled once is used again. */
const compiled = () => ({ ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') });

async function startChild(data: string): Promise<{ child: ChildProcess; baseUrl: string }> {
  const args = ['emulator', '--seed', join(folder, 'space.json'), '--data', data, '--rate-limit', 'off'];
  const child = spawn(process.execPath, [LUID, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: compiled(),
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, baseUrl: line.split(' ')[1] ?? '' };
}

/** Kills a process at the nth thing that happens in a folder. */
function killAt(child: ChildProcess, path: string, nth: number): () => void {
  let seen = 0;
  const watcher = watch(path, () => {
    if (++seen === nth) child.kill('SIGKILL');
  });
  return () => watcher.close();
}

describe('killed while writing', () => {
  // Only a process that ends by itself leaves what it compiled.
  beforeAll(() => run(process.execPath, [LUID, 'emulator', '--help'], { cwd: folder, env: compiled() }));

  // A write is about six steps on disk, an upload twice as many: the chains kill at each of them several times.
  it.concurrent.each([0, 1])(
    'the file is the state before or after the write, never between (chain %i)',
    async (chain) => {
      const data = await newDataPath();
      // The same requests, in memory and alive: what the file must hold.
      const twin = createEmulator(SPACE, { rateLimit: false });
      let number = 0;
      let kills = 0;
      const next = (): Wish => {
        number++;
        const uploaded = twin.snapshot().media?.findLast(({ id }) => id > 900)?.id;
        if (number % 4 === 3) return wish.upload(`file ${number}`);
        if (number % 8 === 4 && uploaded) return wish.deleteMedia(uploaded);
        return number % 2 === 0 ? wish.patch(`patch ${number}`) : wish.create(`create ${number}`);
      };
      for (let nth = 1 + chain; nth <= 44; nth += 2) {
        const { child, baseUrl } = await startChild(data);
        const stop = killAt(child, join(data, '..'), nth);
        const ended = once(child, 'exit');
        let underWay: Wish;
        for (;;) {
          underWay = next();
          const answer = await send(fetch, baseUrl, underWay).catch(() => undefined);
          if (!answer) break;
          expect(answer).toEqual(await write(twin, underWay));
        }
        await ended;
        stop();
        kills++;
        const found = open(data);
        const before = timeless(twin);
        if (JSON.stringify(timeless(found)) !== JSON.stringify(before)) {
          await write(twin, underWay);
          expect(timeless(found)).toEqual(timeless(twin));
        }
        for (const { id } of found.snapshot().media ?? []) {
          if (id === 900) continue;
          const [response, expected] = await Promise.all(
            [found, twin].map(({ fetch, assetsUrl }) => fetch(`${assetsUrl}/${id}/note.txt`)),
          );
          expect(await response?.text()).toBe(await expected?.text());
        }
        await found.close();
      }
      expect(kills).toBe(22);
    },
  );
});
