import { beforeAll, describe, expect, test } from 'vitest';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';

export async function equalsService(emulated: EmulatedSpace, items: Promise<ReadonlyMap<number, unknown>>) {
  expect(Object.fromEntries(await items)).toEqual(
    Object.fromEntries(await readFromService(emulated, MODELS)),
  );
}

/** What a sync may cost in a space of this size, after each kind of change. */
export function testCostOfChanges({ size, archived }: { size: number; archived: number }): void {
  describe(`with ${size} items in 4 models`, () => {
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
}
