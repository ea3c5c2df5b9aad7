import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { readItem, status } = server;
const { create, patch, expectRejected, send } = createWriter(server);

const MINUTE = 60_000;

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));
beforeEach(() => server.emulator.clock.advance(MINUTE));
afterEach(() => {
  server.emulator.assumptions = {};
});

const author = (published: boolean) =>
  create(
    'author',
    { fields: { name: '古い', active: true, company: 301 }, 'fields[en]': { name: 'Old', active: true } },
    `published=${published}`,
  );
const now = () => `${new Date(server.emulator.clock.now()).toISOString().slice(0, 19)}Z`;

describe('updating', () => {
  it('§4.5 the response is the id of the item', async () => {
    const id = await author(false);
    expect(await patch(id, 'author', { fields: { name: '新' } })).toBe(id);
  });

  it('§4.5 only the fields in the request are updated', async () => {
    const id = await author(false);
    await patch(id, 'author', { fields: { name: '新' } });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '新', active: true, company: { _id: 301 } });
    expect((await readItem(id, 'lang=en', 'all')).name).toBe('Old');
  });

  it('§4.5 null empties a field', async () => {
    const id = await author(false);
    await patch(id, 'author', { fields: { company: null, name: null } });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '', active: true, company: null });
  });

  it('§4.5 a group in the request is replaced as a whole', async () => {
    const id = await create('article', {
      fields: { seo: { line: 'a', flag: true }, related: [{ line: 'x' }] },
    });
    await patch(id, 'article', { fields: { seo: { line: 'b' }, related: [] } });
    expect(await readItem(id, '', 'all')).toMatchObject({ seo: { line: 'b', flag: null }, related: [] });
  });

  it('§4.5 only the languages in the request are updated', async () => {
    const id = await author(false);
    await patch(id, 'author', { 'fields[en]': { name: 'New' } });
    expect(await readItem(id, 'lang=en', 'all')).toMatchObject({ name: 'New', active: true });
    expect((await readItem(id, '', 'all')).name).toBe('古い');
  });

  it('§4.5 several languages are updated together', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '新' }, 'fields[en]': { name: 'New' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({ name: '新', active: true });
    expect(await readItem(id, 'lang=en')).toMatchObject({ name: 'New', active: true });
  });

  it('§4.5 parallel updates are all applied', async () => {
    const id = await create('every', { fields: {} });
    const values = { text: 'a', multiline: 'b', boolean: true, select: 'one', field_set: { text: 'c' } };
    await Promise.all(
      Object.entries(values).map(([luid, value]) => patch(id, 'every', { fields: { [luid]: value } })),
    );
    expect(await readItem(id, '', 'all')).toMatchObject(values);
  });

  it('§4.5 a new language is added', async () => {
    const id = await author(true);
    await patch(id, 'author', { 'fields[fr]': { name: 'neuf' } }, 'published=true');
    expect(await readItem(id, 'lang=fr')).toMatchObject({ name: 'neuf', active: null });
    await patch(id, 'author', { 'fields[fr]': { active: true } });
    expect(await readItem(id, 'lang=fr', 'all')).toMatchObject({ name: 'neuf', active: true });
  });
});

describe('published', () => {
  it('§4.5 published=false updates the draft, which starts as a copy of the published data', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '下書き' } });
    expect(await readItem(id, '', 'pub')).toMatchObject({ name: '古い', _status: 'published_draft' });
    expect(await readItem(id, '', 'all')).toMatchObject({
      name: '下書き',
      active: true,
      _status: 'published_draft',
    });
    await patch(id, 'author', { fields: { active: false } }, 'published=false');
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '下書き', active: false });
    expect(await readItem(id, '', 'pub')).toMatchObject({ name: '古い', active: true });
  });

  it('§4.5 published=true updates the published data', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({ name: '公開', active: true, _status: 'published' });
  });

  it('§4.5 published=true leaves the draft unchanged', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '下書き' } });
    await patch(id, 'author', { fields: { active: false } }, 'published=true');
    expect(await readItem(id, '', 'pub')).toMatchObject({
      name: '古い',
      active: false,
      _status: 'published_draft',
    });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: '下書き', active: true });
  });

  it('§4.5 published=true publishes a draft with the changes', async () => {
    const id = await create('author', { fields: { name: '下書き', active: true } });
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({ name: '公開', active: true, _status: 'published' });
  });

  it('§4.5 published=true publishes only the languages in the request', async () => {
    const id = await author(false);
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({ name: '公開', _status: 'published_draft' });
    expect(await status(`/contents/${id}?lang=en`, 'pub')).toBe(404);
    expect((await readItem(id, 'lang=en', 'all')).name).toBe('Old');
  });

  it('§4.5 published is true or false', async () => {
    await expectRejected(() => send('PATCH', '/contents/1001?model=filler&published=2', { fields: {} }));
  });
});

