import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';

const { request, ids, list } = startServer();

const ARTICLES = [101, 102, 103, 105, 107, 108, 111, 112, 113];

describe('order', () => {
  it('§4.1 order defaults to -_created_at', async () => {
    expect(await ids('model=article')).toEqual(await ids('model=article&order=-_created_at'));
    expect((await ids('model=article'))[0]).toBe(111);
    expect((await ids('model=article')).at(-1)).toBe(112);
  });

  it('§4.1 order by a system property, ascending', async () => {
    expect(await ids('model=article&order=_updated_at')).toEqual([
      112, 113, 107, 108, 111, 102, 103, 101, 105,
    ]);
  });

  it('§4.1 order with a leading - is descending', async () => {
    expect(await ids('model=article&order=-_updated_at')).toEqual([
      105, 101, 103, 102, 111, 108, 107, 113, 112,
    ]);
  });

  it('§4.1 order by text', async () => {
    expect(await ids('model=author&order=name')).toEqual([202, 205, 206, 201]);
  });

  it('§4.1 order by single select', async () => {
    expect(await ids('model=article&order=category&category[in]=news,event')).toEqual([
      102, 108, 101, 103, 105,
    ]);
  });

  it('§4.1 order by boolean', async () => {
    expect(await ids('model=author&order=active&_id[in]=201,202')).toEqual([202, 201]);
    expect(await ids('model=author&order=-active&_id[in]=201,202')).toEqual([201, 202]);
  });

  it('§4.1 order by datetime compares instants', async () => {
    expect(await ids('model=article&order=starts_at&starts_at[gt]=2000-01-01T00:00:00Z')).toEqual([
      113, 101, 112, 102, 103,
    ]);
  });

  it('§4.1 order by several, each in its direction', async () => {
    expect(await ids('model=article&order=category,-slug&category[in]=news,event')).toEqual([
      108, 102, 103, 105, 101,
    ]);
    expect(await ids('model=article&order=-_created_at,-_id&_id[in]=101,102,103')).toEqual([103, 102, 101]);
  });

  it('§4.1 order by a field of a field set', async () => {
    expect(await ids('model=article&order=-seo.line&seo.line[contains]=about')).toEqual([103, 102, 101]);
  });

  it('§4.1 order puts items without a value last when ascending, first when descending', async () => {
    expect((await ids('model=article&order=slug')).at(-1)).toBe(111);
    expect((await ids('model=article&order=-slug'))[0]).toBe(111);
  });

  it('§4.1 equal values have the same order in each request', async () => {
    const whole = await ids('model=filler&order=_created_at', 'all');
    const pages = [];
    for (let offset = 0; offset < 120; offset += 7) {
      pages.push(...(await ids(`model=filler&order=_created_at&limit=7&offset=${offset}`, 'all')));
    }
    expect(pages.slice(0, 100)).toEqual(whole);
    expect(new Set(pages).size).toBe(120);
  });

  it('§4.1 order compares in the requested language', async () => {
    expect(await ids('model=article&lang=en&order=title')).toEqual([101, 105, 103, 110, 108]);
  });

  it('§4.1 order by a type that cannot be sorted is rejected', async () => {
    for (const luid of [
      'flexible_text',
      'multi_select',
      'media',
      'reference',
      'repeat',
      'combination',
      'field_set',
      'nope',
    ]) {
      expect((await request(`/contents?model=every&order=${luid}`)).status, luid).toBe(400);
    }
  });
});

describe('limit and offset', () => {
  it('§4.1 limit defaults to 100', async () => {
    const { limit, data } = await list('model=filler');
    expect(limit).toBe(100);
    expect(data).toHaveLength(100);
  });

  it('§4.1 limit is from 1 to 100', async () => {
    expect((await list('model=filler&limit=1')).data).toHaveLength(1);
    expect((await list('model=filler&limit=100')).data).toHaveLength(100);
    for (const limit of ['0', '101', '-1', '2.5', 'x', '', '1e1', '99999999999999999999']) {
      expect((await request(`/contents?limit=${limit}`)).status, limit).toBe(400);
    }
  });

  it('§4.1 offset defaults to 0', async () => {
    expect(await ids('model=filler&limit=3&order=_id')).toEqual([1001, 1002, 1003]);
  });

  it('§4.1 offset is the first position returned', async () => {
    expect(await ids('model=filler&limit=3&order=_id&offset=118')).toEqual([1119, 1120]);
  });

  it('§4.1 offset past the end returns no data and the same total', async () => {
    expect(await list('model=filler&offset=500')).toEqual({ total: 120, offset: 500, limit: 100, data: [] });
  });

  it('§4.1 offset is a whole number of at least 0', async () => {
    for (const offset of ['-1', '1.5', 'x', '']) {
      expect((await request(`/contents?offset=${offset}`)).status, offset).toBe(400);
    }
  });
});

describe('model', () => {
  it('§4.1 model restricts to one model', async () => {
    expect(await ids('model=article&order=_id')).toEqual(ARTICLES);
  });

  it('§4.1 model accepts several', async () => {
    expect(await ids('model=company,link&order=_id')).toEqual([301, 351, 352]);
  });

  it('§4.1 model omitted means all models mixed', async () => {
    const { data, total } = await list('order=_id');
    expect(new Set(data.map((item) => item._model)).size).toBeGreaterThan(4);
    expect(total).toBe(9 + 4 + 1 + 2 + 2 + 2 + 120);
  });

  it('§4.1 model that does not exist matches nothing', async () => {
    expect(await list('model=nope')).toEqual({ total: 0, offset: 0, limit: 100, data: [] });
    expect(await ids('model=nope,company')).toEqual([301]);
    expect(await ids('model=nope&_updated_at[gt]=2000-01-01T00:00:00Z&order=_id')).toEqual([]);
  });
});
