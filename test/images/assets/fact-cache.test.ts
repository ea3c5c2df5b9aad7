import { createHmac } from 'node:crypto';
import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFactCache } from '../../../src/images/assets/fact-cache.ts';
import type { ImageInfo } from '../../../src/images/dimensions/known-dimensions.ts';
import { openCipher } from '../../../src/shared/encryption/content-cipher.ts';

let storage: Storage;
beforeEach(() => {
  storage = createStorage({ driver: memory() });
});

const image = (width: number, height = 10, format = 'jpg'): ImageInfo => ({ width, height, format });
const url = (n: number | string) => `https://assets.example/${n}/a.jpg`;
const open = (apiKey = 'key') => openFactCache<ImageInfo | null>(storage, apiKey, 'sizes');
const keys = async () => (await storage.getKeys()).sort();
/** The name of a file with this content. */
function hmacOf(text: string, apiKey = 'key'): string {
  const key = createHmac('sha256', apiKey).update('astro-luid cache sizes').digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

describe('stored dimensions', () => {
  test('are loaded with the same key only', async () => {
    const sizes = new Map<string, ImageInfo | null>([
      [url(1), image(300, 200)],
      [url(2), null],
    ]);
    await open().add(sizes);
    expect(await open().load()).toEqual(sizes);
    expect(await open('other').load()).toEqual(new Map());
  });

  test('are in a file named by its HMAC', async () => {
    await open().add(
      new Map([
        [url(2), image(5, 6, 'png')],
        [url(1), image(3, 4)],
      ]),
    );
    const text = JSON.stringify([
      [url(1), image(3, 4)],
      [url(2), image(5, 6, 'png')],
    ]);
    expect(await keys()).toEqual([`sizes:${hmacOf(text)}`]);
    const stored = String(await storage.getItem(`sizes:${hmacOf(text)}`));
    expect(String(openCipher('key').decrypt(stored))).toBe(text);
  });

  test('are encrypted: they may be those of drafts', async () => {
    await open().add(new Map([[url('secret'), image(3, 4)]]));
    const [key = ''] = await keys();
    const stored = String(await storage.getItem(key));
    expect(stored).toMatch(/^encrypted:[0-9A-Za-z+/=]+$/);
    expect(stored + Buffer.from(stored.slice(10), 'base64').toString('latin1')).not.toContain('secret');
    expect(openCipher('other').decrypt(stored)).toBeUndefined();
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
    const text = JSON.stringify([[url(1), image(9, 9)]]);
    await storage.setItem(`sizes:${hmacOf(text, 'other')}`, text);
    await storage.setItem(`sizes:${hmacOf(text)}`, text.replace('9', '8'));
    await storage.setItem('sizes:x', '');
    expect(await open().load()).toEqual(new Map());
  });

  test('in other folders are not read', async () => {
    const text = JSON.stringify([[url(1), image(9, 9)]]);
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