describe('the times', () => {
  it('§3 an update changes _last_published_at, never _published_at', async () => {
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({
      _created_at: before._created_at,
      _published_at: before._published_at,
      _last_published_at: now(),
      _updated_at: now(),
    });
  });

  it('§3 updating a draft does not change the publication times', async () => {
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: { name: '下書き' } });
    expect(await readItem(id)).toMatchObject({
      _published_at: before._published_at,
      _last_published_at: before._last_published_at,
      _updated_at: now(),
    });
  });

  it('§3 publishing by an update sets both times', async () => {
    const id = await author(false);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: {} }, 'published=true');
    expect(await readItem(id)).toMatchObject({ _published_at: now(), _last_published_at: now() });
  });

  it('§3 draftTouchesUpdatedAt applies to an updated draft', async () => {
    server.emulator.assumptions.draftTouchesUpdatedAt = false;
    const id = await author(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: { name: '下書き' } });
    expect((await readItem(id, '', 'all'))._updated_at).toBe(before._updated_at);
  });
});

describe('unsupported types', () => {
  it('§4.5 flexible text is rejected', async () => {
    const id = await author(true);
    for (const published of [true, false]) {
      const path = `/contents/${id}?model=author&published=${published}`;
      await expectRejected(() => send('PATCH', path, { fields: { bio: '<p>x</p>' } }));
      await expectRejected(() =>
        send('PATCH', path, { fields: { name: 'x' }, 'fields[en]': { bio: '<p>x</p>' } }),
      );
    }
  });

  it('§4.5 flexible text inside a group is rejected too', async () => {
    await expectRejected(() =>
      send('PATCH', '/contents/101?model=article', { fields: { seo: { rich: '<p>x</p>' } } }),
    );
    await expectRejected(() =>
      send('PATCH', '/contents/101?model=article', { fields: { related: [{ rich: '<p>x</p>' }] } }),
    );
  });

  it('§4.5 patchFlexibleText: flexible text is rejected or accepted', async () => {
    const id = await author(true);
    server.emulator.assumptions.patchFlexibleText = 'accept';
    await patch(id, 'author', { fields: { bio: '<p>taken</p>' } }, 'published=true');
    expect(await readItem(id)).toMatchObject({ bio: '<p>taken</p>', name: '古い' });
  });

  it('§4.5 multi-select is rejected', async () => {
    await expectRejected(() => send('PATCH', '/contents/101?model=article', { fields: { tags: ['red'] } }));
  });

  it('§4.5 an update leaves flexible text and multi-select as they are', async () => {
    const before = await readItem(101, '', 'all');
    await patch(101, 'article', { fields: { slug: 'changed' } }, 'published=true');
    expect(await readItem(101, '', 'all')).toMatchObject({
      slug: 'changed',
      body: before.body,
      tags: before.tags,
    });
  });
});

describe('the path and the query', () => {
  it('§4.5 model is required and must be that of the item', async () => {
    await expectRejected(() => send('PATCH', '/contents/1001', { fields: { title: 'x' } }));
    await expectRejected(() => send('PATCH', '/contents/1001?model=nope', { fields: { title: 'x' } }));
    await expectRejected(() => send('PATCH', '/contents/1001?model=article', { fields: { title: 'x' } }));
  });

  it('§4.5 content_id must be that of an item that is not archived', async () => {
    await expectRejected(() => send('PATCH', '/contents/999999?model=filler', { fields: {} }), 404);
    await expectRejected(() => send('PATCH', '/contents/106?model=article', { fields: {} }), 404);
  });

  it('§4.5 space is where the item exists', async () => {
    await patch(108, 'article', { fields: { title: '店' } }, 'space=shop&published=true');
    expect((await readItem(108)).title).toBe('店');
    await expectRejected(() => send('PATCH', '/contents/108?model=article', { fields: { title: 'x' } }), 404);
    await expectRejected(() => send('PATCH', '/contents/101?model=article&space=lab', { fields: {} }), 404);
  });

  it('§4.5 one invalid value rejects the whole request', async () => {
    const body = { fields: { name: 'done', active: 'no' }, 'fields[en]': { name: 'done' } };
    await expectRejected(() => send('PATCH', '/contents/201?model=author&published=true', body));
    await expectRejected(() =>
      send('PATCH', '/contents/201?model=author', { fields: { name: 'done' }, 'fields[en]': { nope: 1 } }),
    );
  });
});
