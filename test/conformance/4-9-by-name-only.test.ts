import { afterEach, describe, expect, it } from 'vitest';
import { listening } from './http.ts';
import { writing } from './write-requests.ts';

const server = listening({ rateLimit: false });
const { ask, one, status } = server;
const { create, refused, send } = writing(server);

afterEach(() => {
  server.emulator.assumptions = {};
});

describe('endpoints known by name only', () => {
  it('§4.9 DELETE /contents/{content_id} is not found, and deletes nothing', async () => {
    await refused(() => ask('/contents/101', { method: 'DELETE', key: 'all' }), 404);
    await refused(() => ask('/contents/101?model=article', { method: 'DELETE', key: 'all' }), 404);
    await refused(() => ask('/contents/999999', { method: 'DELETE', key: 'all' }), 404);
  });

  it('§4.9 POST /contents/{content_id}/drafts is not found, and adds nothing', async () => {
    await refused(() => send('POST', '/contents/101/drafts?model=article', { fields: { title: 'x' } }), 404);
  });

  it('§4.9 endpointsByName: they may do what their names say', async () => {
    server.emulator.assumptions.endpointsByName = 'guess';
    const id = await create('filler', { fields: { title: 'x' } }, 'published=true');
    const drafted = await send('POST', `/contents/${id}/drafts?model=filler`, { fields: { title: 'y' } });
    expect(drafted).toMatchObject({ status: 200, body: { id } });
    expect(await one(id, '', 'all')).toMatchObject({ title: 'y', _status: 'published_draft' });
    expect((await one(id)).title).toBe('x');
    const deleted = await ask(`/contents/${id}`, { method: 'DELETE', key: 'all' });
    expect(deleted).toMatchObject({ status: 200, body: { id } });
    expect(await status(`/contents/${id}`, 'all')).toBe(404);
    await refused(() => ask(`/contents/${id}`, { method: 'DELETE', key: 'all' }), 404);
    await refused(() => send('POST', '/contents/101/drafts?model=article', { fields: { nope: 1 } }));
  });

  it('§4.9 errors of the write endpoints are in the form of §7', async () => {
    const bad = { fields: 5 };
    await refused(() => send('POST', '/contents?model=article', bad));
    await refused(() => send('PUT', '/contents/101?model=article', bad));
    await refused(() => send('PATCH', '/contents/101?model=article', bad));
    await refused(() => ask('/contents/999999/duplicate', { method: 'POST', key: 'all' }), 404);
    await refused(() => ask('/media', { method: 'POST', key: 'all' }));
    await refused(() => ask('/media/999999', { method: 'DELETE', key: 'all' }), 404);
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
      await refused(() => ask(path, { method, key: 'all' }), 404, `${method} ${path}`);
    }
  });
});
