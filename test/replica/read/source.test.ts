import { describe, expect, test } from 'vitest';
import { createConnection } from '../../../src/client/http/connection.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { createRequestStats } from '../../../src/replica/read/request-stats.ts';
import { createSource, groupByFormats, type SourceOptions } from '../../../src/replica/read/source.ts';
import { LuidContentError, LuidRequestError } from '../../../src/shared/errors.ts';
import { idsOf } from '../fake-source.ts';

const markdown = field.flexibleText({ format: 'markdown' });
const html = field.flexibleText();
const MODELS: ModelMap = {
  article: { title: field.text({ title: true }), body: markdown },
  note: { title: field.text({ title: true }), summary: field.flexibleText({ format: 'text' }) },
  page: { title: field.text({ title: true }), body: field.flexibleText({ format: 'text' }) },
};
const A_CENTURY = 100 * 365 * 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);
let services = 0;

interface Opened extends Partial<SourceOptions> {
  readonly fetch?: (respond: () => Promise<Response>, number: number) => Promise<Response>;
  readonly retries?: number;
}

/** A source of articles and notes on an emulator with six items, and the queries that it sends. */
function open({ fetch = (respond) => respond(), retries = 0, ...options }: Opened = {}) {
  const seed = {
    languages: { main: 'ja', sub: ['en'] },
    spaces: ['_parent', 'shop'],
    keys: [{ key: 'published', reads: 'published' }],
    models: MODELS,
    contents: ['article', 'note', 'page', 'article', 'note', 'page'].map((model, n) => ({
      id: n + 1,
      model,
      created_at: new Date(START + 1000 * n).toISOString(),
      published: { ja: { title: `item ${n + 1}` }, ...(n < 2 ? { en: { title: 'in English' } } : {}) },
    })),
  };
  const origin = `http://source-${++services}.test`;
  const service = createEmulator(seed, { origin, rateLimit: false });
  // Later than any time that another test has used.
  service.clock.set(START + services * 24 * 60 * 60 * 1000);
  const queries: Record<string, string>[] = [];
  const connected = createConnection({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    fetch: (url, init) => {
      queries.push(Object.fromEntries(new URL(String(url)).searchParams));
      return fetch(() => service.fetch(url, init), queries.length);
    },
    // What is waited for passes at once, and no request takes too long.
    clock: {
      now: () => service.clock.now(),
      sleep: (milliseconds) => (milliseconds < 10_000 ? Promise.resolve() : new Promise(() => {})),
    },
    network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries },
  });
  const stop = new AbortController();
  const stats = createRequestStats(() => 0);
  const budget = { retriesLeft: 100 };
  const source = createSource({
    connect: async () => connected,
    map: MODELS,
    models: ['article', 'note'],
    space: undefined,
    lang: undefined,
    stats,
    budget,
    stop,
    ...options,
  });
  return { source, service, queries, stop, stats, budget };
}

const FORMATS = { 'body[format]': 'markdown', 'summary[format]': 'text' };
const refusal = (status: number) => Response.json({ status: String(status), code: 'X' }, { status });
/** The query without what makes its URL new, which must be there. */
function freshQuery(query: Record<string, string> = {}) {
  const { '_created_at[lte]': until, ...rest } = query;
  expect(until).toBeDefined();
  return rest;
}

describe('the newest items', () => {
  test('are requested by one fixed URL per time, which the CDN can cache', async () => {
    const { source, queries } = open();
    for (let n = 0; n < 2; n++) {
      expect(idsOf((await source.newest('_updated_at')).data)).toEqual([6, 5, 4, 3, 2, 1]);
      expect((await source.newest('_last_published_at')).total).toBe(6);
    }
    const always = { ...FORMATS, model: 'article,note,page', depth: '0', limit: '100' };
    const updated = { ...always, order: '-_updated_at' };
    const published = {
      ...always,
      order: '-_last_published_at',
      '_last_published_at[gte]': '1970-01-01T00:00:00.000Z',
    };
    expect(queries).toEqual([updated, published, updated, published]);
  });

  test('bypassing the CDN are requested by a URL that is new each time', async () => {
    const { source, queries, service } = open();
    await source.newest('_updated_at', { bypassCdn: true });
    await source.newest('_updated_at', { bypassCdn: true });
    service.clock.advance(5000);
    await source.newest('_updated_at', { bypassCdn: true });
    const now = service.clock.now() - 5000 + A_CENTURY;
    expect(queries.map((query) => Date.parse(String(query['_created_at[lte]'])))).toEqual([
      now,
      now + 1,
      now + 5000,
    ]);
    expect(freshQuery(queries[0])).toMatchObject({ order: '-_updated_at', model: 'article,note,page' });
  });
});

