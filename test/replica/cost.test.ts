import { describe, expect, test } from 'vitest';
import { openEmulatedSpace, seedOf } from '../support/emulated-space.ts';
import { equalsService, testCostOfChanges } from './cost-of-changes.ts';

// One more than by halves in series, which took twice as many rounds.
testCostOfChanges({ size: 10_000, archived: 16 });

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
    expect(edited.manifest.history.steps.at(-1)?.changed).toEqual([4]);
    const warm = await emulated.counted(() => emulated.sync({ lang: 'en', main: edited }));
    expect(warm.requests).toBeLessThanOrEqual(4);
    expect([...(await warm.result.items()).keys()]).toEqual([4]);
  });
});
