import { setImmediate } from 'node:timers/promises';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import { createTestLoader, startService } from './test-loader.ts';

const MODELS = { article: { title: field.text({ title: true }), slug: field.text() } };

let service: RunningEmulator;
beforeAll(async () => {
  const contents = [1, 2, 3].map((id) => ({ id, model: 'article', title: `Article ${id}`, slug: `a-${id}` }));
  service = await startService(MODELS, contents);
});
afterAll(() => service?.close());

/** Of the event loop, for each write. */
const TURNS = 5000;
let writing: number;
let written: string[];
beforeEach(() => {
  writing = 0;
  written = [];
});

/** A storage that takes longer to write than entries take to be made. */
function openSlowStorage() {
  const driver = memory();
  return createStorage({
    driver: {
      ...driver,
      async setItemRaw(key, value: string, options) {
        writing += 1;
        for (let turn = 0; turn < TURNS; turn++) await setImmediate();
        await driver.setItem?.(key, value, options);
        written.push(key);
        writing -= 1;
      },
    },
  });
}

const expectStored = () => {
  expect(writing).toBe(0);
  expect(written.filter((key) => key.includes(':manifest:'))).toHaveLength(1);
};

test('a load ends when its cache is written', async () => {
  const { load, entries } = createTestLoader(service);
  await load('article', { models: MODELS, space: { cache: { storage: openSlowStorage() } } });
  expect(entries()).toHaveLength(3);
  expectStored();
});

test('a load that fails because of its content ends then too', async () => {
  const models = { article: { ...MODELS.article, slug: field.boolean() } };
  const space = { cache: { storage: openSlowStorage() } };
  await expect(createTestLoader(service).load('article', { models, space })).rejects.toThrow('slug');
  expectStored();
});

test('the next load starts from that cache', async () => {
  const storage = openSlowStorage();
  const { load } = createTestLoader(service);
  await load('article', { models: MODELS, space: { cache: { storage } } });
  const lines = await load('article', { models: MODELS, space: { cache: { storage } } });
  expect(lines.join('\n')).toContain('none changed');
  expect(writing).toBe(0);
});
