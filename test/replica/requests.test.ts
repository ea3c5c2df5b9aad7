import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { describe, expect, test } from 'vitest';
import type { ModelMap } from '../../src/models/types.ts';
import { type EmulatedSpace, MODELS, openEmulatedSpace, seedOf } from '../support/emulated-space.ts';

const REFUSALS = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
} as const;
type Refused = keyof typeof REFUSALS;
const STATUSES = Object.keys(REFUSALS).map(Number) as Refused[];

const FIRST_REFUSED = 40;
const CONCURRENCY = 16;

/** RequestCounts requests, and refuses some by their number, from 1. */
function refusing(emulated: EmulatedSpace, status: Refused, isRefused: (number: number) => boolean) {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (!isRefused(++requests)) return emulated.service.fetch(input as string, init);
    return Response.json({ status: String(status), code: REFUSALS[status] }, { status });
  };
  return { fetch, requests: () => requests };
}

/** Lets whatever is queued go on until it makes no more requests. */
async function untilQuiet(requests: () => number): Promise<void> {
  for (let quiet = 0, before = requests(); quiet < 200; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (requests() !== before) quiet = 0;
    before = requests();
  }
}

/** Syncs until a request is refused, and gives how many requests reached the service in the end. */
async function requestsUntilQuiet(
  emulated: EmulatedSpace,
  status: Refused,
  isRefused: (number: number) => boolean,
  options: Parameters<EmulatedSpace['sync']>[0] = {},
): Promise<number> {
  const { fetch, requests } = refusing(emulated, status, isRefused);
  const error = await emulated
    .sync({ fetch, concurrency: CONCURRENCY, ...options })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status });
  await untilQuiet(requests);
  return requests();
}

const isLater = (number: number) => number >= FIRST_REFUSED;
const isOnce = (number: number) => number === FIRST_REFUSED;

describe.each(STATUSES)('a %d at request 40 of a read of 6,000 items', (status) => {
  const MOST = FIRST_REFUSED + CONCURRENCY;

  test('ends the requests of a cold sync', async () => {
    const emulated = openEmulatedSpace(seedOf(6_000));
    expect(await requestsUntilQuiet(emulated, status, isLater)).toBeLessThanOrEqual(MOST);
  });

  test('ends the requests of a sync that verifies', async () => {
    const emulated = openEmulatedSpace(seedOf(6_000));
    await emulated.sync({ concurrency: CONCURRENCY });
    const requests = await requestsUntilQuiet(emulated, status, isLater, { forceFullSync: true });
    expect(requests).toBeLessThanOrEqual(MOST);
  });

  test('leaves no request for the next sync to wait for', async () => {
    const emulated = openEmulatedSpace(seedOf(6_000));
    const { fetch, requests } = refusing(emulated, status, isLater);
    await emulated.sync({ fetch, concurrency: CONCURRENCY }).catch(() => {});
    const ended = requests();
    await emulated.sync({ concurrency: CONCURRENCY });
    expect(requests() - ended).toBeLessThanOrEqual(CONCURRENCY);
  });
});

// A 400 may also mean that one order is not supported, so it is only final where it stays.
test.each([401, 403, 404] as const)(
  'a single %d ends the requests, even if the next would succeed',
  async (status) => {
    const emulated = openEmulatedSpace(seedOf(6_000));
    expect(await requestsUntilQuiet(emulated, status, isOnce)).toBeLessThanOrEqual(
      FIRST_REFUSED + CONCURRENCY,
    );
  },
);

/** A space of which so many items were never published. */
function seedWithDrafts(size: number, drafts: number) {
  const { contents, ...seed } = seedOf(size);
  return {
    ...seed,
    contents: contents.map(({ published, ...item }, index) => ({
      ...item,
      ...(index < drafts ? { draft: published } : { published }),
    })),
  };
}

const titleOf = (id: number) => (id % 4 === 1 ? 'name' : 'title');

describe.each([
  { key: 'drafts', drafts: 0 },
  { key: 'drafts', drafts: 150 },
  { key: 'drafts', drafts: 1_000 },
  { key: 'published', drafts: 0 },
  { key: 'published', drafts: 150 },
])('with 4,000 items, $drafts of them unpublished, and the key for $key', ({ key, drafts }) => {
  async function openedHouse(): Promise<EmulatedSpace> {
    const emulated = openEmulatedSpace(seedWithDrafts(4_000, drafts));
    await emulated.sync({ apiKey: key });
    emulated.service.clock.advance(60_000);
    return emulated;
  }

  test('no change takes 2 requests', async () => {
    const emulated = await openedHouse();
    expect((await emulated.counted(() => emulated.sync({ apiKey: key }))).requests).toBe(2);
  });

  test('one edit takes 2 requests', async () => {
    const emulated = await openedHouse();
    emulated.service.contents.edit(3_600, { title: 'edited' });
    const { result, requests } = await emulated.counted(() => emulated.sync({ apiKey: key }));
    expect(result.summary).toMatchObject({ changed: 1, added: 0, removed: 0 });
    expect(requests).toBe(2);
  });

  test('500 edits take at most 10 requests', async () => {
    const emulated = await openedHouse();
    for (let n = 0; n < 500; n++) {
      emulated.service.clock.advance(1000);
      const id = 2_001 + n;
      emulated.service.contents.edit(id, { [titleOf(id)]: `edited ${n}` });
    }
    const { result, requests } = await emulated.counted(() => emulated.sync({ apiKey: key }));
    expect(result.summary).toMatchObject({ changed: 500, added: 0, removed: 0 });
    expect(requests).toBeLessThanOrEqual(10);
  });
});

