import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody, startServer } from './http.ts';
import { createImage } from './test-images.ts';
import { createWriter, idOf } from './write-requests.ts';

const server = startServer();
const { request, ids, readItem } = server;
const { create, deleteMedia, duplicate, patch, replace, send, upload } = createWriter(server);

const SECOND = 1000;

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));
// A minute on, every count is back to nothing.
beforeEach(() => server.emulator.clock.advance(61 * SECOND));

const title = (title: string) => ({ fields: { title } });

describe('30 writes a minute', () => {
  it('§8 the 31st write in a minute is rejected and changes nothing', async () => {
    for (let count = 0; count < 30; count += 1) await create('filler', title(`${count}`));
    const before = JSON.stringify(server.emulator.snapshot());
    const { status, body, headers } = await send('POST', '/contents?model=filler', title('too many'));
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('60');
    expect(body).toEqual({ ...errorBody(429), message: expect.stringContaining('60') });
    expect(JSON.stringify(server.emulator.snapshot())).toBe(before);
    server.emulator.clock.advance(60 * SECOND);
    await create('filler', title('in time'));
  });

  it('§8 creating, replacing, updating, duplicating, uploading and deleting count together', async () => {
    const id = await create('filler', title('x'));
    for (let count = 0; count < 5; count += 1) {
      await replace(id, 'filler', title('y'));
      await patch(id, 'filler', title('z'));
      await duplicate(id);
      idOf(await upload('text', 'a.txt'));
      await deleteMedia(999999);
    }
    for (let count = 26; count < 30; count += 1) await duplicate(id);
    expect((await deleteMedia(999999)).status).toBe(429);
    expect((await upload('text', 'a.txt')).status).toBe(429);
    expect((await send('PUT', `/contents/${id}?model=filler`, title('x'))).status).toBe(429);
    expect((await send('PATCH', `/contents/${id}?model=filler`, title('x'))).status).toBe(429);
    expect((await request('/contents?limit=1', { key: 'all' })).status).toBe(200);
  });

  it('§8 each key has its own 30 writes', async () => {
    for (let count = 0; count < 30; count += 1) await create('filler', title('x'));
    expect((await send('POST', '/contents?model=filler', title('x'))).status).toBe(429);
    expect((await send('POST', '/contents?model=filler', title('x'), 'pub')).status).toBe(200);
  });

  it('§8 of parallel writes 30 succeed, and no more', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => send('POST', '/contents?model=filler', title('at once'))),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await ids('title[eq]=at once&limit=100', 'all')).toHaveLength(30);
  });
});

describe('writes that fail on the way', () => {
  it('§7 a write with a simulated error changes nothing', async () => {
    const before = JSON.stringify(server.emulator.snapshot());
    for (const status of [402, 429, 500]) {
      server.emulator.faults.add({ kind: status === 429 ? { status, retryAfter: 7 } : { status } });
      expect((await send('POST', '/contents?model=filler', title('x'))).status).toBe(status);
    }
    expect(JSON.stringify(server.emulator.snapshot())).toBe(before);
    server.emulator.faults.clear();
    await create('filler', title('x'));
  });
});

describe('a write and the cache', () => {
  const cached = async (path: string) => (await request(path)).headers.get('x-cache');

  /** Whether the published key’s copy is gone after a write. */
  async function purges(write: () => Promise<unknown>): Promise<boolean> {
    const path = '/contents?limit=2&purged=1';
    await request(path);
    expect(await cached(path)).toBe('HIT');
    await write();
    return (await cached(path)) === 'MISS';
  }

  it('§8 every write purges the cache', async () => {
    const id = await create('filler', title('x'), 'published=true');
    expect(await purges(() => create('filler', title('y'), 'published=true'))).toBe(true);
    expect(await purges(() => replace(id, 'filler', title('y'), 'published=true'))).toBe(true);
    expect(await purges(() => patch(id, 'filler', title('z'), 'published=true'))).toBe(true);
    expect(await purges(() => duplicate(id))).toBe(true);
    const media = idOf(await upload(await createImage(4, 4), 'a.png'));
    expect(await purges(() => deleteMedia(media))).toBe(true);
  });

  it('§8 the next read with a published key includes a write', async () => {
    const id = await create('filler', title('one'), 'published=true');
    expect((await readItem(id)).title).toBe('one');
    await patch(id, 'filler', title('two'), 'published=true');
    expect((await readItem(id)).title).toBe('two');
    expect(await ids('model=filler&title[eq]=two')).toEqual([id]);
    await replace(id, 'filler', title('three'), 'published=true');
    expect((await readItem(id)).title).toBe('three');
    expect(await ids('model=filler&title[eq]=two')).toEqual([]);
  });

  it('§8 a rejected write purges nothing', async () => {
    expect(await purges(() => send('POST', '/contents?model=filler', { fields: { nope: 1 } }))).toBe(false);
    expect(await purges(() => deleteMedia(999999))).toBe(false);
  });

  it('§8 purgeDelay applies to writes', async () => {
    const id = await create('filler', title('stale'), 'published=true');
    server.emulator.assumptions.purgeDelay = 5 * SECOND;
    await request(`/contents/${id}?delay=1`);
    await patch(id, 'filler', title('fresh'), 'published=true');
    expect((await request(`/contents/${id}?delay=1`)).body).toMatchObject({ title: 'stale' });
    server.emulator.clock.advance(5 * SECOND);
    expect((await request(`/contents/${id}?delay=1`)).body).toMatchObject({ title: 'fresh' });
    server.emulator.assumptions = {};
  });
});
