import { createStorage, type Storage } from 'unstorage';
import { expect, test } from 'vitest';
import { contentName, StoredContent } from '../../../../src/astro/live/check/stored-content.ts';
import { MODELS, openEmulatedSpace, seedOf } from '../../../support/emulated-space.ts';

/** Servers with a storage each, as if they could not reach a common one. */
function openServers() {
  const { service, sync } = openEmulatedSpace(seedOf(10));
  const versionsIn = (storage: Storage) =>
    new StoredContent({ models: MODELS, settings: {} } as never, {
      storage,
      baseUrl: service.baseUrl,
      apiKey: 'published',
    });
  return {
    service,
    async syncInto(storage: Storage) {
      await sync({ cache: { storage } });
      return versionsIn(storage);
    },
  };
}

test('two servers with different content of the same generation know that it differs', async () => {
  const { service, syncInto } = openServers();
  const first = await (await syncInto(createStorage())).read([], undefined);
  service.contents.edit(2, { title: 'second' });
  const stored = await syncInto(createStorage());
  const second = await stored.read([], first);
  if (!first || !second) throw new Error('nothing is stored');
  expect([first.main.manifest.generation, second.main.manifest.generation]).toEqual([1, 1]);
  expect(contentName(second)).not.toBe(contentName(first));
  expect(second.main.get(2)).toMatchObject({ title: 'second' });
});

test('what is stored has the name of what is served as long as nothing changed', async () => {
  const { service, syncInto } = openServers();
  const storage = createStorage();
  const stored = await syncInto(storage);
  const current = await stored.read([], undefined);
  if (!current) throw new Error('nothing is stored');
  const nameNow = async () => contentName((await stored.read([], current)) ?? current);
  expect(await nameNow()).toBe(contentName(current));
  service.clock.advance(60_000);
  service.contents.edit(2, { title: 'second' });
  await syncInto(storage);
  expect(await nameNow()).not.toBe(contentName(current));
});
