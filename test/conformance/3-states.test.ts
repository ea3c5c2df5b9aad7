import { beforeAll, describe, expect, it } from 'vitest';
import { type Item, startServer } from './http.ts';

const server = startServer();
const { ids, list, readItem, status } = server;

const MINUTE = 60_000;

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));

const create = (published: boolean) =>
  server.emulator.contents.create({
    model: 'filler',
    [published ? 'published' : 'draft']: { ja: { title: 'new' } },
  });

describe('reads in each state', () => {
  it('§3 draft: only a key that reads drafts returns the item', async () => {
    const id = create(false);
    expect(await readItem(id, '', 'all')).toMatchObject({ _status: 'draft', title: 'new' });
    expect(await status(`/contents/${id}`, 'pub')).toBe(404);
    expect(await ids(`_id[eq]=${id}`, 'pub')).toEqual([]);
  });

  it('§3 published: both kinds of key read the same data', async () => {
    const id = create(true);
    const item = await readItem(id, '', 'pub');
    expect(item).toMatchObject({ _status: 'published', title: 'new' });
    expect(await readItem(id, '', 'all')).toEqual(item);
  });

  it('§3 published_draft: each kind of key reads its own data', async () => {
    const id = create(true);
    server.emulator.contents.saveDraft(id, { title: 'changed' });
    expect(await readItem(id, '', 'pub')).toMatchObject({
      title: 'new',
      _title: 'new',
      _status: 'published_draft',
    });
    expect(await readItem(id, '', 'all')).toMatchObject({
      title: 'changed',
      _title: 'changed',
      _status: 'published_draft',
    });
  });

  it('§3 a filter compares the data that the key reads', async () => {
    expect(await ids('category[eq]=news&_id[eq]=105', 'pub')).toEqual([105]);
    expect(await ids('category[eq]=news&_id[eq]=105', 'all')).toEqual([]);
    expect(await ids('category[eq]=event&_id[eq]=105', 'all')).toEqual([105]);
  });

  it('§3 a reference contains the data that the key reads', async () => {
    expect((await readItem(105, '', 'pub')).author).toMatchObject({ name: '次郎' });
    expect((await readItem(105, '', 'all')).author).toMatchObject({ name: '次郎（改）' });
  });

  it('§3 a draft in one language leaves the others as published', async () => {
    expect((await readItem(105, 'lang=en', 'all')).title).toBe('Delta');
  });
});

describe('from state to state', () => {
  it('§3 publishing a draft makes it visible to every key', async () => {
    const id = create(false);
    server.emulator.contents.publish(id);
    expect(await readItem(id, '', 'pub')).toMatchObject({ _status: 'published', title: 'new' });
  });

  it('§3 publishing again replaces the published data', async () => {
    const id = create(true);
    server.emulator.contents.saveDraft(id, { title: 'second' });
    server.emulator.contents.publish(id);
    expect(await readItem(id, '', 'pub')).toMatchObject({ _status: 'published', title: 'second' });
  });

  it('§3 _published_at never changes once set, _last_published_at does', async () => {
    const id = create(true);
    const before = await readItem(id);
    expect(before._published_at).toBe(before._last_published_at);
    server.emulator.clock.advance(MINUTE);
    server.emulator.contents.saveDraft(id, { title: 'second' });
    server.emulator.contents.publish(id);
    const after = await readItem(id);
    expect(after._published_at).toBe(before._published_at);
    expect(Date.parse(after._last_published_at as string)).toBe(
      Date.parse(before._last_published_at as string) + MINUTE,
    );
  });

  it('§3 _published_at stays while an item is unpublished and published again', async () => {
    const id = create(true);
    const before = await readItem(id);
    server.emulator.clock.advance(MINUTE);
    server.emulator.contents.unpublish(id);
    expect(await status(`/contents/${id}`, 'pub')).toBe(404);
    expect(await readItem(id, '', 'all')).toMatchObject({
      _status: 'draft',
      _published_at: before._published_at,
    });
    server.emulator.contents.publish(id);
    expect((await readItem(id))._published_at).toBe(before._published_at);
  });

  it('§3 discarding a draft restores the published data', async () => {
    const id = create(true);
    server.emulator.contents.saveDraft(id, { title: 'changed' });
    server.emulator.contents.discardDraft(id);
    expect(await readItem(id, '', 'all')).toMatchObject({ _status: 'published', title: 'new' });
  });

  it('§3 archiving an item empties references to it, restoring fills them again', async () => {
    const { contents } = server.emulator;
    contents.archive(202);
    expect(await status('/contents/202')).toBe(404);
    expect((await readItem(102)).author).toBeNull();
    contents.restore(202);
    expect((await readItem(102)).author).toMatchObject({ _id: 202 });
  });

  it('§3 archiving media empties the fields with it, restoring fills them again', async () => {
    const { media } = server.emulator;
    const before = await readItem(102);
    media.archive(902);
    expect((await readItem(102)).cover).toBeNull();
    media.restore(902);
    expect((await readItem(102)).cover).toEqual(before.cover);
  });

  it('§3 the next list contains a changed item at its new position', async () => {
    const id = create(true);
    const order = () => ids('model=filler&order=title&limit=100');
    expect((await order())[0]).not.toBe(id);
    server.emulator.clock.advance(MINUTE);
    server.emulator.contents.edit(id, { title: 'aaa' });
    expect((await order())[0]).toBe(id);
    expect((await ids('model=filler&order=-_updated_at&limit=1', 'all'))[0]).toBe(id);
    expect((await readItem(1001, 'include=_prev&model=filler&order=title'))._prev as Item).toMatchObject({
      _id: id,
    });
    server.emulator.contents.edit(id, { title: 'filler 0a' });
    expect((await order()).slice(0, 2)).toEqual([1001, id]);
    server.emulator.contents.remove(id);
    expect(await order()).not.toContain(id);
  });

  it('§3 a change of referenced content affects filters and values through it', async () => {
    const query = 'model=article&author.name[eq]=三郎&select=_id,author.name';
    expect((await list(query, 'all')).data).toEqual([]);
    server.emulator.contents.edit(202, { name: '三郎' });
    expect((await list(query, 'all')).data).toEqual([{ _id: 102, author: { name: '三郎' } }]);
    server.emulator.contents.edit(202, { name: '太郎' });
    expect((await list(query, 'all')).data).toEqual([]);
  });
});
