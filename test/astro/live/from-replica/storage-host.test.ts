import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test } from 'vitest';
import { openHost } from '../../../../src/astro/live/from-replica/storage-host.ts';
import { field } from '../../../../src/index.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
const open = (cover: object) => {
  const settings = { cache: { storage: createStorage({ driver: memory() }) } };
  const connect = () => async () => ({ baseUrl: 'https://cms.example/v1', apiKey: 'key', clock: Date });
  return openHost({ settings, connect, models: { page: { cover } } } as never, false, logger as never);
};

test('a server without Node refuses fields that need requests to images', async () => {
  await expect(open(field.media({ dimensions: true }))).rejects.toThrow('cannot read image dimensions');
  await expect(open(field.media({ placeholder: true }))).rejects.toThrow('cannot read image placeholders');
  expect(await open(field.media({ placeholder: false }))).toMatchObject({ isShared: true });
});
