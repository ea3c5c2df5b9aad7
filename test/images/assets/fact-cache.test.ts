import { createHmac } from 'node:crypto';
import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFactCache } from '../../../src/images/assets/fact-cache.ts';
import { DIMENSIONS } from '../../../src/images/dimensions/image-measurer.ts';
import type { ImageInfo } from '../../../src/images/dimensions/known-dimensions.ts';

let storage: Storage;
beforeEach(() => {
  storage = createStorage({ driver: memory() });
});

const image = (width: number, height = 10, format = 'jpg'): ImageInfo => ({ width, height, format });
const url = (n: number | string) => `https://assets.example/${n}/a.jpg`;
const open = (apiKey = 'key') => openFactCache(storage, apiKey, DIMENSIONS.format);
const keys = async () => (await storage.getKeys()).sort();
/** The name of a file with this content. */
function hmacOf(text: string, apiKey = 'key'): string {
  const key = createHmac('sha256', apiKey).update('astro-luid cache sizes').digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

describe('stored dimensions', () => {
  test('are loaded with the same key only', async () => {
    const sizes = new Map([
      [url(1), image(300, 200)],
      [url(2), image(0, 0, '')],
    ]);
    await open().add(sizes);
    expect(await open().load()).toEqual(sizes);
    expect(await open('other').load()).toEqual(new Map());
  });

  test('are one line per image in a file named by its HMAC', async () => {
    await open().add(
      new Map([
        [url(2), image(5, 6, 'png')],
        [url(1), image(3, 4)],
      ]),
    );
    const text = `3x4 jpg ${url(1)}\n5x6 png ${url(2)}`;
    expect(await keys()).toEqual([`sizes-v3:${hmacOf(text)}`]);
    expect(await storage.getItem(`sizes-v3:${hmacOf(text)}`)).toBe(text);
  });

  test('of several builds are merged when they are loaded', async () => {
    await open().add(new Map([[url(1), image(1)]]));
    await open().add(new Map([[url(2), image(2)]]));
    expect(await open().load()).toEqual(
      new Map([
        [url(1), image(1)],
        [url(2), image(2)],
      ]),
    );
  });

  test('are ignored if the HMAC does not match the content', async () => {
    const text = `9x9 jpg ${url(1)}`;
    await storage.setItem(`sizes-v3:${hmacOf(text, 'other')}`, text);
    await storage.setItem(`sizes-v3:${hmacOf(text)}`, text.replace('9x9', '8x8'));
    await storage.setItem('sizes-v3:x', '');
    expect(await open().load()).toEqual(new Map());
  });

  test('on malformed lines are skipped', async () => {
    const text = [
      '',
      'x',
      `9 jpg ${url(1)}`,
      `9x9 jpg`,
      `7x6  ${url(2)}`,
      `9x9 jpg ${url(3)} more`,
      `a9x9 jpg b`,
    ].join('\n');
    await storage.setItem(`sizes-v3:${hmacOf(text)}`, text);
    expect(await open().load()).toEqual(new Map([[url(2), image(7, 6, '')]]));
  });

  test('in other folders are not read', async () => {
    const text = `9x9 jpg ${url(1)}`;
    await storage.setItem(`other:${hmacOf(text)}`, text);
    expect(await open().load()).toEqual(new Map());
  });
});

describe('many files', () => {
  test('are merged into one by the ninth', async () => {
    const cache = open();
    for (let n = 0; n < 8; n++) await cache.add(new Map([[url(n), image(n)]]));
    expect(await keys()).toHaveLength(8);
    await cache.add(new Map([[url(8), image(8)]]));
    expect(await keys()).toHaveLength(1);
    expect((await open().load()).size).toBe(9);
    await cache.add(new Map([[url(9), image(9)]]));
    expect(await keys()).toHaveLength(2);
    expect((await open().load()).size).toBe(10);
  });

  test('of earlier builds are merged as well', async () => {
    for (let n = 0; n < 8; n++) await open().add(new Map([[url(n), image(n)]]));
    const cache = open();
    await cache.load();
    await cache.add(new Map([[url(8), image(8)]]));
    expect(await keys()).toHaveLength(1);
    expect((await open().load()).size).toBe(9);
  });

  test('are kept if their content was not read', async () => {
    for (let n = 0; n < 9; n++) await open().add(new Map([[url(n), image(n)]]));
    await open().add(new Map([[url(9), image(9)]]));
    expect(await keys()).toHaveLength(10);
    expect((await open().load()).size).toBe(10);
  });

  test('are merged by two calls at the same time, and what the other one has added is kept', async () => {
    const driver = memory();
    const setItem = async (key: string, value: string) => {
      await isWritable;
      return driver.setItem?.(key, value, {});
    };
    let isWritable = Promise.resolve();
    let write = () => {};
    storage = createStorage({ driver: { ...driver, setItem } });
    const cache = open();
    for (let n = 0; n < 8; n++) await cache.add(new Map([[url(n), image(n)]]));
    isWritable = new Promise((resolve) => {
      write = resolve;
    });
    const slow = cache.add(new Map([[url('slow'), image(1)]]));
    isWritable = Promise.resolve();
    await cache.add(new Map([[url('fast'), image(1)]]));
    write();
    await slow;
    expect([...(await open().load()).keys()].sort()).toEqual(
      [...Array.from({ length: 8 }, (_, n) => n), 'fast', 'slow'].map(url),
    );
  });

  test('are not removed if the new file has the name of an old one', async () => {
    const cache = open();
    for (let n = 0; n < 9; n++) await cache.add(new Map([[url(n), image(n)]]));
    for (let n = 0; n < 7; n++) await cache.add(new Map([[url(n), image(n)]]));
    expect(await keys()).toHaveLength(8);
    // All is known already, so the file of everything is the one that is there.
    await cache.add(new Map([[url(1), image(1)]]));
    expect(await keys()).toHaveLength(1);
    expect((await open().load()).size).toBe(9);
  });
});
