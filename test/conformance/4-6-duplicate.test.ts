import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Item, startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem, status } = server;
const { create, duplicate, patch, expectRejected } = createWriter(server);

const MINUTE = 60_000;

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));
beforeEach(() => server.emulator.clock.advance(MINUTE));

const now = () => `${new Date(server.emulator.clock.now()).toISOString().slice(0, 19)}Z`;
/** An item's fields, without what the system says of it. */
const fieldsOf = (item: Item) => Object.entries(item).filter(([name]) => !name.startsWith('_'));

describe('the copy', () => {
  it('§4.6 the response is the id of the copy', async () => {
    const copy = await duplicate(1001);
    expect(copy).not.toBe(1001);
    expect(await readItem(copy, '', 'all')).toMatchObject({ _id: copy, _model: 'filler', title: 'filler 0' });
  });

  it('§4.6 no body is needed, and a body is ignored', async () => {
    const path = '/contents/1001/duplicate';
    expect((await request(path, { key: 'all', method: 'POST' })).status).toBe(200);
    const withBody = await request(path, { key: 'all', method: 'POST', body: '{}' });
    expect(withBody.status).toBe(200);
  });

  it('§4.6 every field is copied, also those that cannot be written', async () => {
    for (const id of [101, 401]) {
      const copy = await duplicate(id);
      expect(fieldsOf(await readItem(copy, '', 'all'))).toEqual(fieldsOf(await readItem(id, '', 'all')));
    }
  });

  it('§4.6 every language is copied', async () => {
    const copy = await duplicate(101);
    expect((await readItem(copy, 'include=_langs', 'all'))._langs).toEqual({
      current: 'ja',
      available: ['ja', 'en', 'fr'],
    });
    expect((await readItem(copy, 'lang=en', 'all')).title).toBe('Alpha');
  });

  it('§4.6 the copy is new: its times are now, and it was never published', async () => {
    const copy = await duplicate(101);
    expect(await readItem(copy, '', 'all')).toMatchObject({
      _created_at: now(),
      _updated_at: now(),
      _published_at: null,
      _last_published_at: null,
    });
  });

  it('§4.6 copy and source are independent', async () => {
    const source = await create('filler', { fields: { title: 'source' } }, 'published=true');
    const copy = await duplicate(source);
    await patch(copy, 'filler', { fields: { title: 'copy' } });
    expect((await readItem(source, '', 'all')).title).toBe('source');
    await patch(source, 'filler', { fields: { title: 'changed' } }, 'published=true');
    expect((await readItem(copy, '', 'all')).title).toBe('copy');
  });

  it('§4.6 the source stays as it is', async () => {
    const before = await readItem(105, '', 'all');
    await duplicate(105);
    expect(await readItem(105, '', 'all')).toEqual(before);
  });
});

describe('the state of the copy', () => {
  it('§3 where the source has published and draft data, the draft data is copied', async () => {
    const copy = await duplicate(105);
    expect(await readItem(copy, '', 'all')).toMatchObject({ title: '下書きデルタ', _status: 'draft' });
    expect((await readItem(copy, 'lang=en', 'all')).title).toBe('Delta');
  });

  it('§3 a copy of published content is a draft', async () => {
    const copy = await duplicate(102);
    expect(await readItem(copy, '', 'all')).toMatchObject({ title: 'ベータ', _status: 'draft' });
    expect(await status(`/contents/${copy}`, 'pub')).toBe(404);
  });

  it('§3 a copy of a draft is a draft', async () => {
    const copy = await duplicate(104);
    expect(await readItem(copy, '', 'all')).toMatchObject({ title: '下書き', _status: 'draft' });
  });
});

describe('the path and the query', () => {
  it('§4.6 content_id must be that of an item that is not archived', async () => {
    for (const id of ['999999', '106']) {
      await expectRejected(
        () => request(`/contents/${id}/duplicate`, { key: 'all', method: 'POST' }),
        404,
        id,
      );
    }
    for (const id of ['x', '0', '-1', '1.0', '%2e%2e']) {
      const response = await request(`/contents/${id}/duplicate`, { key: 'all', method: 'POST' });
      expect([400, 404], id).toContain(response.status);
    }
  });

  it('§4.6 space is where the source exists, and so does the copy', async () => {
    const copy = await duplicate(108, 'space=shop');
    expect((await readItem(copy, '', 'all'))._space).toBe('shop');
    await expectRejected(() => request('/contents/108/duplicate', { key: 'all', method: 'POST' }), 404);
    await expectRejected(
      () => request('/contents/101/duplicate?space=shop', { key: 'all', method: 'POST' }),
      404,
    );
  });

  it('§4.6 space must exist', async () => {
    await expectRejected(() => request('/contents/101/duplicate?space=nope', { key: 'all', method: 'POST' }));
  });

  it('§4.6 only POST duplicates', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      await expectRejected(() => request('/contents/101/duplicate', { key: 'all', method }), 404, method);
    }
  });
});
