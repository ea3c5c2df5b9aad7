import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/index.ts';
import { SPACE } from '../small-seed.ts';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-queue-'));
  data = join(folder, 'state.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (options = {}) =>
  createEmulator(SPACE, { data, rateLimit: false, onError: () => undefined, ...options });

async function send(emulator: Emulator, path: string, body: BodyInit): Promise<number> {
  const headers = { 'X-SERVICE-API-KEY': 'all' };
  const response = await emulator.fetch(emulator.baseUrl + path, { method: 'POST', headers, body });
  return ((await response.json()) as { id: number }).id;
}

const create = (emulator: Emulator, title: string) =>
  send(emulator, '/contents?model=article', JSON.stringify({ fields: { title } }));

function upload(emulator: Emulator, text: string): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([text]), 'note.txt');
  return send(emulator, '/media', form);
}

/** Puts a folder in the place of the data file, where nobody can write a file. Returns a function that undoes it. */
function blockDataFile(): () => void {
  renameSync(data, `${data}.kept`);
  mkdirSync(join(data, 'x'), { recursive: true });
  return () => {
    rmSync(data, { recursive: true });
    renameSync(`${data}.kept`, data);
  };
}

describe('an id that is used in code while a request waits for the disk', () => {
  it('stays: the new item gets another', async () => {
    let whileStored: (() => void) | undefined;
    // The time is read when the item is created; it is stored afterwards.
    const clock = () => {
      if (whileStored) queueMicrotask(whileStored);
      whileStored = undefined;
      return 0;
    };
    const emulator = open({ clock });
    whileStored = () =>
      emulator.contents.create({ id: 12, model: 'article', draft: { ja: { title: 'made' } } });
    expect(await create(emulator, 'posted')).toBe(13);
    expect(emulator.contents.get(12).draft).toEqual({ ja: { title: 'made' } });
    expect(emulator.contents.get(13).draft).toEqual({ ja: { title: 'posted' } });
    await emulator.close();
  });

  it('stays: the upload gets another', async () => {
    await mkdir(`${data}.media`, { mode: 0o700 });
    const emulator = open();
    const uploaded = upload(emulator, 'text');
    // Looked for in every turn of the event loop: the upload takes several, so that it cannot end in between.
    while (readdirSync(`${data}.media`).length === 0) await setImmediate();
    emulator.media.add({ id: 901, file: 'b.jpg' });
    expect(await uploaded).toBe(902);
    expect(emulator.snapshot().media).toMatchObject([
      { id: 900 },
      { id: 901, file: 'b.jpg' },
      { id: 902, file: 'note.txt' },
    ]);
    await emulator.close();
    expect(await readdir(`${data}.media`)).toEqual(['902']);
  });
});

describe('a write while code changes the state faster than the file is written', () => {
  /** More than a write needs: one that would never end does so here. */
  const MAX_ATTEMPTS = 20;

  /**
   * An emulator whose state is changed in code whenever a write was computed, before it can be stored. `onAttempt` is
   * called while it is computed, which reads the time.
   */
  async function openBusy(onAttempt: (attempt: number) => void = () => undefined) {
    const counter = { attempts: MAX_ATTEMPTS };
    const clock = () => {
      if (counter.attempts >= MAX_ATTEMPTS) return 0;
      onAttempt(++counter.attempts);
      queueMicrotask(edit);
      return 0;
    };
    const emulator = open({ clock });
    const edit = () => {
      const { attempts } = counter;
      counter.attempts = MAX_ATTEMPTS;
      emulator.contents.edit(10, { title: `edit ${attempts}` });
      counter.attempts = attempts;
    };
    await create(emulator, 'before');
    counter.attempts = 0;
    return { emulator, counter };
  }

  it('is stored and applied after a few attempts', async () => {
    const { emulator, counter } = await openBusy();
    const id = await create(emulator, 'posted');
    expect(counter.attempts).toBeLessThan(MAX_ATTEMPTS);
    expect(emulator.contents.get(id).draft).toEqual({ ja: { title: 'posted' } });
    await emulator.close();
    const next = open();
    expect(next.snapshot()).toEqual(emulator.snapshot());
    await next.close();
  });

  it.each([1, 2, 3, 4])('changes nothing if it cannot be stored at attempt %i', async (failing) => {
    let unblock: (() => void) | undefined;
    const { emulator } = await openBusy((attempt) => {
      if (attempt === failing) unblock = blockDataFile();
    });
    expect(await create(emulator, 'posted')).toBeUndefined();
    expect(JSON.stringify(emulator.snapshot())).not.toContain('posted');
    await expect(emulator.saved()).rejects.toThrow();
    unblock?.();
    await create(emulator, 'next');
    await emulator.close();
    const stored = await readFile(data, 'utf8');
    expect(stored).toContain('next');
    expect(stored).not.toContain('posted');
  });
});

describe('a change in code that cannot be stored', () => {
  it('makes saved() and close() reject, and releases the lock', async () => {
    const emulator = open();
    await create(emulator, 'stored');
    const unblock = blockDataFile();
    emulator.contents.edit(10, { title: 'lost' });
    await expect(emulator.saved()).rejects.toThrow();
    await expect(emulator.close()).rejects.toThrow();
    unblock();
    const next = open();
    expect(next.contents.get(10).published?.ja?.title).toBe('One');
    await next.close();
  });

  it('is stored by the next change, and saved() resolves again', async () => {
    const emulator = open();
    await create(emulator, 'stored');
    const unblock = blockDataFile();
    emulator.contents.edit(10, { title: 'late' });
    await expect(emulator.saved()).rejects.toThrow();
    unblock();
    await create(emulator, 'next');
    await emulator.saved();
    await emulator.close();
    expect(await readFile(data, 'utf8')).toContain('late');
  });
});

describe('media that is removed in code', () => {
  it('loses its bytes once it is no longer in the data file', async () => {
    const emulator = open();
    const first = await upload(emulator, 'one');
    const second = await upload(emulator, 'two');
    emulator.media.remove(first);
    await emulator.saved();
    expect(await readdir(`${data}.media`)).toEqual([String(second)]);
    const unblock = blockDataFile();
    emulator.media.remove(second);
    await expect(emulator.saved()).rejects.toThrow();
    expect(await readdir(`${data}.media`)).toEqual([String(second)]);
    unblock();
    await create(emulator, 'next');
    expect(await readdir(`${data}.media`)).toEqual([]);
    await emulator.close();
  });

  it('leaves the files of the seed', async () => {
    await writeFile(join(folder, 'a.jpg'), 'an image');
    const emulator = open({ directory: folder });
    emulator.media.remove(900);
    await emulator.close();
    expect(await readdir(folder)).toContain('a.jpg');
  });
});
