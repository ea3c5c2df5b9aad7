import { describe, expect, test } from 'vitest';
import { field, LuidConfigError } from '../../../src/index.ts';
import { empty, scripted } from '../scripted-service.ts';

type Service = ReturnType<typeof scripted>;

/** The query string that a call sends, decoded. */
async function sentBy(call: (contents: Service['client']['contents']) => Promise<unknown>, options = {}) {
  const { client, clock, sent } = scripted(({ url }) => {
    const id = /contents\/(\d+)/.exec(url.pathname)?.[1];
    const limit = Number(url.searchParams.get('limit') ?? 100);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return id ? Response.json({ _id: Number(id) }) : Response.json({ total: 0, offset, limit, data: [] });
  }, options);
  await clock.run(call(client.contents));
  return sent.map(({ url }) => decodeURIComponent(`${url.pathname}${url.search}`).replaceAll('+', ' '))[0];
}

describe('a query becomes parameters', () => {
  test('of §4.1, sorted, so that equal queries give equal URLs', async () => {
    const search = await sentBy((contents) =>
      contents.list(['item', 'page'], {
        where: {
          title: { eq: 'a,b', in: ['c', 'd'] },
          featured: { eq: false },
          author: { in: [1, 2] },
          'author.name': { contains: ['x', 'y'] },
          _updated_at: { gte: new Date(0), lt: '2026-01-01T00:00:00+09:00' },
        },
        contains: ['one', 'two'],
        order: ['-starts_at', 'title'],
        select: ['title', 'author.name'],
        format: { body: 'markdown' },
        depth: 2,
        lang: 'en',
        fallback: true,
        space: 'shop',
        limit: 5,
        offset: 10,
      }),
    );
    expect(search).toBe(
      '/v1/contents?_updated_at[gte]=1970-01-01T00:00:00.000Z&_updated_at[lt]=2026-01-01T00:00:00+09:00'.replace(
        '+',
        ' ',
      ) +
        '&author.name[contains]=x,y&author[in]=1,2&body[format]=markdown&contains=one,two&depth=2&featured[eq]=false' +
        '&lang=en&lang_fallback=true&limit=5&model=item,page&offset=10&order=-starts_at,title' +
        '&select=title,author.name&space=shop&title[eq]=a,b&title[in]=c,d',
    );
  });

  test('of §4.2', async () => {
    const search = await sentBy((contents) =>
      contents.get(7, {
        include: ['_prev', '_langs'],
        neighbours: { model: 'item', order: '-starts_at', where: { title: { eq: 'a' } } },
      }),
    );
    expect(search).toBe('/v1/contents/7?include=_prev,_langs&model=item&order=-starts_at&title[eq]=a');
  });

  test('without those that were not passed', async () => {
    expect(await sentBy((contents) => contents.list('item', { where: {}, fallback: false }))).toBe(
      '/v1/contents?model=item',
    );
    expect(await sentBy((contents) => contents.get(7))).toBe('/v1/contents/7');
  });

  test('without lists that are empty', async () => {
    const none = { select: [], order: [], contains: [] };
    const where = { title: { contains: [] } };
    expect(await sentBy((contents) => contents.list('item', { ...none, where }))).toBe(
      '/v1/contents?model=item',
    );
    expect(await sentBy((contents) => contents.count('item', { contains: [] }))).toBe(
      '/v1/contents?depth=0&limit=1&model=item&select=_id',
    );
    const query = { select: [], include: [], neighbours: { order: [] } };
    expect(await sentBy((contents) => contents.get(7, query))).toBe('/v1/contents/7');
    const all = await sentBy((contents) => contents.all('item', none));
    expect(all).toBe(await sentBy((contents) => contents.all('item')));
  });

  test('with the formats that the model map declares', async () => {
    const models = {
      item: { body: field.flexibleText({ format: 'markdown' }), note: field.flexibleText() },
      page: { body: field.flexibleText() },
    };
    const options = { models };
    expect(await sentBy((contents) => contents.list('item'), options)).toBe(
      '/v1/contents?body[format]=markdown&model=item',
    );
    expect(await sentBy((contents) => contents.list('page'), options)).toBe('/v1/contents?model=page');
    expect(await sentBy((contents) => contents.list('item', { format: { body: 'text' } }), options)).toBe(
      '/v1/contents?body[format]=text&model=item',
    );
    await expect(sentBy((contents) => contents.list(['item', 'page']), options)).rejects.toThrow(
      'item and page declare different formats for body[format]',
    );
    expect(
      await sentBy((contents) => contents.list(['item', 'page'], { format: { body: 'text' } }), options),
    ).toBe('/v1/contents?body[format]=text&model=item,page');
  });

  test('are requested although another model has such a field of another type', async () => {
    const options = {
      models: {
        item: {
          body: field.flexibleText({ format: 'markdown' }),
          seo: field.fieldSet({ text: field.text() }),
        },
        page: {
          body: field.multiline(),
          seo: field.fieldSet({ text: field.flexibleText({ format: 'text' }) }),
        },
      },
    };
    const formats = 'body[format]=markdown';
    expect(await sentBy((contents) => contents.list(['item', 'page']), options)).toBe(
      `/v1/contents?${formats}&model=item,page&seo.text[format]=text`,
    );
    expect(await sentBy((contents) => contents.get(7), options)).toBe(
      `/v1/contents/7?${formats}&seo.text[format]=text`,
    );
  });
});

