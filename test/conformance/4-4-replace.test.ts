import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem, status } = server;
const { create, expectRejected, replace, send } = createWriter(server);

const MINUTE = 60_000;

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));
beforeEach(() => server.emulator.clock.advance(MINUTE));

const author = (published: boolean) =>
  create(
    'author',
    { fields: { name: '古い', active: true, company: 301 }, 'fields[en]': { name: 'Old', active: true } },
    `published=${published}`,
  );
const now = () => `${new Date(server.emulator.clock.now()).toISOString().slice(0, 19)}Z`;

describe('replacing', () => {
  it('§4.4 the response is the id of the item', async () => {
    const id = await author(false);
    expect(await replace(id, 'author', { fields: { name: '新しい' } })).toBe(id);
  });

  it('§4.4 the content is replaced: omitted fields are empty', async () => {
    const id = await author(false);
    await replace(id, 'author', { fields: { name: '新しい' } });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '新しい', active: null, company: null });
  });

  it('§4.4 omitted languages are removed from the draft', async () => {
    const id = await author(false);
    await replace(id, 'author', { fields: { name: '新しい' } });
    expect(await status(`/contents/${id}?lang=en`, 'all')).toBe(404);
  });

  it('§4.4 several languages are replaced together', async () => {
    const id = await author(false);
    await replace(id, 'author', { fields: { name: '新' }, 'fields[fr]': { name: 'neuf' } });
    expect((await readItem(id, '', 'all')).name).toBe('新');
    expect((await readItem(id, 'lang=fr', 'all')).name).toBe('neuf');
    expect(await status(`/contents/${id}?lang=en`, 'all')).toBe(404);
  });

  it('§4.4 flexible text is accepted', async () => {
    const id = await author(false);
    await replace(id, 'author', { fields: { bio: '<p>new</p>' } });
    expect((await readItem(id, '', 'all')).bio).toBe('<p>new</p>');
  });

  it('§4.4 the creation time and the model stay', async () => {
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await replace(id, 'author', { fields: {} }, 'published=true');
    expect(await readItem(id)).toMatchObject({ _created_at: before._created_at, _model: 'author', _id: id });
  });

  it('§4.4 an item that was created by an editor is replaced too', async () => {
    await replace(1020, 'filler', { fields: { title: 'replaced' } }, 'published=true');
    expect(await readItem(1020)).toMatchObject({ title: 'replaced', group: null });
  });
});

describe('published', () => {
  it('§4.4 published defaults to false: the draft is replaced, the published data stays', async () => {
    const id = await author(true);
    await replace(id, 'author', { fields: { name: '下書き' } });
    expect(await readItem(id, '', 'pub')).toMatchObject({
      name: '古い',
      active: true,
      _status: 'published_draft',
    });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '下書き', active: null });
  });

  it('§4.4 published=false replaces a draft by another', async () => {
    const id = await author(true);
    await replace(id, 'author', { fields: { name: '一' }, 'fields[en]': { name: 'one' } });
    await replace(id, 'author', { fields: { name: '二' } }, 'published=false');
    expect((await readItem(id, '', 'all')).name).toBe('二');
    expect((await readItem(id, 'lang=en', 'all')).name).toBe('Old');
  });

  it('§4.4 published=true replaces the published data and drops the draft', async () => {
    const id = await author(true);
    await replace(id, 'author', { fields: { name: '下書き' } });
    await replace(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id, '', 'pub')).toMatchObject({ name: '公開', active: null, _status: 'published' });
    expect(await readItem(id, '', 'all')).toEqual(await readItem(id, '', 'pub'));
    expect(await status(`/contents/${id}?lang=en`, 'all')).toBe(404);
  });

  it('§4.4 published=true publishes a draft', async () => {
    const id = await author(false);
    await replace(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id, '', 'pub')).toMatchObject({ name: '公開', _status: 'published' });
  });

  it('§4.4 published is true or false', async () => {
    const id = await author(false);
    await expectRejected(() => send('PUT', `/contents/${id}?model=author&published=maybe`, { fields: {} }));
  });
});

describe('the times', () => {
  it('§3 a replacement changes _last_published_at, never _published_at', async () => {
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await replace(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({
      _published_at: before._published_at,
      _last_published_at: now(),
      _updated_at: now(),
    });
  });

  it('§3 replacing a draft does not change the publication times', async () => {
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await replace(id, 'author', { fields: { name: '下書き' } });
    expect(await readItem(id)).toMatchObject({
      _published_at: before._published_at,
      _last_published_at: before._last_published_at,
      _updated_at: now(),
    });
  });

  it('§3 draftTouchesUpdatedAt applies to a replaced draft', async () => {
    server.emulator.assumptions.draftTouchesUpdatedAt = false;
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await replace(id, 'author', { fields: { name: '下書き' } });
    expect((await readItem(id, '', 'all'))._updated_at).toBe(before._updated_at);
    server.emulator.assumptions = {};
  });
});

describe('the path and the query', () => {
  it('§4.4 model is required and must be that of the item', async () => {
    const id = await author(false);
    await expectRejected(() => send('PUT', `/contents/${id}`, { fields: {} }));
    await expectRejected(() => send('PUT', `/contents/${id}?model=nope`, { fields: {} }));
    await expectRejected(() => send('PUT', `/contents/${id}?model=filler`, { fields: {} }));
  });

  it('§4.4 content_id must be that of an item', async () => {
    for (const id of ['999999', '900']) {
      await expectRejected(() => send('PUT', `/contents/${id}?model=author`, { fields: {} }), 404, id);
    }
    for (const id of ['x', '-1', '0', '1.5', '1e3', '%00']) {
      const response = await send('PUT', `/contents/${id}?model=author`, { fields: {} });
      expect([400, 404], id).toContain(response.status);
    }
  });

  it('§4.4 an archived item is not found', async () => {
    await expectRejected(() => send('PUT', '/contents/106?model=article', { fields: {} }), 404);
  });

  it('§4.4 space is where the item exists', async () => {
    await replace(108, 'article', { fields: { title: '店' } }, 'space=shop');
    expect((await readItem(108, '', 'all')).title).toBe('店');
    await expectRejected(() => send('PUT', '/contents/108?model=article', { fields: {} }), 404);
    await expectRejected(() => send('PUT', '/contents/108?model=article&space=_parent', { fields: {} }), 404);
    await expectRejected(() => send('PUT', '/contents/101?model=article&space=shop', { fields: {} }), 404);
  });

  it('§4.4 PUT of the list is not found', async () => {
    await expectRejected(() => send('PUT', '/contents?model=author', { fields: {} }), 404);
    expect((await request('/contents?limit=1')).status).toBe(200);
  });
});
