import { renameSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/index.ts';
import { DataLock } from '../../../src/emulator/state/data-lock.ts';
import { field } from '../../../src/models/field.ts';
import { SPACE } from '../small-seed.ts';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-data-'));
  data = join(folder, 'state.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function post(emulator: Emulator, path: string, fields: object) {
  const headers = { 'X-SERVICE-API-KEY': 'all' };
  const body = JSON.stringify({ fields });
  const response = await emulator.fetch(emulator.baseUrl + path, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as { id: number } };
}

/** The state that the next start reads. */
async function readAgain(emulator: Emulator) {
  await emulator.close();
  const next = createEmulator(undefined, { data });
  const snapshot = next.snapshot();
  await next.close();
  return snapshot;
}

describe('the data file can be read again', () => {
  it('after a model with content was removed', async () => {
    const emulator = createEmulator(SPACE, { data });
    const { author = {} } = emulator.models.get();
    emulator.models.set({ author });
    expect(await readAgain(emulator)).toEqual(emulator.snapshot());
  });

  it('after a write with a time outside of the years 0000 to 9999, which is a 400', async () => {
    const models = { event: { starts_at: field.datetime() } };
    const emulator = createEmulator({ ...SPACE, models, contents: [] }, { data });
    const create = (starts_at: string) => post(emulator, '/contents?model=event', { starts_at });
    expect(await create('9999-12-31T23:59:59-01:00')).toMatchObject({ status: 400 });
    expect(await create('0000-01-01T00:00:00+01:00')).toMatchObject({ status: 400 });
    expect(await create('9999-12-31T23:59:59Z')).toMatchObject({ status: 200 });
    expect((await readAgain(emulator)).contents).toMatchObject([
      { draft: { ja: { starts_at: '9999-12-31T23:59:59Z' } } },
    ]);
  });

  it('after the highest id was given, from which on there is no other', async () => {
    const [author = { id: 0, model: '', created_at: '' }] = SPACE.contents ?? [];
    const contents = [{ ...author, id: Number.MAX_SAFE_INTEGER - 2 }];
    const errors: unknown[] = [];
    const emulator = createEmulator({ ...SPACE, contents }, { data, onError: (error) => errors.push(error) });
    const create = () => post(emulator, '/contents?model=author', { name: 'Berg' });
    expect(await create()).toEqual({ status: 200, body: { id: Number.MAX_SAFE_INTEGER - 1 } });
    expect(await create()).toMatchObject({ status: 500 });
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('Cannot create content: the highest id') }),
    ]);
    expect((await readAgain(emulator)).contents).toHaveLength(2);
  });
});

describe('a data file that appears or disappears before the emulator has locked it', () => {
  const aside = () => `${data}.aside`;
  /** Runs what another process does just before the next emulator acquires the lock. */
  function beforeLock(run: () => void): void {
    const { acquire } = DataLock;
    vi.spyOn(DataLock, 'acquire').mockImplementationOnce((file) => {
      run();
      return acquire(file);
    });
  }
  beforeEach(async () => {
    const other = createEmulator(SPACE, { data });
    await post(other, '/contents?model=author', { name: 'Stored' });
    await other.close();
  });
  afterEach(() => vi.restoreAllMocks());

  it('is read instead of the seed if it appears', async () => {
    renameSync(data, aside());
    beforeLock(() => renameSync(aside(), data));
    const emulator = createEmulator(SPACE, { data });
    expect(JSON.stringify(emulator.snapshot())).toContain('Stored');
    await emulator.close();
  });

  it('is replaced by the seed if it disappears', async () => {
    beforeLock(() => renameSync(data, aside()));
    const emulator = createEmulator(SPACE, { data });
    expect(JSON.stringify(emulator.snapshot())).not.toContain('Stored');
    await emulator.close();
  });
});
