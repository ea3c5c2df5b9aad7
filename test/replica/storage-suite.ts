import type { Storage } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { uniformStorage } from '../../src/replica/store/uniform-storage.ts';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { flip, isFacts } from '../support/folder-files.ts';

/** What a replica needs of a storage, whichever it is. Each test gets an empty one. */
export function describeStorage(name: string, makeStorage: () => Promise<Storage> | Storage): void {
  describe(`on ${name}`, () => {
    async function open() {
      const emulated = openEmulatedSpace(seedOf(160));
      const storage = await makeStorage();
      const items = async (options: Parameters<EmulatedSpace['sync']>[0] = {}) =>
        Object.fromEntries(
          await (await emulated.sync({ cache: { storage }, concurrency: 1, ...options })).items(),
        );
      const right = async () => Object.fromEntries(await readFromService(emulated, MODELS));
      return { emulated, storage, items, right };
    }

    test('what was stored is read again', async () => {
      const { emulated, items, right } = await open();
      expect(await items()).toEqual(await right());
      expect(await items({ offline: true })).toEqual(await right());
      for (let round = 0; round < 5; round++) {
        emulated.service.clock.advance(1000);
        emulated.service.contents.edit(2 + 4 * round, { title: `edit ${round} 漢字 \u2028 😀` });
        emulated.service.contents.archive(100 + round);
        expect(await items()).toEqual(await right());
        expect(await items({ offline: true })).toEqual(await right());
      }
      // What the last edit changed is read once more.
      await items();
      const { requests } = await emulated.counted(() => items());
      expect(requests).toBe(2);
      expect(emulated.warnings).toEqual([]);
    });

    test('damage is reported once and repaired', async () => {
      const { emulated, storage, items, right } = await open();
      await items();
      for (const key of (await storage.getKeys()).sort()) {
        const bytes = Buffer.from((await uniformStorage(storage).getItemRaw<string>(key)) as string);
        if (isFacts(bytes)) continue;
        flip(bytes, bytes.length >> 1);
        await storage.setItemRaw(key, bytes.toString('utf8'));
        await expect(items({ offline: true })).rejects.toThrow();
        emulated.warnings.length = 0;
        expect(await items()).toEqual(await right());
        expect(await items({ offline: true })).toEqual(await right());
        expect(emulated.warnings).toHaveLength(1);
        // The next is damaged where only one state lies.
        // One after the other: servers of the tests cannot remove several at once.
        for (const key of await storage.getKeys()) await storage.removeItem(key);
        await items();
      }
    });

    test('two concurrent writers are both right, and leave no unused files', async () => {
      const { emulated, storage, items, right } = await open();
      for (let round = 0; round < 20; round++) {
        emulated.service.clock.advance(1000);
        emulated.service.contents.edit(2 + 4 * round, { title: `edit ${round}` });
        const expected = await right();
        for (const found of await Promise.all([items(), items()])) expect(found).toEqual(expected);
        expect(await items({ offline: true })).toEqual(expected);
      }
      expect((await storage.getKeys()).length).toBeLessThan(40);
    });

    test('drafts are not read with another key, and no key is stored', async () => {
      const { storage, items } = await open();
      await items({ apiKey: 'drafts' });
      await expect(items({ offline: true })).rejects.toThrow('does not contain all models');
      for (const key of await storage.getKeys()) {
        expect(`${key} ${await uniformStorage(storage).getItemRaw(key)}`).not.toMatch(/\bdrafts\b/);
      }
    });
  });
}
