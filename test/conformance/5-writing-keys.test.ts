import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem, status } = server;
const { create, duplicate, patch, expectRejected, replace, send, upload } = createWriter(server);

const WRITES = [
  ['POST', '/contents?model=filler'],
  ['PUT', '/contents/1001?model=filler'],
  ['PATCH', '/contents/1001?model=filler'],
  ['POST', '/contents/1001/duplicate'],
  ['POST', '/media'],
  ['DELETE', '/media/900'],
] as const;

describe('the key of a write', () => {
  it('§5 every write needs a key', async () => {
    for (const [method, path] of WRITES) {
      await expectRejected(() => send(method, path, { fields: {} }, null), 401, `${method} ${path}`);
    }
  });

  it('§5 an invalid key is 401, whatever else is wrong', async () => {
    for (const [method, path] of WRITES) {
      await expectRejected(() => request(path, { method, key: 'nope', body: '{' }), 401, `${method} ${path}`);
    }
    expect((await upload('x', 'a.txt', { key: 'nope' })).status).toBe(401);
  });

  it('§5 a key that reads published content only may write, also drafts it cannot read', async () => {
    const id = await create('filler', { fields: { title: 'unseen' } }, '', 'pub');
    expect(await status(`/contents/${id}`, 'pub')).toBe(404);
    await patch(id, 'filler', { fields: { group: 'x' } }, '', 'pub');
    expect(await readItem(id, '', 'all')).toMatchObject({ title: 'unseen', group: 'x' });
    await replace(id, 'filler', { fields: { title: 'seen' } }, 'published=true', 'pub');
    expect((await readItem(id)).title).toBe('seen');
    expect(await status(`/contents/${await duplicate(id, '', 'pub')}`, 'all')).toBe(200);
  });

  it('§5 content that the key cannot read cannot be duplicated', async () => {
    await expectRejected(() => request('/contents/104/duplicate', { method: 'POST', key: 'pub' }), 404);
  });

  it('§5 a restricted key writes in its spaces', async () => {
    const id = await create('filler', { fields: { title: 'lab' } }, 'space=lab', 'lab-all');
    await patch(id, 'filler', { fields: { group: 'x' } }, 'space=lab', 'lab-all');
    await replace(id, 'filler', { fields: { title: 'again' } }, 'space=lab', 'lab-all');
    await duplicate(id, 'space=lab', 'lab-all');
    expect(await readItem(id, '', 'lab-all')).toMatchObject({ title: 'again', _space: 'lab' });
  });

  it('§5 a restricted key may not write in other spaces', async () => {
    const body = { fields: { title: 'x' } };
    await expectRejected(() => send('POST', '/contents?model=filler', body, 'shop-pub'), 403);
    await expectRejected(() => send('POST', '/contents?model=filler&space=lab', body, 'shop-pub'), 403);
    for (const method of ['PUT', 'PATCH']) {
      for (const path of ['/contents/1001?model=filler', '/contents/109?model=article&space=lab']) {
        const before = JSON.stringify(server.emulator.snapshot());
        const response = await send(method, path, body, 'shop-pub');
        expect([403, 404], `${method} ${path}`).toContain(response.status);
        expect(JSON.stringify(server.emulator.snapshot()) === before, `${method} ${path}`).toBe(true);
      }
    }
    const response = await request('/contents/1001/duplicate', { method: 'POST', key: 'shop-pub' });
    expect([403, 404]).toContain(response.status);
  });
});
