import { beforeAll, describe, expect, test } from 'vitest';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';

async function equalsService(emulated: EmulatedSpace, items: Promise<ReadonlyMap<number, unknown>>) {
  expect(Object.fromEntries(await items)).toEqual(
    Object.fromEntries(await readFromService(emulated, MODELS)),
  );
}

describe.each([
  // One more than by halves in series, which took twice as many rounds.
  { size: 10_000, archived: 16 },
  { size: 100_000, archived: 20 },
])('with $size items in 4 models', ({ size, archived }) => {
  let emulated: EmulatedSpace;
  beforeAll(async () => {
    emulated = openEmulatedSpace(seedOf(size));
    await emulated.sync();
  });

  test('no change takes 2 requests, none of which counts towards the rate limit', async () => {
    await emulated.sync();
    const { result, requests, counted } = await emulated.counted(() => emulated.sync());
    expect(requests).toBe(2);
    expect(counted).toBe(0);
    expect(result.summary).toMatchObject({ items: size, added: 0, changed: 0, removed: 0 });
  });

  test('5 changed items take at most 3 requests', async () => {
    emulated.service.clock.advance(60_000);
    for (const id of [1, 100, 2_000, 4_001, 9_999])
      emulated.service.contents.edit(id, { [id % 4 === 1 ? 'name' : 'title']: 'edited' });
    const { result, requests } = await emulated.counted(() => emulated.sync());
    expect(requests).toBeLessThanOrEqual(3);
    expect(result.summary).toMatchObject({ changed: 5, added: 0, removed: 0 });
    if (size === 10_000) await equalsService(emulated, result.items());
  });

  test('500 changed items take at most 15 requests', async () => {
    for (let n = 0; n < 500; n++) {
      emulated.service.clock.advance(1000);
      emulated.service.contents.edit(2 + n * 4, { title: `edited ${n}` });
    }
    const { result, requests } = await emulated.counted(() => emulated.sync());
    expect(requests).toBeLessThanOrEqual(15);
    expect(result.summary).toMatchObject({ changed: 500 });
    if (size === 10_000) await equalsService(emulated, result.items());
  });

  test('the next sync reads those with an empty reference once more, with at most 8 requests', async () => {
    // Two of them prove that nothing was hidden meanwhile.
    expect((await emulated.counted(() => emulated.sync())).requests).toBeLessThanOrEqual(8);
    expect((await emulated.counted(() => emulated.sync())).requests).toBe(2);
  });

  test(`1 archived item takes at most ${archived} requests`, async () => {
    emulated.service.contents.archive(size / 2 + 7);
    const { result, requests } = await emulated.counted(() => emulated.sync());
    expect(requests).toBeLessThanOrEqual(archived);
    expect(result.summary).toMatchObject({ removed: 1, items: size - 1 });
    expect((await result.items()).has(size / 2 + 7)).toBe(false);
    if (size === 10_000) await equalsService(emulated, result.items());
  });
});

test('a cold read of 10,000 items takes at most 110 requests', async () => {
  const emulated = openEmulatedSpace(seedOf(10_000));
  const { result, requests } = await emulated.counted(() => emulated.sync());
  expect(requests).toBeLessThanOrEqual(110);
  await equalsService(emulated, result.items());
});

test('1,200 items are read in one round, and no request counts towards the rate limit if nothing changed', async () => {
  const emulated = openEmulatedSpace(seedOf(1_200));
  await emulated.sync();
  await emulated.sync();
  // One chain through all models is 13 pages. None is answered before all have been requested.
  const waiting: (() => void)[] = [];
  const fetch: typeof globalThis.fetch = async (...request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 13) for (const release of waiting) release();
    });
    return emulated.service.fetch(...(request as [Request]));
  };
  const { result, requests, counted } = await emulated.counted(() => emulated.sync({ fetch }));
  expect(requests).toBe(13);
  expect(counted).toBe(0);
  emulated.service.contents.edit(5, { name: 'edited' });
  await equalsService(emulated, (await emulated.sync()).items());
  expect(result.summary.items).toBe(1_200);
});

describe('another language', () => {
  test('is read once when cold, and after an edit in the main language only for what changed', async () => {
    const emulated = openEmulatedSpace(seedOf(4_000));
    emulated.service.contents.edit(4, { title: 'English' }, { lang: 'en' });
    const main = await emulated.sync();
    const cold = await emulated.counted(() => emulated.sync({ lang: 'en', main }));
    expect(cold.requests).toBeLessThanOrEqual(8);
    emulated.service.contents.edit(4, { title: 'edited' });
    const edited = await emulated.sync();
    expect(edited.journal.entries.at(-1)?.changed.map(([id]) => id)).toEqual([4]);
    const warm = await emulated.counted(() => emulated.sync({ lang: 'en', main: edited }));
    expect(warm.requests).toBeLessThanOrEqual(4);
    expect([...(await warm.result.items()).keys()]).toEqual([4]);
  });
});
