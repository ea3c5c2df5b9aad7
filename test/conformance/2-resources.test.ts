import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { seed } from './conformance-seed.ts';
import { type Item, startServer } from './http.ts';

const server = startServer();
const { list, readItem, status } = server;

const SYSTEM = [
  '_created_at',
  '_id',
  '_last_published_at',
  '_model',
  '_published_at',
  '_space',
  '_status',
  '_title',
  '_updated_at',
];

describe('the content object', () => {
  it('§2.1 _id is an integer', async () => {
    expect((await readItem(101))._id).toBe(101);
  });

  it('§2.1 _model is the LUID of the model', async () => {
    expect((await readItem(301))._model).toBe('company');
  });

  it('§2.1 _title comes from the model’s title field', async () => {
    expect((await readItem(101))._title).toBe('アルファ');
  });

  it('§2.1 _title comes from the first text field if no field is marked', async () => {
    expect((await readItem(201))._title).toBe('花子');
  });

  it('§2.1 _title is in the language of the data', async () => {
    expect((await readItem(101, 'lang=en'))._title).toBe('Alpha');
  });

  it('§2.1 _created_at is ISO 8601 in UTC', async () => {
    expect((await readItem(101))._created_at).toBe('2026-01-01T00:00:00Z');
  });

  it('§2.1 _updated_at is ISO 8601 in UTC', async () => {
    expect((await readItem(101))._updated_at).toBe('2026-03-01T00:00:00Z');
  });

  it('§2.1 _published_at is the first publication', async () => {
    expect((await readItem(101))._published_at).toBe('2026-01-02T00:00:00Z');
  });

  it('§2.1 _published_at is null for draft-only content', async () => {
    expect((await readItem(104, '', 'all'))._published_at).toBeNull();
  });

  it('§2.1 _last_published_at is the last publication', async () => {
    expect((await readItem(101))._last_published_at).toBe('2026-03-01T00:00:00Z');
  });

  it('§2.1 _last_published_at is null for draft-only content', async () => {
    expect((await readItem(104, '', 'all'))._last_published_at).toBeNull();
  });

  it('§2.1 _last_published_at equals _published_at for content last published by 2025-06-25', async () => {
    expect((await readItem(112))._last_published_at).toBe('2025-01-02T00:00:00Z');
    expect((await readItem(113))._last_published_at).toBe('2025-06-26T12:00:00Z');
  });

  it('§2.1 _status is draft, published or published_draft', async () => {
    expect((await readItem(104, '', 'all'))._status).toBe('draft');
    expect((await readItem(101, '', 'all'))._status).toBe('published');
    expect((await readItem(105, '', 'all'))._status).toBe('published_draft');
  });

  it('§2.1 _space exists when sub-spaces are in use', async () => {
    expect((await readItem(101))._space).toBe('_parent');
    expect((await readItem(109, '', 'all'))._space).toBe('lab');
  });

  it('§2.1 _space is absent where sub-spaces are not in use', async () => {
    const { spaces: _, ...plain } = seed;
    const contents = plain.contents.filter((content) => !('space' in content));
    const keys = plain.keys.filter(({ spaces }) => !spaces);
    const other = await startEmulator({ ...plain, keys, contents });
    try {
      const headers = { 'X-SERVICE-API-KEY': 'pub' };
      const response = await fetch(`${other.baseUrl}/contents/101`, { headers });
      const item = (await response.json()) as Item;
      expect(item).not.toHaveProperty('_space');
      expect(item.author).not.toHaveProperty('_space');
      const asked = async (space: string) =>
        (await fetch(`${other.baseUrl}/contents?space=${space}`, { headers })).status;
      expect(await asked('_parent')).toBe(200);
      expect(await asked('shop')).toBe(400);
    } finally {
      await other.close();
    }
  });

  it('§2.1 _prev, _next and _langs exist only when included', async () => {
    const plain = await readItem(101);
    for (const name of ['_prev', '_next', '_langs']) expect(plain).not.toHaveProperty(name);
    const full = await readItem(101, 'include=_prev,_next,_langs');
    for (const name of ['_prev', '_next', '_langs']) expect(full).toHaveProperty(name);
  });

  it('§2.1 without select all system properties and all fields are returned', async () => {
    const names = Object.keys(await readItem(111));
    const fields = ['slug', 'title', 'lead', 'body', 'featured', 'category', 'tags', 'starts_at', 'cover'];
    const groups = ['author', 'related', 'sections', 'seo'];
    expect(names.sort()).toEqual([...SYSTEM, ...fields, ...groups].sort());
  });

  it('§2.1 embedded content has all system properties and fields too', async () => {
    const author = (await readItem(101)).author as Item;
    const fields = ['name', 'bio', 'portrait', 'born', 'active', 'skills', 'company'];
    expect(Object.keys(author).sort()).toEqual([...SYSTEM, ...fields].sort());
  });
});

