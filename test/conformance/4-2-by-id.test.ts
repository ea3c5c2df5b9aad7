import { describe, expect, it } from 'vitest';
import { errorBody, type Item, startServer } from './http.ts';

const { request, ids, list, readItem, status } = startServer();

describe('one item', () => {
  it('§4.2 the response is one content object, equal to that of the list', async () => {
    expect(await readItem(101)).toEqual((await list('_id[eq]=101')).data[0]);
  });

  it('§4.2 an unknown id is not found', async () => {
    expect(await request('/contents/999999')).toMatchObject({ status: 404, body: errorBody(404) });
  });

  it('§4.2 an id that is not an integer is rejected', async () => {
    for (const id of ['x', '1.5', '-1', '101x', '0x65', '%20', '1e2', '__proto__']) {
      const { status, body } = await request(`/contents/${id}`);
      expect([400, 404], id).toContain(status);
      expect(body, id).toEqual(errorBody(status));
    }
  });

  it('§4.2 select applies', async () => {
    expect(await readItem(101, 'select=_id,author.name')).toEqual({ _id: 101, author: { name: '花子' } });
  });

  it('§4.2 depth applies, 0 to 3', async () => {
    expect((await readItem(101, 'depth=0')).author).toBe(201);
    expect(await readItem(101, 'depth=3')).toMatchObject({
      author: { company: { flagship: { author: 201 } } },
    });
    expect(await status('/contents/101?depth=4')).toBe(400);
  });

  it('§4.2 depth 0 means that references are always ids', async () => {
    const item = await readItem(101, 'depth=0&include=_next&model=article&order=_created_at');
    expect(item.author).toBe(201);
    expect((item._next as Item).author).toBe(202);
  });

  it('§4.2 references deeper than depth become ids', async () => {
    expect(((await readItem(101)).author as Item).company).toBe(301);
  });

  it('§4.2 depth takes precedence over select', async () => {
    expect(await readItem(101, 'depth=0&select=author.name,related.article.slug')).toEqual({
      author: 201,
      related: [{ article: 102 }, { article: 101 }],
    });
  });

  it('§4.2 lang applies', async () => {
    expect((await readItem(101, 'lang=en')).title).toBe('Alpha');
    expect(await status('/contents/102?lang=en')).toBe(404);
    expect(await status('/contents/110')).toBe(404);
    expect(await status('/contents/101?lang=de')).toBe(400);
  });

  it('§4.2 lang_fallback applies', async () => {
    expect((await readItem(102, 'lang=en&lang_fallback=true')).title).toBe('ベータ');
    expect(await status('/contents/101?lang=en&lang_fallback=maybe')).toBe(400);
  });

  it('§4.2 format applies', async () => {
    expect(String((await readItem(101, 'body[format]=text')).body).trim()).toBe('Hello World');
    expect(await status('/contents/101?body[format]=pdf')).toBe(400);
  });
});

describe('include', () => {
  it('§4.2 include _langs returns the languages', async () => {
    expect((await readItem(103, 'include=_langs'))._langs).toEqual({
      current: 'ja',
      available: ['ja', 'en'],
    });
  });

  it('§4.2 include _langs returns the language of the data after a fallback', async () => {
    expect((await readItem(102, 'lang=en&lang_fallback=true&include=_langs'))._langs).toEqual({
      current: 'ja',
      available: ['ja'],
    });
  });

  it('§4.2 include accepts several', async () => {
    const item = await readItem(101, 'include=_prev,_langs');
    expect(item).toHaveProperty('_prev');
    expect(item).toHaveProperty('_langs');
    expect(item).not.toHaveProperty('_next');
  });

  it('§4.2 include is valid on this endpoint only', async () => {
    expect(await request('/contents?include=_langs')).toMatchObject({ status: 400, body: errorBody(400) });
  });

  it('§4.2 include of anything else is rejected', async () => {
    for (const include of ['_id', 'author', '_prev,nope', '__proto__']) {
      expect(await status(`/contents/101?include=${include}`), include).toBe(400);
    }
  });
});

describe('neighbours', () => {
  const neighbours = async (id: number, query: string, key: 'pub' | 'all' = 'pub') => {
    const item = await readItem(id, `include=_prev,_next&select=_prev._id,_next._id&${query}`, key);
    return [(item._prev as Item | null)?._id, (item._next as Item | null)?._id];
  };

  it('§4.2 _prev and _next are those before and after in the list, in every order', async () => {
    for (const order of ['_created_at', '-_created_at', 'title', '-starts_at,_id', '-category,slug']) {
      const all = await ids(`model=article&order=${order}`);
      for (const [index, id] of all.entries()) {
        expect(await neighbours(id as number, `model=article&order=${order}`), `${order} ${id}`).toEqual([
          all[index - 1],
          all[index + 1],
        ]);
      }
    }
  });

  it('§4.2 _prev and _next use the default order without an order parameter', async () => {
    expect(await neighbours(107, 'model=article')).toEqual([108, 105]);
  });

  it('§4.2 _prev and _next cover all models unless model names some', async () => {
    const all = await ids('order=-_created_at');
    const index = all.indexOf(301);
    expect(await neighbours(301, '')).toEqual([all[index - 1], all[index + 1]]);
    expect(await neighbours(301, 'model=company')).toEqual([undefined, undefined]);
  });

  it('§4.2 _prev and _next are null at the ends', async () => {
    expect(await readItem(111, 'include=_prev,_next&model=article&select=_prev')).toEqual({ _prev: null });
    expect(await readItem(112, 'include=_prev,_next&model=article&select=_next')).toEqual({ _next: null });
  });

  it('§4.2 _prev and _next follow the filter parameters', async () => {
    expect(await neighbours(103, 'model=article&order=_id&category[eq]=news')).toEqual([101, 105]);
  });

  it('§4.2 _prev and _next are null if the item does not match the filters', async () => {
    expect(await neighbours(102, 'model=article&category[eq]=news')).toEqual([undefined, undefined]);
  });

  it('§4.2 _prev and _next are content that the key can read', async () => {
    expect(await neighbours(105, 'model=article&order=_created_at', 'pub')).toEqual([103, 107]);
    expect(await neighbours(105, 'model=article&order=_created_at', 'all')).toEqual([104, 107]);
  });

  it('§4.2 _prev and _next have data in the requested language', async () => {
    const item = await readItem(103, 'include=_prev,_next&model=article&order=_id&lang=en');
    expect(item._prev).toMatchObject({ _id: 101, title: 'Alpha' });
    expect(item._next).toMatchObject({ _id: 105, title: 'Delta' });
  });

  it('§4.2 _prev and _next are complete content objects, to the same depth', async () => {
    const item = await readItem(102, 'include=_prev&model=article&order=_created_at');
    expect(item._prev).toEqual(await readItem(101));
  });

  it('§4.2 select addresses _prev and _next', async () => {
    expect(
      await readItem(102, 'include=_prev,_next&model=article&order=_id&select=_prev._id,_next.slug'),
    ).toEqual({
      _prev: { _id: 101 },
      _next: { slug: 'gamma' },
    });
  });

  it('§4.2 select that does not list _prev omits it', async () => {
    expect(await readItem(102, 'include=_prev&model=article&select=slug')).toEqual({ slug: 'beta' });
  });

  it('§4.2 model does not decide which item is returned', async () => {
    expect((await readItem(101, 'model=company'))._id).toBe(101);
  });

  it('§4.2 an order or model parameter that is wrong is rejected', async () => {
    expect(await status('/contents/101?include=_prev&order=nope')).toBe(400);
  });
});
