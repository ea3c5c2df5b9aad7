import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { defineSpace } from '../../src/index.ts';
import { models, seed } from './sample-service.ts';

/** The client of a space, and one that is imported at once, for the same service. */
function bothClients() {
  const service = createEmulator({ ...seed, media: [] } as never);
  const connection = { baseUrl: service.baseUrl, apiKey: 'drafts', models, fetch: service.fetch };
  return { service, onDemand: defineSpace(connection).client(), direct: createClient(connection) };
}

test('the client of a space has the methods of createClient', () => {
  const { onDemand, direct } = bothClients();
  expect(Object.keys(onDemand.contents).sort()).toEqual(Object.keys(direct.contents).sort());
  expect(Object.keys(onDemand.media).sort()).toEqual(Object.keys(direct.media).sort());
});

test('the client of a space reads what createClient reads', async () => {
  const { onDemand, direct } = bothClients();
  const query = { order: '_id' } as const;
  expect(await onDemand.contents.list('author', query)).toEqual(await direct.contents.list('author', query));
  expect(await onDemand.contents.get(1)).toEqual(await direct.contents.get(1));
  expect(await onDemand.contents.count('author')).toBe(2);
  const names: string[] = [];
  for await (const { name } of onDemand.contents.iterate('author', query)) names.push(name);
  expect(names).toEqual(['Mori', 'Tanaka']);
  expect((await onDemand.contents.all('author', query)).map(({ name }) => name)).toEqual(names);
});

test('the client of a space writes', async () => {
  const { onDemand } = bothClients();
  const { contents, media } = onDemand;
  const { id } = await contents.create('author', { fields: { name: 'Sato' } });
  await contents.patch('author', id, { fields: { name: 'Ito' } });
  expect(await contents.get(id)).toMatchObject({ name: 'Ito' });
  await contents.replace('author', id, { fields: { name: 'Abe' } });
  const copy = await contents.duplicate(id);
  expect(await contents.get(copy.id)).toMatchObject({ name: 'Abe' });
  const file = await media.upload(new Blob(['x']), { name: 'x.txt' });
  expect(await media.delete(file.id)).toEqual({ id: file.id });
});

test('a query that cannot work is rejected by the client of a space, and requests nothing', async () => {
  const { service, onDemand } = bothClients();
  await expect(onDemand.contents.list('author', { limits: 1 } as never)).rejects.toThrow(/limits/);
  await expect(onDemand.contents.iterate('author', { depths: 1 } as never).next()).rejects.toThrow(/depths/);
  expect(service.log).toEqual([]);
});

describe('the client of a space with a sub-space', () => {
  function shopClient() {
    const service = createEmulator({ ...seed, media: [] } as never);
    const { contents } = defineSpace({
      baseUrl: service.baseUrl,
      draftApiKey: 'drafts',
      models,
      space: 'shop',
      fetch: service.fetch,
    }).client({ drafts: true });
    return { service, contents };
  }

  test('reads that sub-space, unless another one is named', async () => {
    const { contents } = shopClient();
    expect((await contents.list('author')).data.map(({ name }) => name)).toEqual(['Tanaka']);
    expect((await contents.all('author')).map(({ name }) => name)).toEqual(['Tanaka']);
    expect(await contents.count('author')).toBe(1);
    expect((await contents.list('author', { space: '_parent' })).data.map(({ name }) => name)).toEqual([
      'Mori',
    ]);
  });

  test('writes in it', async () => {
    const { service, contents } = shopClient();
    const spaceOf = (id: number) => service.contents.get(id).space;
    const { id } = await contents.create('author', { fields: { name: 'Sato' } });
    await contents.patch('author', id, { fields: { name: 'Ito' } });
    await contents.replace('author', id, { fields: { name: 'Abe' } });
    const copy = await contents.duplicate(id);
    expect([spaceOf(id), spaceOf(copy.id)]).toEqual(['shop', 'shop']);
  });

  test('takes `space: undefined` for that sub-space, too', async () => {
    const { service, contents } = shopClient();
    const nowhere = { space: undefined } as object;
    expect((await contents.list('author', nowhere)).data.map(({ name }) => name)).toEqual(['Tanaka']);
    const { id } = await contents.create('author', { fields: { name: 'Sato' }, ...nowhere });
    await contents.patch('author', id, { fields: { name: 'Ito' }, ...nowhere });
    await contents.replace('author', id, { fields: { name: 'Abe' }, ...nowhere });
    expect(service.contents.get(id).space).toBe('shop');
  });
});
