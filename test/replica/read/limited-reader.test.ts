import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import {
  type LimitedList,
  LimitedReader,
  type Part,
  type ReadItems,
} from '../../../src/replica/read/limited-reader.ts';
import { PageSizes } from '../../../src/replica/read/page-sizes.ts';
import { LuidContentError, LuidRequestError } from '../../../src/shared/errors.ts';
import { at, idsOf, range } from '../fake-source.ts';

const failure = (status: number | undefined = 500) =>
  new LuidRequestError(`[GET] /contents: ${status ?? 'the response was cut off'}`, { status });

interface Service {
  items: WireContent[];
  /** How much it sends at once, by the weights of items. */
  limit: number;
  weightOf: (item: WireContent) => number;
  error: () => Error;
  isUp: boolean;
  /** Happens before the request of this number, from 1. */
  readonly before: Map<number, () => void>;
  readonly requests: (Part & { isTrial: boolean; bypassCdn: boolean })[];
  checks: number;
}

/** A list of a service that limits its responses, and a reader for it. */
function open(changes: Partial<Service> = {}) {
  const service: Service = {
    items: range(100),
    limit: 100,
    weightOf: () => 1,
    error: failure,
    isUp: true,
    before: new Map(),
    requests: [],
    checks: 0,
    ...changes,
  };
  const sizes = new PageSizes({}, () => 0);
  const reader = new LimitedReader({
    sizes,
    signal: new AbortController().signal,
    async checkService() {
      service.checks += 1;
      if (!service.isUp) throw failure(503);
    },
  });
  const respond = (data: WireContent[], select: string | undefined) => {
    const weight = select ? 0 : data.reduce((sum, item) => sum + service.weightOf(item), 0);
    if (!service.isUp || weight > service.limit) throw service.error();
    return data;
  };
  const list: LimitedList = {
    name: 'article',
    async read(part, options) {
      service.before.get(service.requests.push({ ...part, ...options }))?.();
      const { offset, limit, select } = part;
      const data = respond(service.items.slice(offset, offset + limit), select);
      return { total: service.items.length, offset, limit, data };
    },
  };
  const readByIds: ReadItems = async (ids, { select, ...how }) => {
    const part = { offset: 0, limit: ids.length, ...(select && { select }) };
    service.before.get(service.requests.push({ ...part, ...how }))?.();
    const data = respond(
      service.items.filter(({ _id }) => ids.includes(_id)),
      select,
    );
    return { total: data.length, offset: 0, limit: 100, data };
  };
  const page = (offset = 0) => reader.page(list, { offset, limit: 100 }, readByIds, false);
  const byId = (ids: readonly number[]) => reader.byId('article', ids, readByIds);
  const sent = () => service.requests.map(({ offset, limit }) => [offset, limit]);
  return { service, sizes, reader, list, page, byId, sent };
}

describe('a page that the service sends', () => {
  test('is one request', async () => {
    const { page, sent, service } = open();
    const { total, data } = await page();
    expect([total, idsOf(data), sent(), service.checks]).toEqual([100, idsOf(service.items), [[0, 100]], 0]);
  });
});

