import { createHmac } from 'node:crypto';
import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { openSizesCache } from '../../../src/images/dimensions/dimensions-cache.ts';
import type { KnownSize } from '../../../src/images/dimensions/known-dimensions.ts';

let storage: Storage;
beforeEach(() => {
  storage = createStorage({ driver: memory() });
});

const size = (width: number, height = 10, format = 'jpg'): KnownSize => ({ width, height, format });
const url = (n: number | string) => `https://assets.example/${n}/a.jpg`;
const open = (apiKey = 'key') => openSizesCache(storage, apiKey);
const keys = async () => (await storage.getKeys()).sort();
/** Signs any text, as only who has the key can. */
function signed(text: string, apiKey = 'key'): string {
  const key = createHmac('sha256', apiKey).update('astro-luid cache sizes').digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

describe('stored sizes', () => {
  test('are there again for whoever has the key', async () => {
    const sizes = new Map([
      [url(1), size(300, 200)],
      [url(2), size(0, 0, '')],
    ]);
    await open().add(sizes);
    expect(await open().load()).toEqual(sizes);
    expect(await open('other').load()).toEqual(new Map());
  });

  test('are one line per image in a file that is named by its signature', async () => {
    await open().add(
      new Map([
        [url(2), size(5, 6, 'png')],
        [url(1), size(3, 4)],
      ]),
    );
    const text = `3x4 jpg ${url(1)}\n5x6 png ${url(2)}`;
    expect(await keys()).toEqual([`sizes-v2:${signed(text)}`]);
    expect(await storage.getItem(`sizes-v2:${signed(text)}`)).toBe(text);
  });

  test('of several builds are put together when they are read', async () => {
    await open().add(new Map([[url(1), size(1)]]));
    await open().add(new Map([[url(2), size(2)]]));
    expect(await open().load()).toEqual(
      new Map([
        [url(1), size(1)],
        [url(2), size(2)],
      ]),
    );
  });

  test('are not believed without the signature of their text', async () => {
    const text = `9x9 jpg ${url(1)}`;
    await storage.setItem(`sizes-v2:${signed(text, 'other')}`, text);
    await storage.setItem(`sizes-v2:${signed(text)}`, text.replace('9x9', '8x8'));
    await storage.setItem('sizes-v2:x', '');
    expect(await open().load()).toEqual(new Map());
  });

  test('that are no sizes are skipped', async () => {
    const text = [
      '',
      'x',
      `9 jpg ${url(1)}`,
      `9x9 jpg`,
      `7x6  ${url(2)}`,
      `9x9 jpg ${url(3)} more`,
      `a9x9 jpg b`,
    ].join('\n');
    await storage.setItem(`sizes-v2:${signed(text)}`, text);
    expect(await open().load()).toEqual(new Map([[url(2), size(7, 6, '')]]));
  });

  test('of other folders are not read', async () => {
    const text = `9x9 jpg ${url(1)}`;
    await storage.setItem(`other:${signed(text)}`, text);
    expect(await open().load()).toEqual(new Map());
  });
});

describe('many files', () => {
  test('are put together into one by the ninth', async () => {
    const cache = open();
    for (let n = 0; n < 8; n++) await cache.add(new Map([[url(n), size(n)]]));
    expect(await keys()).toHaveLength(8);
    await cache.add(new Map([[url(8), size(8)]]));
    expect(await keys()).toHaveLength(1);
    expect((await open().load()).size).toBe(9);
    await cache.add(new Map([[url(9), size(9)]]));
    expect(await keys()).toHaveLength(2);
    expect((await open().load()).size).toBe(10);
  });

  test('of earlier builds are put together as well', async () => {
    for (let n = 0; n < 8; n++) await open().add(new Map([[url(n), size(n)]]));
    const cache = open();
    await cache.load();
    await cache.add(new Map([[url(8), size(8)]]));
    expect(await keys()).toHaveLength(1);
    expect((await open().load()).size).toBe(9);
  });

  test('are kept where what they hold is not known', async () => {
    for (let n = 0; n < 9; n++) await open().add(new Map([[url(n), size(n)]]));
    await open().add(new Map([[url(9), size(9)]]));
    expect(await keys()).toHaveLength(10);
    expect((await open().load()).size).toBe(10);
  });

  test('are not removed where the new file has the name of an old one', async () => {
    const cache = open();
    for (let n = 0; n < 9; n++) await cache.add(new Map([[url(n), size(n)]]));
    for (let n = 0; n < 7; n++) await cache.add(new Map([[url(n), size(n)]]));
    expect(await keys()).toHaveLength(8);
    // All is known already, so the file of everything is the one that is there.
    await cache.add(new Map([[url(1), size(1)]]));
    expect(await keys()).toHaveLength(1);
    expect((await open().load()).size).toBe(9);
  });
});
