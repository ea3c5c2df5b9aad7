import { describe, expect, test } from 'vitest';
import { ItemNotReadError, PartialItems } from '../../../src/astro/loader/partial-items.ts';
import { field } from '../../../src/index.ts';
import type { Replica } from '../../../src/replica/replica.ts';
import { replicaOf } from '../../replica/replica-of.ts';
import { content } from '../../replica/wire-items.ts';

const models = { article: { cover: field.media() } };
const media = (alt: string) => ({ cover: { url: '/a.jpg', alt } });
const ITEMS = [1, 2, 3].map((id) => content(id, media('old')));

/** Three articles, and which of them were requested. */
async function open() {
  const replica = await replicaOf(models, ITEMS, { alts: { '/a.jpg': 'new' } });
  const requested: number[][] = [];
  const counted: Replica = {
    ...replica,
    itemsById: (ids) => {
      requested.push([...ids]);
      return replica.itemsById(ids);
    },
  };
  return { items: await PartialItems.open(counted), requested };
}

describe('some items of a replica', () => {
  test('are those that were read, as the replica shows them', async () => {
    const { items } = await open();
    await items.read([1, 3]);
    expect(items.get(1)).toEqual(content(1, media('new')));
    expect(items.get(3)).toEqual(content(3, media('new')));
  });

  test('are never passed off as missing: one that was not read is an error', async () => {
    const { items } = await open();
    expect(() => items.get(2)).toThrow(ItemNotReadError);
    await items.read([1]);
    expect(() => items.get(2)).toThrow('Content 2 was not read');
    await items.read([2]);
    expect(items.get(2)?._id).toBe(2);
  });

  test('are missing if the replica does not have them, read or not', async () => {
    const { items } = await open();
    expect(items.get(9)).toBeUndefined();
    await items.read([9]);
    expect(items.get(9)).toBeUndefined();
  });

  test('exist before they are read', async () => {
    const { items } = await open();
    expect([1, 2, 9].map((id) => items.has(id))).toEqual([true, true, false]);
    await items.read([1]);
    expect([1, 2, 9].map((id) => items.has(id))).toEqual([true, true, false]);
  });

  test('cannot be listed', async () => {
    const { items } = await open();
    await items.read([1, 2, 3]);
    expect(() => items.values()).toThrow(ItemNotReadError);
  });

  test('are read once', async () => {
    const { items, requested } = await open();
    await items.read([1, 2]);
    await items.read([2, 3]);
    expect(requested).toEqual([[1, 2], [3]]);
  });

  test('come with the index of the replica', async () => {
    const { items } = await open();
    expect(items.index.get(2)?.model).toBe('article');
  });
});
