import { afterEach, describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem, status } = server;
const { create, expectRejected, send } = createWriter(server);

afterEach(() => {
  server.emulator.assumptions = {};
});

describe('endpoints known by name only', () => {
  it('§4.9 DELETE /contents/{content_id} is not found, and deletes nothing', async () => {
    await expectRejected(() => request('/contents/101', { method: 'DELETE', key: 'all' }), 404);
    await expectRejected(() => request('/contents/101?model=article', { method: 'DELETE', key: 'all' }), 404);
    await expectRejected(() => request('/contents/999999', { method: 'DELETE', key: 'all' }), 404);
  });

  it('§4.9 POST /contents/{content_id}/drafts is not found, and adds nothing', async () => {
    await expectRejected(
      () => send('POST', '/contents/101/drafts?model=article', { fields: { title: 'x' } }),
      404,
    );
  });

  it('§4.9 endpointsByName: they can do what their names suggest', async () => {
    server.emulator.assumptions.endpointsByName = 'guess';
    const id = await create('filler', { fields: { title: 'x' } }, 'published=true');
    const drafted = await send('POST', `/contents/${id}/drafts?model=filler`, { fields: { title: 'y' } });
    expect(drafted).toMatchObject({ status: 200, body: { id } });
    expect(await readItem(id, '', 'all')).toMatchObject({ title: 'y', _status: 'published_draft' });
    expect((await readItem(id)).title).toBe('x');
    const deleted = await request(`/contents/${id}`, { method: 'DELETE', key: 'all' });
    expect(deleted).toMatchObject({ status: 200, body: { id } });
    expect(await status(`/contents/${id}`, 'all')).toBe(404);
    await expectRejected(() => request(`/contents/${id}`, { method: 'DELETE', key: 'all' }), 404);
    await expectRejected(() => send('POST', '/contents/101/drafts?model=article', { fields: { nope: 1 } }));
  });

  it('§4.9 errors of the write endpoints are in the format of §7', async () => {
    const bad = { fields: 5 };
    await expectRejected(() => send('POST', '/contents?model=article', bad));
    await expectRejected(() => send('PUT', '/contents/101?model=article', bad));
    await expectRejected(() => send('PATCH', '/contents/101?model=article', bad));
    await expectRejected(() => request('/contents/999999/duplicate', { method: 'POST', key: 'all' }), 404);
    await expectRejected(() => request('/media', { method: 'POST', key: 'all' }));
    await expectRejected(() => request('/media/999999', { method: 'DELETE', key: 'all' }), 404);
  });

  it('§4 other methods on these paths are not found', async () => {
    for (const [method, path] of [
      ['POST', '/contents/101'],
      ['DELETE', '/contents'],
      ['PATCH', '/contents'],
      ['POST', '/contents/101/duplicate/again'],
      ['POST', '/nope'],
      ['OPTIONS', '/contents'],
    ] as const) {
      await expectRejected(() => request(path, { method, key: 'all' }), 404, `${method} ${path}`);
    }
  });
});