describe('a page that is too large', () => {
  test.each([60, 50, 33, 8, 2, 1])(
    'is read by the ids of its items, with a limit of %i items',
    async (limit) => {
      const { page, service } = open({ limit });
      const { total, offset, limit: asked, data, isById } = await page();
      expect([total, offset, asked, isById]).toEqual([100, 0, 100, true]);
      expect(idsOf(data)).toEqual(idsOf(service.items));
    },
  );

  test('makes others begin with their ids', async () => {
    const { page, sent, service } = open({ items: range(199), limit: 50 });
    await page();
    const byId = [100, 50, 50].map((limit) => [0, limit]);
    expect(sent()).toEqual([[0, 100], ...byId]);
    expect(service.requests.map(({ select }) => select)).toEqual([undefined, '_id', undefined, undefined]);
    service.requests.length = 0;
    expect(idsOf((await page(99)).data)).toEqual(idsOf(service.items.slice(99)));
    expect(sent()).toEqual([[99, 100], ...byId.slice(1)]);
  });

  test('may be the last one, with fewer items than its limit', async () => {
    const { page, service } = open({ items: range(130), limit: 10 });
    expect(idsOf((await page(99)).data)).toEqual(idsOf(service.items.slice(99)));
    expect(await page(200)).toMatchObject({ total: 130, offset: 200, limit: 100, data: [] });
  });

  test('with one large item is read with many others at once', async () => {
    const { page, service } = open({ limit: 100, weightOf: ({ _id }) => (_id === 40 ? 100 : 1) });
    expect(idsOf((await page()).data)).toEqual(idsOf(service.items));
    expect(service.requests.length).toBeLessThan(40);
  });

  test.each([
    ['a 500', () => failure(500)],
    ['a 413', () => failure(413)],
    ['a 504', () => failure(504)],
    ['a body that is cut off, or a time-out', () => failure(undefined)],
  ])('is noticed by %s', async (_, error) => {
    const { page, service } = open({ limit: 50, error });
    expect((await page()).data).toHaveLength(100);
    expect(service.checks).toBe(1);
  });

  test.each([400, 401, 403, 404, 429, 501])(
    'is not the reason of a %i, which ends the read',
    async (status) => {
      const { page, service } = open({ limit: 50, error: () => failure(status) });
      await expect(page()).rejects.toThrow(String(status));
      expect([service.requests.length, service.checks]).toEqual([1, 0]);
    },
  );

  test('is read again if one of its items is removed meanwhile', async () => {
    const { page, service } = open({ limit: 50 });
    service.before.set(3, () => {
      service.items = service.items.toSpliced(49, 1);
    });
    expect(idsOf((await page()).data)).toEqual(idsOf(service.items));
    // Copies of the CDN may be of different times.
    expect(service.requests.at(-1)?.bypassCdn).toBe(true);
  });

  test('contains what was in it at one moment', async () => {
    const { page, service } = open({ limit: 50 });
    const before = idsOf(service.items);
    service.before.set(3, () => {
      service.items = [at(500, 1), ...service.items];
    });
    const { total, data } = await page();
    expect([total, idsOf(data)]).toEqual([100, before]);
  });

  test('is an error if it changes all the time', async () => {
    const { page, service } = open({ limit: 50 });
    for (let number = 1; number < 500; number++) {
      service.before.set(number, () => {
        service.items = [...service.items.slice(1), at(1000 + number, 900)];
      });
    }
    await expect(page()).rejects.toThrow('article: content changed faster than it could be read');
  });
});

describe('a service that is down', () => {
  test('gets one check for all pages that fail, and no smaller requests', async () => {
    const { page, service, sizes } = open({ items: range(1000), isUp: false });
    const pages = Array.from({ length: 10 }, (_, index) => page(index * 99));
    const ends = await Promise.allSettled(pages);
    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    expect([service.requests.length, service.checks, sizes.of('article')]).toEqual([10, 1, 100]);
  });
});

describe('a single item that is too large', () => {
  const tooLarge = { limit: 50, weightOf: ({ _id }: WireContent) => (_id === 70 ? 51 : 1) };

  test('is an error that names it', async () => {
    const { page, service } = open(tooLarge);
    const error = await page().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LuidContentError);
    expect(error).toMatchObject({ id: 70, model: 'article' });
    expect((error as Error).message).toMatch(
      /^article 70 ".*" cannot be read, even alone: \[GET\] \/contents: 500\n {2}→ /,
    );
    expect(service.requests.length).toBeLessThan(40);
  });

  test('is an error if it is read by id', async () => {
    const { byId } = open(tooLarge);
    await expect(byId([1, 2, 70, 71])).rejects.toMatchObject({ id: 70, name: 'LuidContentError' });
  });

  test('is read if it failed for another reason', async () => {
    const { page, service } = open({ items: range(1) });
    let failures = 1;
    service.weightOf = () => (failures-- > 0 ? 1000 : 1);
    expect((await page()).data).toHaveLength(1);
  });
});

describe('other requests', () => {
  test('the first items of a list are as many as work, from the first request of the next sync on', async () => {
    const { reader, list, service, sent } = open({ limit: 30 });
    const { total, data } = await reader.first(list, false);
    expect([total, data.length]).toEqual([100, 25]);
    await reader.first(list, false);
    expect(sent().map(([, limit]) => limit)).toEqual([100, 50, 25, 25]);
    expect(service.requests.every(({ offset }) => offset === 0)).toBe(true);
  });

  test('items by id are read in halves, in the order of the ids', async () => {
    const { byId, sent } = open({ limit: 30 });
    const ids = idsOf(range(100));
    expect(idsOf(await byId(ids))).toEqual(ids);
    expect(sent().map(([, limit]) => limit)).toEqual([100, 50, 25, 25, 50, 25, 25]);
  });
});
