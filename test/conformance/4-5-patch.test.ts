import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listening } from './http.ts';
import { writing } from './write-requests.ts';

const server = listening({ rateLimit: false });
const { one, status } = server;
const { create, patch, refused, send } = writing(server);

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

describe('what is updated', () => {
  it('§4.5 the answer is the id of the item', async () => {
    const id = await author(false);
    expect(await patch(id, 'author', { fields: { name: '新' } })).toBe(id);
  });

  it('§4.5 only the given fields are updated', async () => {
    const id = await author(false);
    await patch(id, 'author', { fields: { name: '新' } });
    expect(await one(id, '', 'all')).toMatchObject({ name: '新', active: true, company: { _id: 301 } });
    expect((await one(id, 'lang=en', 'all')).name).toBe('Old');
  });

  it('§4.5 null empties a field', async () => {
    const id = await author(false);
    await patch(id, 'author', { fields: { company: null, name: null } });
    expect(await one(id, '', 'all')).toMatchObject({ name: '', active: true, company: null });
  });

  it('§4.5 a given group is replaced whole', async () => {
    const id = await create('article', {
      fields: { seo: { line: 'a', flag: true }, related: [{ line: 'x' }] },
    });
    await patch(id, 'article', { fields: { seo: { line: 'b' }, related: [] } });
    expect(await one(id, '', 'all')).toMatchObject({ seo: { line: 'b', flag: null }, related: [] });
  });

  it('§4.5 only the given languages are updated', async () => {
    const id = await author(false);
    await patch(id, 'author', { 'fields[en]': { name: 'New' } });
    expect(await one(id, 'lang=en', 'all')).toMatchObject({ name: 'New', active: true });
    expect((await one(id, '', 'all')).name).toBe('古い');
  });

  it('§4.5 several languages are updated at once', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '新' }, 'fields[en]': { name: 'New' } }, 'published=true');
    expect(await one(id)).toMatchObject({ name: '新', active: true });
    expect(await one(id, 'lang=en')).toMatchObject({ name: 'New', active: true });
  });

  it('§4.5 many updates at once are all carried out', async () => {
    const id = await create('every', { fields: {} });
    const values = { text: 'a', multiline: 'b', boolean: true, select: 'one', field_set: { text: 'c' } };
    await Promise.all(
      Object.entries(values).map(([luid, value]) => patch(id, 'every', { fields: { [luid]: value } })),
    );
    expect(await one(id, '', 'all')).toMatchObject(values);
  });

  it('§4.5 a language that was not there is added', async () => {
    const id = await author(true);
    await patch(id, 'author', { 'fields[fr]': { name: 'neuf' } }, 'published=true');
    expect(await one(id, 'lang=fr')).toMatchObject({ name: 'neuf', active: null });
    await patch(id, 'author', { 'fields[fr]': { active: true } });
    expect(await one(id, 'lang=fr', 'all')).toMatchObject({ name: 'neuf', active: true });
  });
});

describe('published', () => {
  it('§4.5 published=false updates the draft, which starts as what is published', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '下書き' } });
    expect(await one(id, '', 'pub')).toMatchObject({ name: '古い', _status: 'published_draft' });
    expect(await one(id, '', 'all')).toMatchObject({
      name: '下書き',
      active: true,
      _status: 'published_draft',
    });
    await patch(id, 'author', { fields: { active: false } }, 'published=false');
    expect(await one(id, '', 'all')).toMatchObject({ name: '下書き', active: false });
    expect(await one(id, '', 'pub')).toMatchObject({ name: '古い', active: true });
  });

  it('§4.5 published=true updates the published data', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await one(id)).toMatchObject({ name: '公開', active: true, _status: 'published' });
  });

  it('§4.5 published=true leaves the draft beside the published data', async () => {
    const id = await author(true);
    await patch(id, 'author', { fields: { name: '下書き' } });
    await patch(id, 'author', { fields: { active: false } }, 'published=true');
    expect(await one(id, '', 'pub')).toMatchObject({
      name: '古い',
      active: false,
      _status: 'published_draft',
    });
    expect(await one(id, '', 'all')).toMatchObject({ name: '下書き', active: true });
  });

  it('§4.5 published=true publishes a draft with the changes', async () => {
    const id = await create('author', { fields: { name: '下書き', active: true } });
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await one(id)).toMatchObject({ name: '公開', active: true, _status: 'published' });
  });

  it('§4.5 published=true publishes the given languages of a draft only', async () => {
    const id = await author(false);
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await one(id)).toMatchObject({ name: '公開', _status: 'published_draft' });
    expect(await status(`/contents/${id}?lang=en`, 'pub')).toBe(404);
    expect((await one(id, 'lang=en', 'all')).name).toBe('Old');
  });

  it('§4.5 published is true or false', async () => {
    await refused(() => send('PATCH', '/contents/1001?model=filler&published=2', { fields: {} }));
  });
});

