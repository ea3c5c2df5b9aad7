import { expect, test } from 'vitest';
import { MODELS, readFromService } from '../../support/emulated-space.ts';
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