describe('field values', () => {
  it('§2.2 flexible text is a string of HTML by default', async () => {
    expect((await readItem(401)).flexible_text).toBe('<p>Hello <strong>World</strong></p>');
  });

  it('§2.2 flexible text follows its format', async () => {
    const text = (await readItem(401, 'flexible_text[format]=text')).flexible_text as string;
    expect(text.trim()).toBe('Hello World');
    expect((await readItem(401, 'flexible_text[format]=portable_html')).flexible_text).toContain('World');
    expect((await readItem(401, 'flexible_text[format]=markdown')).flexible_text).toContain('World');
  });

  it('§2.2 single-line text is a string', async () => {
    expect((await readItem(401)).text).toBe('one, two');
  });

  it('§2.2 multi-line text is a string that keeps CR LF', async () => {
    expect((await readItem(401)).multiline).toBe('first\r\nsecond');
  });

  it('§2.2 boolean is a boolean', async () => {
    expect((await readItem(401)).boolean).toBe(false);
  });

  it('§2.2 single select is the option value', async () => {
    expect((await readItem(401)).select).toBe('one');
  });

  it('§2.2 multi select is an array of option values', async () => {
    expect((await readItem(401)).multi_select).toEqual(['two', 'one']);
  });

  it('§2.2 datetime is ISO 8601 in UTC', async () => {
    expect((await readItem(401)).datetime).toBe('2026-05-01T00:00:00Z');
  });

  it('§2.2 media is url and alt, the url under the assets URL', async () => {
    const media = (await readItem(401)).media as Item;
    expect(Object.keys(media).sort()).toEqual(['alt', 'url']);
    expect(media.alt).toBe('青い板');
    expect(media.url).toMatch(new RegExp(`^${server.emulator.assetsUrl}/`));
  });

  it('§2.2 media without alternative text has an empty alt', async () => {
    expect((await readItem(102)).cover).toMatchObject({ alt: '' });
  });

  it('§2.2 the alternative text is in the requested language', async () => {
    expect((await readItem(101, 'lang=en')).cover).toMatchObject({ alt: 'a blue board' });
  });

  it('§2.2 a media url returns the file', async () => {
    const { url } = (await readItem(401)).media as { url: string };
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer()).slice(1, 4)]).toEqual([80, 78, 71]);
  });

  it('§2.2 a media url accepts width, height, format and fit', async () => {
    const { url } = (await readItem(401)).media as { url: string };
    const response = await fetch(`${url}?width=20&height=10&format=webp&fit=bounds`);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  });

  it('§2.2 a reference is content while depth remains, else an id', async () => {
    expect((await readItem(401)).reference).toMatchObject({ _id: 201, name: '花子', company: 301 });
    expect((await readItem(401, 'depth=0')).reference).toBe(201);
  });

  it('§2.2 a repeat is an array of objects', async () => {
    expect((await readItem(401)).repeat).toEqual([
      { text: 'a', number: true },
      { text: 'b', number: null },
    ]);
  });

  it('§2.2 a combination is an array of luid and fields, where a luid may recur', async () => {
    expect((await readItem(401)).combination).toEqual([
      { luid: 'block', fields: { text: 'first' } },
      { luid: 'block', fields: { text: 'second' } },
    ]);
  });

  it('§2.2 a field set is an object', async () => {
    expect((await readItem(401)).field_set).toEqual({ text: 'inside' });
  });

  it('§2.2 empty texts are empty strings, empty lists are empty arrays, the rest is null', async () => {
    expect(await readItem(402)).toMatchObject({
      flexible_text: '',
      text: '',
      multiline: '',
      boolean: null,
      select: null,
      multi_select: [],
      datetime: null,
      media: null,
      reference: null,
      repeat: [],
      combination: [],
      unknown: null,
    });
  });

  it('§2.2 emptyValues: all empty fields are null, or omitted', async () => {
    const { assumptions } = server.emulator;
    assumptions.emptyValues = 'null';
    const item = await readItem(402);
    expect(item).toMatchObject({ text: null, multi_select: null, media: null, repeat: null });
    expect(item._published_at).toBeDefined();
    assumptions.emptyValues = 'omitted';
    const short = await readItem(402);
    expect(Object.keys(short).filter((name) => item[name] === null && !name.startsWith('_'))).toEqual([]);
    expect(short.title).toBe(item.title);
    assumptions.emptyValues = 'typed';
  });

  it('§2.2 references inside repeats, combinations and field sets are content too', async () => {
    const item = await readItem(101);
    expect((item.related as Item[])[0]).toMatchObject({ article: { _id: 102 }, person: { name: '太郎' } });
    expect((item.sections as Item[])[1]).toMatchObject({ fields: { speaker: { _id: 201 } } });
    expect(item.seo).toMatchObject({ person: { name: '花子' } });
  });

  it('§2.2 _langs has the current and the available languages', async () => {
    expect((await readItem(101, 'lang=en&include=_langs'))._langs).toEqual({
      current: 'en',
      available: ['ja', 'en', 'fr'],
    });
  });

  it('§2.2 a language whose publication does not match the key is not available', async () => {
    expect((await readItem(107, 'include=_langs', 'pub'))._langs).toEqual({
      current: 'ja',
      available: ['ja'],
    });
    expect((await readItem(107, 'include=_langs', 'all'))._langs).toEqual({
      current: 'ja',
      available: ['ja', 'en'],
    });
  });
});

describe('definitions', () => {
  it('§2.2 no endpoint returns models, field sets or spaces', async () => {
    for (const path of ['/models', '/models/article', '/field_sets', '/spaces', '/fields']) {
      expect(await status(path), path).toBe(404);
    }
  });
});

describe('the list envelope', () => {
  it('§2.3 a list has total, offset, limit and data, and nothing else', async () => {
    expect(Object.keys(await list()).sort()).toEqual(['data', 'limit', 'offset', 'total']);
  });

  it('§2.3 total is the number of matching items, whatever the page', async () => {
    expect((await list('model=filler&limit=7&offset=3')).total).toBe(120);
  });

  it('§2.3 offset is the start position used', async () => {
    expect((await list('model=filler&offset=3')).offset).toBe(3);
    expect((await list('model=filler')).offset).toBe(0);
  });

  it('§2.3 limit is the maximum count used', async () => {
    expect((await list('model=filler&limit=7')).limit).toBe(7);
    expect((await list('model=filler')).limit).toBe(100);
  });

  it('§2.3 data is an array of content objects', async () => {
    const { data } = await list('model=article&limit=2');
    expect(data).toHaveLength(2);
    for (const item of data) expect(item).toMatchObject({ _model: 'article', title: expect.any(String) });
  });
});