describe('a query that cannot be sent', () => {
  test('because a value contains a comma is an error', async () => {
    const list = sentBy((contents) => contents.list('item', { where: { title: { in: ['a,b', 'c'] } } }));
    await expect(list).rejects.toThrow(
      /title\[in\]: the value 'a,b' must not contain a comma[\s\S]*Use `eq`/,
    );
  });

  test('because a date is invalid is an error', async () => {
    const where = { _created_at: { gte: new Date('x') } };
    const list = sentBy((contents) => contents.list('item', { where }));
    await expect(list).rejects.toSatisfy(LuidConfigError.is);
    await expect(list).rejects.toThrow('_created_at[gte]: the date is invalid');
  });

  test('because nothing can match has an empty result, without a request', async () => {
    const { client, clock, sent } = scripted(empty);
    const where = { title: { in: [] } };
    expect(await clock.run(client.contents.list('item', { where }))).toEqual({
      total: 0,
      offset: 0,
      limit: 100,
      data: [],
    });
    expect(await clock.run(client.contents.all('item', { where }))).toEqual([]);
    expect(await clock.run(client.contents.count('item', { where }))).toBe(0);
    expect(sent).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN, '7/../8'])('because its id is %s is an error', async (id) => {
    const { client } = scripted(empty);
    const calls = [
      () => client.contents.get(id as number),
      () => client.contents.replace('item', id as number, {}),
      () => client.contents.patch('item', id as number, {}),
      () => client.contents.duplicate(id as number),
      () => client.media.delete(id as number),
    ];
    for (const call of calls) await expect(call()).rejects.toSatisfy(LuidConfigError.is);
  });
});

describe('an error has a hint about', () => {
  test.each<[string, number, Record<string, unknown>, string]>([
    ['a limit', 400, { limit: 500 }, 'limit is 500: it must be a whole number from 1 to 100'],
    ['a depth', 400, { depth: 7 }, 'depth is 7: it must be a whole number from 0 to 3'],
    ['an offset', 400, { offset: -1 }, 'offset is -1'],
    ['a filter', 400, { where: { title: { gt: 1 } } }, 'Most likely a filter: title[gt]'],
    ['a language', 400, { lang: 'xx' }, 'Check lang=xx'],
    ['a language, not a format', 400, { lang: 'xx', format: { body: 'text' } }, 'Check lang=xx'],
    ['the key', 401, {}, 'check LUID_API_KEY, sent as X-SERVICE-API-KEY'],
    [
      'the header of the key',
      401,
      {},
      "NILTO expects X-NILTO-API-KEY: set `service: 'nilto'` (LUID_SERVICE=nilto)",
    ],
    ['the space', 403, { space: 'shop' }, 'The key has no access to the space shop'],
    ['a list that does not exist', 404, {}, 'end with the version segment'],
    ['the URL', 301, {}, 'set `baseUrl` to it'],
  ])('%s', async (_name, status, query, hint) => {
    const { client, clock } = scripted(() =>
      Response.json({ status: String(status), code: 'Code' }, { status }),
    );
    const error: unknown = await clock
      .run(client.contents.list('item', query as never))
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'LuidRequestError', status, code: 'Code' });
    expect(String(error)).toContain(hint);
  });

  test('draft keys, with the name of their variable', async () => {
    const { defineSpace } = await import('../../../src/index.ts');
    const fetch = async () => Response.json({ status: '401', code: 'Unauthorized' }, { status: 401 });
    const space = defineSpace({
      models: { item: { a: field.text() } },
      baseUrl: 'https://x.example/v1',
      draftApiKey: 'd',
      fetch,
    });
    await expect(space.client({ drafts: true }).contents.list('item')).rejects.toThrow(
      'check LUID_DRAFT_API_KEY',
    );
  });
});
