import { createStorage } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { openSnapshotReader } from '../../../src/replica/content/snapshot-reader.ts';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { storedModelKey } from '../../../src/replica/store/manifest/stored-models.ts';
import { hashOf } from '../../../src/replica/store/segments/segments.ts';
import { emptyManifest, openSnapshot } from '../../../src/replica/store/snapshot.ts';
import { mapOf, snapshotNames } from '../../../src/replica/store/snapshot-names.ts';
import { MODELS, readFromService } from '../../support/emulated-space.ts';
import { manifestCodec } from '../../support/manifest-codec.ts';
import { models } from './memory-items.ts';
import { openStoredSpace } from './stored-space.ts';

test('nothing is stored before the first sync', async () => {
  expect(await (await openStoredSpace(10).reader()).load()).toBeUndefined();
});

test.each([3, 700])('what a sync has stored is what the service shows: %i items', async (count) => {
  const space = openStoredSpace(count);
  const replica = await space.read();
  const wanted = await readFromService(space, MODELS);
  expect(replica.size).toBe(wanted.size);
  expect(new Map([...replica.values()].map((item) => [item._id, item]))).toEqual(wanted);
  for (const id of [1, 2, count]) expect(replica.get(id)).toEqual(wanted.get(id));
  expect([replica.get(count + 1), replica.has(count + 1), replica.has(1)]).toEqual([undefined, false, true]);
});

test('the newest manifest is used', async () => {
  const space = openStoredSpace(10);
  await space.read();
  space.service.contents.edit(1, { name: 'new' });
  expect((await space.read()).get(1)).toMatchObject({ name: 'new' });
});

test('another key finds nothing, and nothing that it could read', async () => {
  const space = openStoredSpace(10);
  await space.read();
  expect(await (await space.reader('drafts')).load()).toBeUndefined();
});

test('a forged manifest is ignored, for an older one that is authentic', async () => {
  const space = openStoredSpace(10);
  await space.read();
  const [key] = (await space.storage.getKeys()).filter((one) => one.includes(':manifest:'));
  const signed = String(await space.storage.getItemRaw(key as string));
  const newer = (key as string).replace(/manifest:0+1-/, 'manifest:000000000002-');
  for (const forged of [signed, signed.replace('"generation":1', '"generation":2'), 'x', '']) {
    await space.storage.setItemRaw(newer, forged);
    expect((await (await space.reader()).load())?.generation).toBe(1);
  }
});

test('a damaged or missing segment is not read', async () => {
  const space = openStoredSpace(10);
  await space.read();
  const reader = await space.reader();
  const manifest = await reader.load();
  const hash = Object.values(manifest?.models ?? {})[0]?.segments[0]?.hash as string;
  const [key] = (await space.storage.getKeys()).filter((one) => one.endsWith(hash));
  expect(await reader.segment(hash)).toBeDefined();
  await space.storage.setItemRaw(key as string, '[]');
  expect(await reader.segment(hash)).toBeUndefined();
  await space.storage.removeItem(key as string);
  expect(await reader.segment(hash)).toBeUndefined();
});

describe('the manifest that is loaded', () => {
  const OF = { baseUrl: 'http://service.test/v1', apiKey: 'key', space: undefined, lang: undefined };
  const modelKeys = Object.keys(models).map((model) => storedModelKey(models, model));
  const complete = Object.fromEntries(modelKeys.map((key) => [key, { segments: [], readAt: 1 }]));

  /** A storage with manifests of these generations. */
  async function stored(...generations: number[]) {
    const storage = createStorage();
    const commit = async (manifest: Partial<Manifest>) =>
      (await openSnapshot(storage, { ...OF, modelKeys })).commit(
        { ...emptyManifest(), models: complete, ...manifest },
        1,
      );
    for (const generation of generations) await commit({ generation });
    const keyOf = async (generation: number) =>
      (await storage.getKeys()).find((key) => key.includes(`:manifest:00000000000${generation}-`)) ?? '';
    const load = async () => (await openSnapshotReader(storage, models, OF)).load();
    return { storage, commit, keyOf, load };
  }

  test('is the newest, in whatever order the storage lists them', async () => {
    const { storage, keyOf, load } = await stored(1, 2);
    expect((await load())?.generation).toBe(2);
    const older = await keyOf(1);
    const text = await storage.getItemRaw(older);
    await storage.removeItem(older);
    await storage.setItemRaw(older, text);
    expect((await load())?.generation).toBe(2);
  });

  test('is not one that was renamed to pass for newer', async () => {
    const { storage, keyOf, load } = await stored(1, 2);
    const [older, newer] = [await keyOf(1), await keyOf(2)];
    await storage.setItemRaw(newer.replace('000002-', '000003-'), await storage.getItemRaw(older));
    expect((await load())?.generation).toBe(2);
  });

  test('is not one under the name of another model map', async () => {
    const { storage, keyOf, load } = await stored(1);
    const key = await keyOf(1);
    const map = mapOf(key.slice(key.lastIndexOf(':') + 1));
    await storage.setItemRaw(key.replace(map, '0'.repeat(16)), await storage.getItemRaw(key));
    await storage.removeItem(key);
    expect(await load()).toBeUndefined();
  });

  test('is not one that lacks a model', async () => {
    const { commit, load } = await stored(1);
    const [[key, model] = ['', undefined]] = Object.entries(complete);
    await commit({ generation: 2, models: { [key]: model as (typeof complete)[string] } });
    expect((await load())?.generation).toBe(1);
  });

  test('is not one that is signed but is not a manifest', async () => {
    const { storage, keyOf, load } = await stored(1);
    const key = await keyOf(1);
    const map = mapOf(key.slice(key.lastIndexOf(':') + 1));
    const { identity } = await snapshotNames({ ...OF, modelKeys }, hashOf);
    const signed = manifestCodec(OF.apiKey, identity, map).encode({
      history: emptyManifest().history,
    } as Manifest);
    await storage.setItemRaw(key.replace('000001-', '000002-'), signed);
    expect((await load())?.generation).toBe(1);
  });

  test('is not one that was removed after it was listed', async () => {
    const { storage, keyOf, load } = await stored(1);
    const key = await keyOf(1);
    storage.getKeys = async () => [key.replace('000001-', '000002-'), key];
    expect((await load())?.generation).toBe(1);
  });

  test('is of a snapshot with a name of its own', async () => {
    const nameOf = async (
      of: Partial<typeof OF> = {},
      map: Parameters<typeof openSnapshotReader>[1] = models,
    ) => (await openSnapshotReader(createStorage(), map, { ...OF, ...of })).names.id;
    const names = [
      await nameOf(),
      await nameOf({ apiKey: 'other' }),
      await nameOf({ baseUrl: 'http://other.test/v1' }),
      await nameOf({}, { author: models.author }),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(await nameOf()).toBe(names[0]);
  });
});
