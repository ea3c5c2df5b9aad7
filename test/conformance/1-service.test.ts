import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { seed } from './conformance-seed.ts';
import { type Item, startServer } from './http.ts';

const { ids, list, readItem, status } = startServer();

describe('what the service does', () => {
  it('§1 content is typed by a model', async () => {
    expect((await readItem(101))._model).toBe('article');
    expect((await readItem(201))._model).toBe('author');
  });

  it('§1 reads return published or draft content, depending on the key', async () => {
    expect((await readItem(105, '', 'pub')).title).toBe('公開デルタ');
    expect((await readItem(105, '', 'all')).title).toBe('下書きデルタ');
  });

  it('§1 one language is the main language, and an item may have sub-language data', async () => {
    expect((await readItem(101)).title).toBe('アルファ');
    expect((await readItem(101, 'lang=en')).title).toBe('Alpha');
    expect((await readItem(101, 'lang=fr')).title).toBe('Alpha en français');
  });

  it('§1 the parent space has the fixed LUID _parent', async () => {
    expect((await readItem(101))._space).toBe('_parent');
    expect((await readItem(108))._space).toBe('shop');
  });
});

describe('archived', () => {
  it('§1 archived content cannot be fetched by id', async () => {
    expect(await status('/contents/106', 'pub')).toBe(404);
    expect(await status('/contents/106', 'all')).toBe(404);
  });

  it('§1 archived content is not in lists and totals', async () => {
    expect(await ids('model=article', 'all')).not.toContain(106);
    expect((await list('slug[eq]=archived', 'all')).total).toBe(0);
  });

  it('§1 archived content is not a neighbour', async () => {
    const item = await readItem(107, 'include=_prev,_next&model=article&order=_created_at', 'all');
    expect((item._prev as Item)._id).toBe(105);
  });

  it('§1 a reference to archived content is empty', async () => {
    expect((await readItem(103)).author).toBeNull();
  });

  it('§1 a reference to archived content is empty at depth 0 too', async () => {
    expect((await readItem(103, 'depth=0')).author).toBeNull();
  });

  it('§1 a media field that refers to archived media is empty', async () => {
    expect((await readItem(103)).cover).toBeNull();
  });

  it('§1 inside a repeat, a combination and a field set archived content and media are empty', async () => {
    const item = await readItem(103);
    const [entry] = item.related as Item[];
    expect(entry).toMatchObject({ line: 'gone', article: null, person: null, picture: null });
    expect(item.sections).toEqual([
      { luid: 'hero', fields: { image: null, caption: 'gone' } },
      { luid: 'quote', fields: { text: 'gone', speaker: null } },
    ]);
    expect(item.seo).toMatchObject({ line: 'about gamma', person: null, picture: null });
  });

  it('§1 filters by archived content match nothing', async () => {
    expect(await ids('author[eq]=203')).toEqual([]);
    expect(await ids('author.name[eq]=保管')).toEqual([]);
    expect(await ids('related.person[eq]=203')).toEqual([]);
  });
});

describe('identifiers', () => {
  it('§1 content is addressed by a numeric id', async () => {
    expect((await readItem(101))._id).toBe(101);
  });

  it('§1 models and fields are addressed by their LUID', async () => {
    expect(await ids('model=company&name[eq]=会社')).toEqual([301]);
  });

  it('§1 field sets are addressed by their LUID', async () => {
    expect(await ids('seo.line[eq]=about beta')).toEqual([102]);
    const { sections } = await readItem(101, 'select=sections');
    expect((sections as Item[]).map(({ luid }) => luid)).toEqual(['hero', 'quote', 'hero']);
  });

  it('§1 media is addressed by a numeric id', async () => {
    const media = [{ id: 'cover', file: 'wide.png' }];
    await expect(startEmulator({ ...seed, media })).rejects.toThrow(/media\[0\]\.id/);
  });

  it('§1 a path with a model LUID does not exist', async () => {
    expect([400, 404]).toContain(await status('/contents/article'));
  });

  it('§1 field LUIDs are unique within their model only', async () => {
    expect((await readItem(1001)).title).toBe('filler 0');
    expect((await readItem(101)).title).toBe('アルファ');
  });

  it('§1 field LUIDs are unique within their field set only', async () => {
    const item = await readItem(401, 'depth=0');
    expect(item.text).toBe('one, two');
    expect(item.field_set).toEqual({ text: 'inside' });
  });

  it('§1 a LUID has lowercase letters, digits and underscores only', async () => {
    const models = { 'Not-a-luid': { title: { type: 'text' } } };
    await expect(startEmulator({ ...seed, models, contents: [] })).rejects.toThrow(/Not-a-luid/);
  });

  it('§1 two different field sets cannot have one LUID', async () => {
    const models = {
      a: { meta: { type: 'field_set', fields: { x: { type: 'text' } } } },
      b: { meta: { type: 'field_set', fields: { y: { type: 'text' } } } },
    };
    await expect(startEmulator({ ...seed, models, contents: [] })).rejects.toThrow(/meta/);
  });

  it('§1 a content id belongs to one item only', async () => {
    const contents = [...seed.contents, seed.contents[0]];
    await expect(startEmulator({ ...seed, contents })).rejects.toThrow(/101/);
  });
});

describe('names that mean something elsewhere', () => {
  it('§1 fields named __proto__, constructor, then and collection are ordinary fields', async () => {
    const item = await readItem(501);
    for (const [luid, value] of [
      ['__proto__', 'proto'],
      ['constructor', 'built'],
      ['then', 'later'],
      ['collection', 'stamps'],
    ] as const) {
      expect(Object.getOwnPropertyDescriptor(item, luid)?.value, luid).toBe(value);
    }
    const inner = item.tostring as Item;
    expect(Object.getOwnPropertyDescriptor(inner, '__proto__')?.value).toBe('inner proto');
    expect(Object.getOwnPropertyDescriptor(inner, 'constructor')?.value).toBe('inner built');
  });

  it('§1 such fields are empty in items without a value', async () => {
    const item = await readItem(502);
    for (const luid of ['__proto__', 'constructor', 'then', 'collection']) {
      expect(Object.getOwnPropertyDescriptor(item, luid)?.value, luid).toBe('');
    }
  });

  it('§1 such names work in select, order, filters and model', async () => {
    expect(await ids('model=constructor&order=label')).toEqual([502, 501]);
    expect(await ids('model=constructor&order=__proto__')).toEqual([501, 502]);
    expect(await ids('__proto__[eq]=proto')).toEqual([501]);
    expect(await ids('constructor[contains]=uil')).toEqual([501]);
    expect(await ids('then[in]=later,sooner')).toEqual([501]);
    expect(await ids('tostring.__proto__[eq]=inner proto')).toEqual([501]);
    const selected = await readItem(501, 'select=__proto__,constructor,tostring.constructor');
    expect(Object.keys(selected).sort()).toEqual(['__proto__', 'constructor', 'tostring']);
    expect(JSON.stringify(selected.tostring)).toBe('{"constructor":"inner built"}');
  });

  it('§1 a system property takes precedence over a field of the same name', async () => {
    expect((await readItem(501))._id).toBe(501);
    expect(await ids('_id[eq]=501')).toEqual([501]);
  });
});
