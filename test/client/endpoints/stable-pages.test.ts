import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../../src/client/index.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { defineSpace } from '../../../src/index.ts';
import { empty, failure, scripted } from '../scripted-service.ts';

const COUNT = 450;
const IDS = Array.from({ length: COUNT }, (_, index) => index + 1);

/** A service with two values of `kind`, one time for all items, and another order of equal items in each request. */
function emulate() {
  const emulator = createEmulator(
    {
      keys: [{ key: 'key', reads: 'published' }],
      models: { article: { title: { type: 'text' }, kind: { type: 'text' } } },
      contents: IDS.map((id) => ({
        id,
        model: 'article',
        created_at: '2026-01-01T00:00:00Z',
        published: { ja: { title: `${id}`, kind: `${id % 2}` } },
      })),
    },
    { rateLimit: false, assumptions: { tieOrder: 'shuffled' }, cdn: false },
  );
  const { baseUrl, fetch } = emulator;
  return { baseUrl, fetch, apiKey: 'key' };
}

/** As the service is specified to order them, and by id where it is not. */
const byKind = IDS.toSorted((a, b) => (a % 2) - (b % 2) || a - b);

describe('with equal values whose order is different in each request', () => {
  test.each([
    [undefined, IDS],
    ['kind', byKind],
    [['kind', '-_id'], IDS.toSorted((a, b) => (a % 2) - (b % 2) || b - a)],
  ] as const)('all({ order: %j }) has each item once', async (order, wanted) => {
    const client = createClient(emulate());
    const items = await client.contents.all('article', order && { order });
    expect(items.map(({ _id }) => _id)).toEqual(wanted);
  });

  test.each([
    [undefined, IDS],
    ['kind', byKind],
  ] as const)('a live collection ordered by %j has each item once, also in parts', async (order, wanted) => {
    const models = { article: { title: { type: 'text' }, kind: { type: 'text' } } } as const;
    const live = defineSpace({ ...emulate(), models }).liveLoader('article', { from: 'service' });
    const ids = async (part: { limit?: number; offset?: number } = {}) => {
      const filter = { ...(order && { order }), ...part };
      const result = await live.loadCollection({ filter, collection: 'articles' });
      if ('error' in result) throw result.error;
      return result.entries.map(({ data }) => data._id);
    };
    expect(await ids()).toEqual(wanted);
    const parts = [0, 60, 120].map((offset) => ids({ limit: 60, offset }));
    expect((await Promise.all(parts)).flat()).toEqual(wanted.slice(0, 180));
  });
});

describe('a service that does not order by id', () => {
  const orders = (sent: readonly { url: URL }[]) => sent.map(({ url }) => url.searchParams.get('order'));
  const read = async (client: Client, order?: string) => client.contents.all('item', order ? { order } : {});

  test.each([undefined, 'title'])('is asked again without it for the order %j', async (order) => {
    const { client, clock, sent } = scripted(({ url }) =>
      url.searchParams.get('order')?.endsWith('_id') ? failure(400) : empty(),
    );
    await clock.run(read(client, order));
    expect(orders(sent)).toEqual([`${order ?? '-_created_at'},_id`, order ?? null]);
  });

  test('is asked for the other pages without it', async () => {
    const { client, clock, sent } = scripted(({ url }) =>
      url.searchParams.get('order')?.endsWith('_id') ? failure(400) : pageOf300(url),
    );
    expect(await clock.run(read(client, 'title'))).toHaveLength(300);
    expect(orders(sent)).toEqual(['title,_id', 'title', 'title', 'title', 'title']);
  });

  test('is not what refuses a later page: that is an error', async () => {
    const { client, clock, sent } = scripted(({ url }) => (isFirst(url) ? pageOf300(url) : failure(400)));
    await expect(clock.run(read(client, 'title'))).rejects.toMatchObject({ status: 400 });
    expect(new Set(orders(sent))).toEqual(new Set(['title,_id']));
  });

  test('that refuses the order itself reports it without the id', async () => {
    const { client, clock, sent } = scripted(() => failure(400));
    await expect(clock.run(read(client, 'nonsense'))).rejects.toThrow(/order=nonsense(?!,_id)/);
    expect(sent).toHaveLength(2);
  });

  test.each(['_id', '-_id', 'title,-_id'])('is asked once for the order %s', async (order) => {
    const { client, clock, sent } = scripted(() => failure(400));
    await expect(clock.run(read(client, order))).rejects.toMatchObject({ status: 400 });
    expect(orders(sent)).toEqual([order]);
  });
});

function isFirst({ searchParams }: URL): boolean {
  return Number(searchParams.get('offset')) === 0;
}

/** A page of a list with 300 items. */
function pageOf300({ searchParams }: URL): Response {
  const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
  const data = Array.from({ length: Math.min(limit, 300 - offset) }, (_, index) => ({
    _id: offset + index + 1,
  }));
  return Response.json({ total: 300, offset, limit, data });
}
