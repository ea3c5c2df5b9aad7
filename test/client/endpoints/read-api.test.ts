import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import { seed, startSampleService } from '../sample-service.ts';
import { simulatedClock } from '../scripted-service.ts';

let sample: Awaited<ReturnType<typeof startSampleService>>;
let contents: ReturnType<typeof sample.clientFor>['contents'];

beforeAll(async () => {
  sample = await startSampleService();
  ({ contents } = sample.clientFor('published'));
});
afterAll(() => sample.service.close());

const ids = (items: readonly { _id: number }[]) => items.map(({ _id }) => _id);

describe('list', () => {
  test('§2.3 gives a page', async () => {
    const page = await contents.list('article', { order: '_id' });
    expect(page).toMatchObject({ total: 2, offset: 0, limit: 100 });
    expect(ids(page.data)).toEqual([11, 12]);
    expect(page.data[0]).toMatchObject({
      _model: 'article',
      title: 'Harbour',
      starts_at: '2026-05-01T00:00:00Z',
      tags: ['sea'],
      author: { _id: 1, name: 'Mori' },
      related: [{ article: { title: 'Tea' }, note: 'next' }],
      sections: [{ luid: 'quote', fields: { text: 'So it is' } }],
      seo: { description: 'Boats at dusk' },
    });
  });

  test('§4.1 takes several models', async () => {
    expect(ids((await contents.list(['author', 'article'], { order: '_id' })).data)).toEqual([1, 2, 11, 12]);
  });

  test('§4.1 select, also through paths', async () => {
    const { data } = await contents.list('article', {
      select: ['title', 'author.name', 'related.note', 'seo.description'],
    });
    expect(data).toContainEqual({
      title: 'Harbour',
      author: { name: 'Mori' },
      related: [{ note: 'next' }],
      seo: { description: 'Boats at dusk' },
    });
  });

  test('an empty select selects everything, in every method', async () => {
    const query = { select: [], order: '_id' } as const;
    const { data } = await contents.list('author', query);
    expect(data[0]).toMatchObject({ _id: 1, name: 'Mori' });
    expect(await contents.all('author', query)).toEqual(data);
    expect(await contents.get(1, { select: [] })).toEqual(data[0]);
  });

  test('§4.1 depth', async () => {
    expect((await contents.list('article', { depth: 0 })).data.map(({ author }) => author)).toEqual([1, 1]);
    const deep = await contents.list('article', { depth: 2, where: { _id: { eq: 11 } } });
    expect(deep.data[0]?.related[0]?.article?.author?.name).toBe('Mori');
  });

  test('§4.1 order, limit and offset', async () => {
    expect(ids((await contents.list('article', { order: '-title' })).data)).toEqual([12, 11]);
    expect(ids((await contents.list('article', { order: ['category', '-_id'] })).data)).toEqual([12, 11]);
    expect(await contents.list('article', { order: '_id', limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      offset: 1,
      limit: 1,
      data: [{ _id: 12 }],
    });
  });

  test('§4.1 lang and lang_fallback', async () => {
    expect((await contents.list('article', { lang: 'en' })).data.map(({ title }) => title)).toEqual([
      'Harbour (en)',
    ]);
    const filled = await contents.list('article', { lang: 'en', fallback: true, order: '_id' });
    expect(filled.data.map(({ title }) => title)).toEqual(['Harbour (en)', 'Tea']);
  });

  test('§4.1 space', async () => {
    expect(ids((await contents.list('author', { space: 'shop' })).data)).toEqual([2]);
    expect(ids((await contents.list('author', { space: '_parent' })).data)).toEqual([1]);
  });

  test('§4.1 contains', async () => {
    expect(ids((await contents.list('article', { contains: ['boats', 'dusk'] })).data)).toEqual([11]);
  });

  test('§4.1 format', async () => {
    const { data } = await contents.list('article', { where: { _id: { eq: 11 } }, format: { body: 'text' } });
    expect(data[0]?.body).not.toContain('<');
    expect(data[0]?.body).toContain('White & blue.');
  });

  test.each([
    [{ title: { eq: 'Tea' } }, [12]],
    [{ title: { in: ['Tea', 'Harbour'] } }, [11, 12]],
    [{ title: { contains: 'bour' } }, [11]],
    [{ lead: { eq: 'At dusk' } }, [11]],
    [{ body: { contains: ['white', 'blue'] } }, [11]],
    [{ featured: { eq: false } }, [12]],
    [{ category: { in: ['news', 'event'] } }, [11, 12]],
    [{ tags: { has: 'hill' } }, [12]],
    [{ starts_at: { gte: new Date('2026-05-01T00:00:00Z'), lt: '2026-05-01T09:00:01+09:00' } }, [11]],
    [{ starts_at: { gt: new Date('2026-05-01T00:00:00Z') } }, []],
    [{ author: { eq: 1 } }, [11, 12]],
    [{ 'author.name': { eq: 'Mori' } }, [11, 12]],
    [{ 'related.note': { eq: 'next' } }, [11]],
    [{ 'related.article': { eq: 12 } }, [11]],
    [{ 'seo.description': { contains: 'boats' } }, [11]],
    [{ _id: { in: [12, 13] } }, [12]],
    [{ _created_at: { lte: new Date('2026-03-03T00:00:00Z') } }, [11]],
    [{ _status: { eq: 'published_draft' } }, [12]],
    [{ title: { in: [] } }, []],
  ] as const)('§4.1 where %j', async (where, expected) => {
    const query = { where, order: '_id' } as const;
    expect(ids((await contents.list('article', query)).data)).toEqual(expected);
    expect(ids(await contents.all('article', query))).toEqual(expected);
    expect(await contents.count('article', { where })).toBe(expected.length);
  });
});

describe('get', () => {
  test('§4.2 gives one item', async () => {
    expect(await contents.get(11)).toMatchObject({ _id: 11, title: 'Harbour', author: { name: 'Mori' } });
    expect(await contents.get(11, { depth: 0, select: ['title', 'author'] as never })).toEqual({
      title: 'Harbour',
      author: 1,
    });
    expect(await contents.get(11, { lang: 'en' })).toMatchObject({ title: 'Harbour (en)' });
  });

  test('§4.2 includes neighbours and languages', async () => {
    const item = await contents.get<'article', 1, never, '_prev' | '_next' | '_langs'>(11, {
      include: ['_prev', '_next', '_langs'],
      neighbours: { model: 'article', order: '_id' },
    });
    expect(item._prev).toBeNull();
    expect(item._next?._id).toBe(12);
    expect(item._langs).toEqual({ current: 'ja', available: ['ja', 'en'] });
  });

  test('§4.2 there are no neighbours in a list that a filter without values empties', async () => {
    const untitled = (id: number) => ({
      id,
      model: 'note',
      created_at: '2026-03-01T00:00:00Z',
      published: { ja: { title: '' } },
    });
    const { baseUrl, fetch } = createEmulator({
      languages: { main: 'ja' },
      keys: [{ key: 'k', reads: 'published' }],
      models: { note: { title: { type: 'text' } } },
      contents: [untitled(1), untitled(2), untitled(3)],
    });
    const models = { note: { title: field.text() } };
    const notes = createClient({ baseUrl, fetch, apiKey: 'k', models }).contents;
    const neighboursIn = async (values: string[]) => {
      const { _prev, _next } = await notes.get<'note', 1, never, '_prev' | '_next'>(2, {
        include: ['_prev', '_next'],
        neighbours: { model: 'note', order: '_id', where: { title: { in: values } } },
      });
      return [_prev?._id, _next?._id];
    };
    expect(await neighboursIn([''])).toEqual([1, 3]);
    expect(await neighboursIn([])).toEqual([undefined, undefined]);
  });
});

describe('get of a space whose models declare different formats for a field', () => {
  const formats = {
    article: { title: field.text(), body: field.flexibleText({ format: 'markdown' }) },
    page: { title: field.text(), body: field.flexibleText() },
  };
  const created_at = '2026-03-01T00:00:00Z';
  const body = '<p>Hello <strong>you</strong></p>';
  const createService = () => {
    const service = createEmulator({
      languages: { main: 'ja', sub: ['en'] },
      keys: [{ key: 'k', reads: 'published' }],
      models: formats,
      contents: [
        {
          id: 1,
          model: 'article',
          created_at,
          published: { ja: { title: 'A', body }, en: { title: 'E', body } },
        },
        { id: 2, model: 'page', created_at, published: { ja: { title: 'P', body } } },
      ],
    } as never);
    const { baseUrl, fetch } = service;
    return { service, ...createClient({ baseUrl, apiKey: 'k', models: formats, fetch }) };
  };

  test('returns each item in the formats of its model, as list does', async () => {
    const { contents } = createService();
    expect(await contents.get(1)).toEqual((await contents.list('article')).data[0]);
    expect(await contents.get(1)).toMatchObject({ body: 'Hello **you**' });
    expect(await contents.get(1, { lang: 'en', select: ['body'] })).toEqual({ body: 'Hello **you**' });
    expect(await contents.get(2)).toMatchObject({ body });
  });

  test('sends one request if the query names the format or does not select the field', async () => {
    const { contents, service } = createService();
    expect(await contents.get(1, { format: { body: 'text' } })).toMatchObject({ body: 'Hello you' });
    expect(await contents.get(1, { select: ['title'] })).toEqual({ title: 'A' });
    expect(service.log).toHaveLength(2);
  });
});

describe('§5 keys', () => {
  test('a client for drafts sees drafts, others do not', async () => {
    const drafts = sample.clientFor('drafts').contents;
    expect(ids(await drafts.all('article', { order: '_id' }))).toEqual([11, 12, 13]);
    expect(await drafts.get(12)).toMatchObject({ title: 'Tea, again' });
    expect(await contents.get(12)).toMatchObject({ title: 'Tea' });
  });

  test('a key for one space sees nothing else', async () => {
    const shop = sample.clientFor('shop-only').contents;
    expect(ids(await shop.all(['author', 'article']))).toEqual([2]);
  });
});

describe('§7 errors', () => {
  test.each([
    ['400', () => contents.list('article', { lang: 'xx' }), 400, 'BadRequest', /Check lang=xx/],
    ['401', () => sample.clientFor('wrong').contents.list('article'), 401, 'Unauthorized', /LUID_API_KEY/],
    [
      '403',
      () => sample.clientFor('shop-only').contents.list('article', { space: '_parent' }),
      403,
      'Forbidden',
      /_parent/,
    ],
    ['404', () => contents.get(13), 404, 'Not Found', /Is the content archived, or a draft/],
  ])('%s', async (_name, call, status, code, hint) => {
    const error: unknown = await (call() as Promise<unknown>).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'LuidRequestError',
      status,
      code,
      hint: expect.stringMatching(hint),
    });
  });

  test('the client waits as long as a 429 of the service demands', async () => {
    const clock = simulatedClock();
    const service = createEmulator(seed, { clock: clock.now });
    const client = createClient({
      baseUrl: service.baseUrl,
      apiKey: 'drafts',
      fetch: service.fetch,
      clock,
      network: { requestsPerMinute: Number.POSITIVE_INFINITY, concurrency: 1 },
    });
    const start = clock.now();
    await clock.run(Promise.all(Array.from({ length: 610 }, () => client.contents.count('author'))));
    expect(service.log.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(clock.now() - start).toBe(60_000);
  });
});
