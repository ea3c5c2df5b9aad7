import { createStorage, type Storage } from 'unstorage';
import { beforeEach, expect, test } from 'vitest';
import { storedImageFacts } from '../../../../src/astro/live/check/stored-image-facts.ts';
import { openFactCache } from '../../../../src/images/assets/fact-cache.ts';
import { FACT_FOLDERS } from '../../../../src/images/assets/fact-folders.ts';
import { knownDimensions } from '../../../../src/images/dimensions/known-dimensions.ts';

const [A, B] = ['https://cdn.test/a.jpg', 'https://cdn.test/b.jpg'];
const INFO = { width: 3, height: 2, format: 'jpg' };
let storage: Storage;
let warnings: string[];
const logger = { info() {}, warn: (line: string) => void warnings.push(line) };

beforeEach(() => {
  storage = createStorage();
  warnings = [];
});

const store = (url: string, fact: typeof INFO | null, apiKey = 'key') =>
  openFactCache(storage, apiKey, FACT_FOLDERS.dimensions).add(new Map([[url, fact]]));
const open = (...apiKeys: string[]) => storedImageFacts(storage, apiKeys, logger);
const read = async (facts: ReturnType<typeof open>, ...urls: string[]) =>
  (await facts.dimensions('')).read(urls, logger);

test('what a build has stored is known, also that an image has no dimensions', async () => {
  await store(A, INFO);
  await store(B, null);
  expect(await read(open('key'), A, B)).toEqual({ found: new Map([[A, INFO]]), isComplete: true });
  expect(knownDimensions().get(A)).toEqual(INFO);
});

test('what is stored with any of the keys is known, and nothing of another key', async () => {
  await store(A, INFO, 'drafts');
  expect((await read(open('published', 'drafts'), A)).found.get(A)).toEqual(INFO);
  expect(await read(open('published'), A)).toEqual({ found: new Map(), isComplete: false });
});

test('files that others could have written are ignored', async () => {
  await store(A, INFO);
  const [key] = await storage.getKeys(FACT_FOLDERS.dimensions);
  await storage.setItem(key as string, JSON.stringify([[A, { width: 9, height: 9, format: 'jpg' }]]));
  await storage.setItem(`${FACT_FOLDERS.dimensions}:damaged`, 'encrypted:AAAA');
  expect(await read(open('key'), A)).toEqual({ found: new Map(), isComplete: false });
});

test('what is stored later is found later, once', async () => {
  const facts = open('key');
  expect(await facts.findMissing()).toBe(false);
  await read(facts, A, B);
  expect(await facts.findMissing()).toBe(false);
  await store(A, INFO);
  expect(await facts.findMissing()).toBe(true);
  expect(await facts.findMissing()).toBe(false);
  expect((await read(facts, A)).found.get(A)).toEqual(INFO);
});

test('a storage that fails is a warning, and images are shown without', async () => {
  storage.getKeys = () => Promise.reject(new Error('down'));
  expect(await read(open('key'), A)).toEqual({ found: new Map(), isComplete: false });
  expect(warnings).toEqual([expect.stringMatching(/What is known of images cannot be read .*: down/)]);
});
