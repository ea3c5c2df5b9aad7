import { beforeAll, describe, expect, test } from 'vitest';
import { type House, MODELS, openHouse, seedOf, truth } from './house.ts';

async function equalsService(house: House, items: Promise<ReadonlyMap<number, unknown>>) {
  expect(Object.fromEntries(await items)).toEqual(Object.fromEntries(await truth(house, MODELS)));
}

describe.each([
  { size: 10_000, archived: 15 },
  { size: 100_000, archived: 20 },
])('with $size items in 4 models', ({ size, archived }) => {
  let house: House;
  beforeAll(async () => {
    house = openHouse(seedOf(size));
    await house.sync();
  });

  test('nothing changed takes 2 requests, and none counts', async () => {
    await house.sync();
    const { result, requests, counted } = await house.counted(() => house.sync());
    expect(requests).toBe(2);
    expect(counted).toBe(0);
    expect(result.summary).toMatchObject({ items: size, added: 0, changed: 0, removed: 0 });
  });

  test('5 changed take at most 3', async () => {
    house.service.clock.advance(60_000);
    for (const id of [1, 100, 2_000, 4_001, 9_999])
      house.service.contents.edit(id, { [id % 4 === 1 ? 'name' : 'title']: 'edited' });
    const { result, requests } = await house.counted(() => house.sync());
    expect(requests).toBeLessThanOrEqual(3);
    expect(result.summary).toMatchObject({ changed: 5, added: 0, removed: 0 });
    if (size === 10_000) await equalsService(house, result.items());
  });

  test('500 changed take at most 15', async () => {
    for (let n = 0; n < 500; n++) {
      house.service.clock.advance(1000);
      house.service.contents.edit(2 + n * 4, { title: `edited ${n}` });
    }
    const { result, requests } = await house.counted(() => house.sync());
    expect(requests).toBeLessThanOrEqual(15);
    expect(result.summary).toMatchObject({ changed: 500 });
    if (size === 10_000) await equalsService(house, result.items());
  });

  test(`1 archived takes at most ${archived}`, async () => {
    house.service.contents.archive(size / 2 + 7);
    const { result, requests } = await house.counted(() => house.sync());
    expect(requests).toBeLessThanOrEqual(archived);
    expect(result.summary).toMatchObject({ removed: 1, items: size - 1 });
    expect((await result.items()).has(size / 2 + 7)).toBe(false);
    if (size === 10_000) await equalsService(house, result.items());
  });
});

test('10,000 items cold take at most 110 requests', async () => {
  const house = openHouse(seedOf(10_000));
  const { result, requests } = await house.counted(() => house.sync());
  expect(requests).toBeLessThanOrEqual(110);
  await equalsService(house, result.items());
});

test('1,200 items are read whole in one round, and none counts when nothing changed', async () => {
  const house = openHouse(seedOf(1_200));
  await house.sync();
  await house.sync();
  // One chain through all models is 13 pages. None is answered before all have been requested.
  const waiting: (() => void)[] = [];
  const fetch: typeof globalThis.fetch = async (...request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 13) for (const release of waiting) release();
    });
    return house.service.fetch(...(request as [Request]));
  };
  const { result, requests, counted } = await house.counted(() => house.sync({ fetch }));
  expect(requests).toBe(13);
  expect(counted).toBe(0);
  house.service.contents.edit(5, { name: 'edited' });
  await equalsService(house, (await house.sync()).items());
  expect(result.summary.items).toBe(1_200);
});

describe('another language', () => {
  test('cold is read once, and after an edit of the main language costs what changed', async () => {
    const house = openHouse(seedOf(4_000));
    house.service.contents.edit(4, { title: 'English' }, { lang: 'en' });
    const main = await house.sync();
    const cold = await house.counted(() => house.sync({ lang: 'en', main }));
    expect(cold.requests).toBeLessThanOrEqual(8);
    house.service.contents.edit(4, { title: 'edited' });
    const edited = await house.sync();
    expect(edited.journal.entries.at(-1)?.changed.map(([id]) => id)).toEqual([4]);
    const warm = await house.counted(() => house.sync({ lang: 'en', main: edited }));
    expect(warm.requests).toBeLessThanOrEqual(4);
    expect([...(await warm.result.items()).keys()]).toEqual([4]);
  });
});
