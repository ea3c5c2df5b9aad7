import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test } from 'vitest';
import { openHost } from '../../../../src/astro/live/check/storage-host.ts';
import { field } from '../../../../src/index.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
const open = (clock: { now(): number }) => {
  const settings = { cache: { storage: createStorage({ driver: memory() }) } };
  const connect = () => async () => ({ baseUrl: 'https://cms.example/v1', apiKey: 'key', clock });
  return openHost(
    { settings, connect, models: { page: { cover: field.media() } } } as never,
    false,
    logger as never,
  );
};

test('the clock of a server without Node goes on if that of the system is set back', async () => {
  let time = 5000;
  const { now } = await open({ now: () => time });
  expect(now()).toBe(5000);
  time = 1000;
  expect(now()).toBe(5000);
  time = 1300;
  expect(now()).toBe(5300);
});
