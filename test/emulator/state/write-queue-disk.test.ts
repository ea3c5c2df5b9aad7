import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/index.ts';
import { SPACE } from '../small-seed.ts';

/** What happens before the disk is used, as a slow disk or another process would have it. */
const disk = vi.hoisted(() => ({
  beforeRename: async (_to: string): Promise<void> => {},
  beforeRemove: (_path: string): void => {},
}));

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return {
    ...fs,
    rename: async (...[from, to]: Parameters<typeof fs.rename>) => {
      await disk.beforeRename(String(to));
      await fs.rename(from, to);
    },
    rm: async (...[path, options]: Parameters<typeof fs.rm>) => {
      disk.beforeRemove(String(path));
      await fs.rm(path, options);
    },
  };
});

let folder: string;
let data: string;
let errors: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-disk-'));
  data = join(folder, 'state.json');
  errors = [];
  disk.beforeRename = async () => {};
  disk.beforeRemove = () => {};
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const CLOSED = 'The emulator was closed: nothing was stored';
const open = () =>
  createEmulator(SPACE, {
    data,
    rateLimit: false,
    onError: (error) => errors.push((error as Error).message),
  });

async function send(emulator: Emulator, method: string, path: string, body?: BodyInit) {
  const headers = { 'X-SERVICE-API-KEY': 'all' };
  const init = { method, headers, ...(body !== undefined && { body }) };
  const response = await emulator.fetch(emulator.baseUrl + path, init);
  const { id } = (await response.json()) as { id: number };
  return { status: response.status, id };
}

const create = (emulator: Emulator, title: string) =>
  send(emulator, 'POST', '/contents?model=article', JSON.stringify({ fields: { title } }));

function upload(emulator: Emulator, text: string) {
  const form = new FormData();
  form.append('file', new Blob([text]), 'note.txt');
  return send(emulator, 'POST', '/media', form);
}

/** Holds the next write of a file, or in a folder: `reached` resolves when only the name is missing. */
function holdNextWrite(path: string) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  disk.beforeRename = async (to) => {
    if (to !== path && dirname(to) !== path) return;
    disk.beforeRename = async () => {};
    reached.resolve();
    await released.promise;
  };
  return { reached: reached.promise, release: () => released.resolve() };
}

it('the first change leaves an upload alone whose bytes are being stored', async () => {
  const emulator = open();
  const bytes = holdNextWrite(`${data}.media`);
  const uploading = upload(emulator, 'text');
  await bytes.reached;
  // Removes temporary files of killed emulators.
  emulator.contents.edit(10, { title: 'edited' });
  await emulator.saved();
  bytes.release();
  const { status, id } = await uploading;
  expect(status).toBe(200);
  expect(await (await emulator.fetch(`${emulator.assetsUrl}/${id}/note.txt`)).text()).toBe('text');
  await emulator.close();
});

describe('close()', () => {
  it('waits for an upload whose bytes are being stored', async () => {
    const emulator = open();
    const bytes = holdNextWrite(`${data}.media`);
    const uploading = upload(emulator, 'first');
    await bytes.reached;
    const closing = emulator.close();
    expect(() => open()).toThrow('is in use by another emulator in this process');
    bytes.release();
    await closing;
    const next = open();
    const { status, id } = await uploading;
    expect(status).toBe(200);
    expect((await upload(next, 'second')).id).toBe(id + 1);
    expect(await (await next.fetch(`${next.assetsUrl}/${id}/note.txt`)).text()).toBe('first');
    await next.close();
  });

  it.each([
    ['a write', create],
    ['an upload', upload],
  ])('refuses %s that arrives while it waits for the disk', async (_what, write) => {
    const emulator = open();
    const state = holdNextWrite(data);
    emulator.contents.edit(10, { title: 'last' });
    await state.reached;
    const closing = emulator.close();
    expect(await write(emulator, 'late')).toMatchObject({ status: 500 });
    expect(errors).toEqual([CLOSED]);
    state.release();
    await closing;
    const stored = await readFile(data, 'utf8');
    expect(stored).toContain('last');
    expect(stored).not.toContain('late');
  });

  it('does not wait for changes in code that follow it, and rejects because of them', async () => {
    const emulator = open();
    const state = holdNextWrite(data);
    emulator.contents.edit(10, { title: 'last' });
    await state.reached;
    const closing = emulator.close();
    emulator.contents.edit(10, { title: 'late' });
    state.release();
    await expect(closing).rejects.toThrow(CLOSED);
    expect(errors).toEqual([CLOSED]);
    expect(await readFile(data, 'utf8')).not.toContain('late');
    await open().close();
  });

  it('leaves an emulator without a data file as it is', async () => {
    const emulator = createEmulator(SPACE);
    await emulator.close();
    expect((await create(emulator, 'in memory')).status).toBe(200);
    expect((await upload(emulator, 'in memory')).status).toBe(200);
  });
});

describe('an upload whose id code uses for another media before it is applied', () => {
  it('keeps its bytes if that media is removed', async () => {
    const emulator = open();
    const state = holdNextWrite(data);
    const uploading = upload(emulator, 'text');
    await state.reached;
    emulator.media.add({ id: 901, file: 'b.jpg' });
    emulator.media.remove(901);
    state.release();
    const { id } = await uploading;
    await emulator.saved();
    const response = await emulator.fetch(`${emulator.assetsUrl}/${id}/note.txt`);
    expect(await response.text()).toBe('text');
    await emulator.close();
  });
});

describe('a file that cannot be removed', () => {
  /** As another process that has it open, on Windows. */
  const keepOpen = (kept: string) => {
    disk.beforeRemove = (path) => {
      if (path === kept) throw new Error(`EBUSY: ${kept}`);
    };
  };
  afterEach(() => {
    disk.beforeRemove = () => {};
  });

  it('fails no change if a crash left it: the next start tries again', async () => {
    const leftover = `${data}.00000000-0000-0000-0000-000000000000.tmp`;
    await writeFile(leftover, '');
    keepOpen(leftover);
    const emulator = open();
    expect((await create(emulator, 'one')).status).toBe(200);
    expect((await upload(emulator, 'two')).status).toBe(200);
    await emulator.close();
    expect(await readdir(folder)).toContain(basename(leftover));
    disk.beforeRemove = () => {};
    const next = open();
    expect((await create(next, 'three')).status).toBe(200);
    await next.close();
    expect(await readdir(folder)).not.toContain(basename(leftover));
  });

  it('does not fail the request that deletes its media: the media is gone, and the error is reported', async () => {
    const emulator = open();
    const { id } = await upload(emulator, 'text');
    const file = join(`${data}.media`, String(id));
    keepOpen(file);
    expect((await send(emulator, 'DELETE', `/media/${id}`)).status).toBe(200);
    expect(emulator.snapshot().media).toMatchObject([{ id: 900 }]);
    expect(errors).toEqual([`EBUSY: ${file}`]);
    await emulator.close();
  });
});