describe('a page', () => {
  const page = { models: ['article', 'note'], by: '_created_at', offset: 1, limit: 2 } as const;

  test('is in the order of a time and of ids, from a position', async () => {
    const { source, queries } = open();
    const { data, total, offset } = await source.page(page);
    expect([idsOf(data), total, offset]).toEqual([[2, 4], 4, 1]);
    expect(queries).toEqual([
      { ...FORMATS, model: 'article,note', depth: '0', offset: '1', limit: '2', order: '_created_at,_id' },
    ]);
  });

  test('may be filtered, and bypassing the CDN', async () => {
    const { source, queries } = open();
    const from = new Date(START + 2500).toISOString();
    const filters = { '_created_at[gte]': from };
    const { data } = await source.page({ ...page, filters, offset: 0, bypassCdn: true });
    expect(idsOf(data)).toEqual([4, 5]);
    expect(freshQuery(queries[0])).toMatchObject(filters);
  });

  test('is requested in the formats of its own models only', async () => {
    const { source, queries } = open();
    await source.page({ ...page, models: ['note'], offset: 0 });
    expect(queries[0]).not.toHaveProperty('body[format]');
    expect(queries[0]).toMatchObject({ model: 'note', 'summary[format]': 'text' });
  });

  test('with models of another group is requested without the formats of other models', async () => {
    const { source, queries } = open();
    await source.page({ ...page, models: ['article', 'page'], offset: 0 });
    expect(queries[0]).toMatchObject({ 'body[format]': 'markdown' });
    expect(queries[0]).not.toHaveProperty('summary[format]');
    expect(queries).toHaveLength(1);
  });

  test('is read without the order by id if the service rejects it', async () => {
    const refuse = async (respond: () => Promise<Response>, number: number) =>
      number === 1 ? refusal(400) : respond();
    const { source, queries, stop } = open({ fetch: refuse });
    expect(idsOf((await source.page(page)).data)).toEqual([2, 4]);
    expect(queries.map(({ order }) => order)).toEqual(['_created_at,_id', '_created_at']);
    expect(stop.signal.aborted).toBe(false);
  });

  test('with content without a model is an error, which ends all requests', async () => {
    const strip = async (respond: () => Promise<Response>) => {
      const list = (await (await respond()).json()) as { data: Partial<WireContent>[] };
      delete list.data[1]?._model;
      return Response.json(list);
    };
    const { source, stop } = open({ fetch: strip });
    const error = await source.page(page).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LuidContentError);
    expect(error).toMatchObject({
      message: expect.stringContaining('Content 4 in the response has no _model'),
      id: 4,
      hint: 'Check whether a proxy changes the responses of the service.',
    });
    expect(stop.signal.reason).toBe(error);
  });
});

describe('a count', () => {
  test('is of some models, bypassing the CDN, and fetches one id', async () => {
    const { source, queries } = open();
    expect(await source.count(['note'])).toBe(2);
    expect(
      await source.count(['article', 'note', 'page'], {
        filters: { '_created_at[gte]': new Date(START + 1000).toISOString() },
      }),
    ).toBe(5);
    expect(freshQuery(queries[0])).toEqual({
      'summary[format]': 'text',
      model: 'note',
      depth: '0',
      limit: '1',
      select: '_id',
    });
    expect(freshQuery(queries[1])).toHaveProperty('model', 'article,note,page');
  });
});

describe('items', () => {
  test('are read by id bypassing the CDN, if they are of the models of the source', async () => {
    const { source, queries } = open();
    expect(idsOf(await source.byId([1, 3, 5, 99])).sort()).toEqual([1, 5]);
    expect(freshQuery(queries[0])).toEqual({
      ...FORMATS,
      model: 'article,note',
      depth: '0',
      limit: '100',
      '_id[in]': '1,3,5,99',
    });
  });

  test('may be looked up whatever their model is', async () => {
    const { source, queries } = open();
    const found = await source.modelsOf([1, 3, 99]);
    expect(found.map(({ _id, _model }) => [_id, _model])).toEqual([
      [3, 'page'],
      [1, 'article'],
    ]);
    const [article] = await source.byId([1]);
    expect(found[1]).toEqual({
      _id: 1,
      _model: 'article',
      _status: 'published',
      _updated_at: article?._updated_at,
      _last_published_at: article?._last_published_at,
    });
    expect(freshQuery(queries[0])).toEqual({
      depth: '0',
      limit: '100',
      select: '_id,_model,_status,_updated_at,_last_published_at',
      '_id[in]': '1,3,99',
    });
  });
});

describe('in another language', () => {
  const open2 = () => open({ lang: 'en', space: '_parent' });

  test('everything is requested in it', async () => {
    const { source, queries } = open2();
    expect((await source.newest('_updated_at')).total).toBe(2);
    expect(await source.count(['article', 'note'])).toBe(2);
    expect(idsOf(await source.byId([1, 4]))).toEqual([1]);
    expect(await source.modelsOf([1, 4])).toHaveLength(1);
    await source.page({ models: ['article'], by: '_created_at', offset: 0, limit: 100 });
    expect(queries.map(({ lang, space }) => [lang, space])).toEqual(Array(5).fill(['en', '_parent']));
  });
});