test('with a key for drafts and 150 unpublished items, one edited draft takes 2 requests', async () => {
  const emulated = openEmulatedSpace(seedWithDrafts(4_000, 150));
  await emulated.sync({ apiKey: 'drafts' });
  emulated.service.clock.advance(60_000);
  emulated.service.contents.saveDraft(2, { title: 'edited' });
  const { result, requests } = await emulated.counted(() => emulated.sync({ apiKey: 'drafts' }));
  expect(result.summary).toMatchObject({ changed: 1 });
  expect(requests).toBe(2);
});

describe('in a small space', () => {
  const { author } = MODELS;
  const note: ModelMap = { note: { title: MODELS.event.title } };

  test.each([
    { what: '1,200 items of one model', models: note, round: 13 },
    { what: '1,200 items of four models', models: MODELS as ModelMap, round: 13 },
    { what: '40 items of two models', models: { author, ...note } as ModelMap, size: 40, round: 1 },
  ])(
    'a deletion among $what takes one round and at most 2 more requests',
    async ({ models, size = 1_200, round }) => {
      const emulated = openEmulatedSpace(seedOf(size, models));
      await emulated.sync();
      expect((await emulated.counted(() => emulated.sync())).requests).toBe(round);
      emulated.service.clock.advance(60_000);
      emulated.service.contents.archive(size / 2);
      const { result, requests } = await emulated.counted(() => emulated.sync());
      expect(result.summary).toMatchObject({ removed: 1, items: size - 1 });
      expect(requests).toBeLessThanOrEqual(round + 2);
    },
  );

  test('three deletions and an edit take one round and at most 2 more requests', async () => {
    const emulated = openEmulatedSpace(seedOf(1_200));
    await emulated.sync();
    emulated.service.clock.advance(60_000);
    for (const id of [5, 6, 7]) emulated.service.contents.archive(id);
    emulated.service.contents.edit(8, { title: 'edited' });
    const { result, requests } = await emulated.counted(() => emulated.sync());
    expect(result.summary).toMatchObject({ removed: 3, changed: 1 });
    expect(requests).toBeLessThanOrEqual(13 + 2);
  });
});

describe('two sites with one key and one cache', () => {
  const { author, article, page, event } = MODELS;
  const maps: [string, ModelMap, ModelMap][] = [
    ['one with fewer models', { author, article, page, event }, { author, article }],
    ['with no model in common', { author, article }, { page: { title: page.title }, event }],
    [
      'with other formats',
      { author, article, event },
      {
        author,
        event,
        article: { ...article, body: { ...article.body, format: 'markdown' as const } },
      },
    ],
  ];

  test.each(maps)('%s take 2 requests each if nothing changed', async (_name, first, second) => {
    const emulated = openEmulatedSpace(seedOf(4_000));
    const cache = { storage: createStorage({ driver: memory() }) };
    const sync = (models: ModelMap) => emulated.sync({ models, cache });
    for (const models of [first, second, first, second]) await sync(models);
    const again = [
      (await emulated.counted(() => sync(first))).requests,
      (await emulated.counted(() => sync(second))).requests,
      (await emulated.counted(() => sync(first))).requests,
      (await emulated.counted(() => sync(second))).requests,
    ];
    expect(again).toEqual([2, 2, 2, 2]);
  });

  test.each(maps)('%s see each edit', async (_name, first, second) => {
    const emulated = openEmulatedSpace(seedOf(4_000));
    const cache = { storage: createStorage({ driver: memory() }) };
    const sync = (models: ModelMap) => emulated.sync({ models, cache });
    for (const models of [first, second]) await sync(models);
    emulated.service.clock.advance(60_000);
    // One of each model.
    for (const id of [1, 2, 3, 4]) emulated.service.contents.edit(id, { [titleOf(id)]: 'edited' });
    for (const models of [first, second, first]) {
      const items = await (await sync(models)).items();
      const titles = [1, 2, 3, 4].flatMap((id) => items.get(id)?._title ?? []);
      expect(titles).toEqual(Object.keys(models).map(() => 'edited'));
    }
  });
});