describe('the times', () => {
  it('§3 _published_at never changes at an update, and _last_published_at follows', async () => {
    const id = await author(true);
    const before = await one(id);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: { name: '公開' } }, 'published=true');
    expect(await one(id)).toMatchObject({
      _created_at: before._created_at,
      _published_at: before._published_at,
      _last_published_at: now(),
      _updated_at: now(),
    });
  });

  it('§3 an updated draft leaves the times of publication', async () => {
    const id = await author(true);
    const before = await one(id);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: { name: '下書き' } });
    expect(await one(id)).toMatchObject({
      _published_at: before._published_at,
      _last_published_at: before._last_published_at,
      _updated_at: now(),
    });
  });

  it('§3 publishing by an update sets both times', async () => {
    const id = await author(false);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: {} }, 'published=true');
    expect(await one(id)).toMatchObject({ _published_at: now(), _last_published_at: now() });
  });

  it('§3 draftTouchesUpdatedAt holds for an updated draft', async () => {
    server.emulator.assumptions.draftTouchesUpdatedAt = false;
    const id = await author(true);
    const before = await one(id);
    server.emulator.clock.advance(MINUTE);
    await patch(id, 'author', { fields: { name: '下書き' } });
    expect((await one(id, '', 'all'))._updated_at).toBe(before._updated_at);
  });
});

describe('what is not supported', () => {
  it('§4.5 flexible text is refused', async () => {
    const id = await author(true);
    for (const published of [true, false]) {
      const path = `/contents/${id}?model=author&published=${published}`;
      await refused(() => send('PATCH', path, { fields: { bio: '<p>x</p>' } }));
      await refused(() => send('PATCH', path, { fields: { name: 'x' }, 'fields[en]': { bio: '<p>x</p>' } }));
    }
  });

  it('§4.5 flexible text inside a group is refused too', async () => {
    await refused(() =>
      send('PATCH', '/contents/101?model=article', { fields: { seo: { rich: '<p>x</p>' } } }),
    );
    await refused(() =>
      send('PATCH', '/contents/101?model=article', { fields: { related: [{ rich: '<p>x</p>' }] } }),
    );
  });

  it('§4.5 patchFlexibleText: flexible text is refused, or taken', async () => {
    const id = await author(true);
    server.emulator.assumptions.patchFlexibleText = 'accept';
    await patch(id, 'author', { fields: { bio: '<p>taken</p>' } }, 'published=true');
    expect(await one(id)).toMatchObject({ bio: '<p>taken</p>', name: '古い' });
  });

  it('§4.5 multi-select is refused', async () => {
    await refused(() => send('PATCH', '/contents/101?model=article', { fields: { tags: ['red'] } }));
  });

  it('§4.5 an update leaves flexible text and multi-select as they are', async () => {
    const before = await one(101, '', 'all');
    await patch(101, 'article', { fields: { slug: 'changed' } }, 'published=true');
    expect(await one(101, '', 'all')).toMatchObject({
      slug: 'changed',
      body: before.body,
      tags: before.tags,
    });
  });
});

describe('the path and the query', () => {
  it('§4.5 model is required, and the item’s own', async () => {
    await refused(() => send('PATCH', '/contents/1001', { fields: { title: 'x' } }));
    await refused(() => send('PATCH', '/contents/1001?model=nope', { fields: { title: 'x' } }));
    await refused(() => send('PATCH', '/contents/1001?model=article', { fields: { title: 'x' } }));
  });

  it('§4.5 content_id must be that of an item that is not archived', async () => {
    await refused(() => send('PATCH', '/contents/999999?model=filler', { fields: {} }), 404);
    await refused(() => send('PATCH', '/contents/106?model=article', { fields: {} }), 404);
  });

  it('§4.5 space is where the item exists', async () => {
    await patch(108, 'article', { fields: { title: '店' } }, 'space=shop&published=true');
    expect((await one(108)).title).toBe('店');
    await refused(() => send('PATCH', '/contents/108?model=article', { fields: { title: 'x' } }), 404);
    await refused(() => send('PATCH', '/contents/101?model=article&space=lab', { fields: {} }), 404);
  });

  it('§4.5 one mistake and nothing of the rest is done', async () => {
    const body = { fields: { name: 'done', active: 'no' }, 'fields[en]': { name: 'done' } };
    await refused(() => send('PATCH', '/contents/201?model=author&published=true', body));
    await refused(() =>
      send('PATCH', '/contents/201?model=author', { fields: { name: 'done' }, 'fields[en]': { nope: 1 } }),
    );
  });
});