describe('an error', () => {
  const page = { models: ['article'], by: '_created_at', offset: 0, limit: 100 } as const;
  type Opening = ReturnType<typeof open>;
  const requests: [string, (source: Opening['source']) => Promise<unknown>][] = [
    ['the newest', (source) => source.newest('_updated_at')],
    ['a page', (source) => source.page(page)],
    ['a count', (source) => source.count(['article'])],
    ['items', (source) => source.byId([1])],
    ['models', (source) => source.modelsOf([1])],
  ];

  test.each(requests)('of %s ends all requests of the sync', async (_, request) => {
    const failing = open({ fetch: async () => refusal(500) });
    const error = await request(failing.source).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LuidRequestError);
    expect(failing.stop.signal.reason).toBe(error);
    await expect(request(failing.source)).rejects.toBe(error);
    // What may only have been too large is followed by the smallest request, which shows that the service is down.
    expect(failing.queries.slice(1).map(({ limit, select }) => [limit, select])).toEqual(
      failing.queries.slice(1).map(() => ['1', '_id']),
    );
    expect(failing.queries.length).toBeLessThanOrEqual(2);
  });

  test.each(requests)('of %s ends those in the queue before they are sent', async (_, request) => {
    const { source, queries, stop } = open({ fetch: async () => refusal(401) });
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => request(source)));
    expect(
      results.every((result) => result.status === 'rejected' && result.reason === stop.signal.reason),
    ).toBe(true);
    expect(queries.length).toBeLessThanOrEqual(16);
  });

  test('of a single source is an error too', async () => {
    const { source } = open({ fetch: async () => refusal(401), stop: undefined });
    await expect(source.count(['article'])).rejects.toMatchObject({ status: 401 });
  });

  test('that is retryable uses one of the retries of the sync', async () => {
    const once = async (respond: () => Promise<Response>, number: number) =>
      number % 2 === 1 ? refusal(500) : respond();
    const { source, stats, budget } = open({ fetch: once, retries: 2 });
    for (const [, request] of requests) await request(source);
    expect(budget.retriesLeft).toBe(95);
    expect(stats.counts()).toMatchObject({ requests: 5, retries: 5 });
  });
});

test('the time is that of the local clock', async () => {
  const { source, service } = open();
  expect(await source.now()).toBe(service.clock.now());
});

test('a source names its models', () => {
  expect(open().source.models).toEqual(['article', 'note']);
});

describe('models are read together', () => {
  const groups = (map: Record<string, object>) => groupByFormats(map as ModelMap);
  const text = field.text();

  test('if they have no formats', () => {
    expect(groups({ a: { x: text }, b: { x: text, body: html }, c: {} })).toEqual([['a', 'b', 'c']]);
    expect(groups({})).toEqual([]);
  });

  test('if the formats of a field are the same', () => {
    expect(groups({ a: { body: markdown }, b: { body: markdown } })).toEqual([['a', 'b']]);
  });

  test('unless the formats of a field differ', () => {
    const plain = field.flexibleText({ format: 'text' });
    expect(groups({ a: { body: markdown }, b: { body: plain } })).toEqual([['a'], ['b']]);
    expect(groups({ a: { body: markdown }, b: { body: html } })).toEqual([['a'], ['b']]);
    expect(groups({ a: { body: html }, b: { body: markdown } })).toEqual([['a'], ['b']]);
  });

  test('if one has no such field', () => {
    expect(groups({ a: { body: markdown }, b: { title: text } })).toEqual([['a', 'b']]);
    expect(groups({ a: { title: text }, b: { body: markdown } })).toEqual([['a', 'b']]);
    expect(groups({ a: { body: markdown }, b: { lead: markdown } })).toEqual([['a', 'b']]);
    expect(groups({ a: { constructor: markdown }, b: { title: text } })).toEqual([['a', 'b']]);
  });

  test('with all others of the group, not only with the first', () => {
    expect(groups({ a: { title: text }, b: { body: markdown }, c: { body: html } })).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
    expect(groups({ a: { title: text }, b: { body: html }, c: { body: markdown } })).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
  });

  test('in the first group that fits', () => {
    const map = { a: { body: markdown }, b: { body: html }, c: { body: html }, d: { body: markdown } };
    expect(groups(map)).toEqual([
      ['a', 'd'],
      ['b', 'c'],
    ]);
  });

  test('by the parent of nested fields', () => {
    const seo = (inner: typeof html) => ({ seo: field.fieldSet({ text: inner }) });
    expect(groups({ a: seo(markdown), b: seo(html) })).toEqual([['a'], ['b']]);
    expect(groups({ a: seo(html), b: seo(markdown) })).toEqual([['a'], ['b']]);
    expect(groups({ a: seo(markdown), b: { text: html } })).toEqual([['a', 'b']]);
    expect(groups({ a: seo(markdown), b: seo(markdown) })).toEqual([['a', 'b']]);
  });
});
