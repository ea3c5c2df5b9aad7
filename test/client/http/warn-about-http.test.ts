import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { shareInProcess } from '../../../src/shared/process.ts';
import { empty } from '../scripted-service.ts';

let warnings: string[];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line));
  shareInProcess('rate-limiters', () => new Map()).clear();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const request = (baseUrl: string) =>
  createClient({ baseUrl, apiKey: 'a-secret-key', fetch: async () => empty() }).contents.list('item');

test('an http URL of another host is a warning that names it and says what to do, once per process', async () => {
  for (let n = 0; n < 3; n++) await request('http://cms.example:8080/v1');
  expect(warnings).toEqual([
    '[astro-luid] baseUrl is http://cms.example:8080: the API key is sent unencrypted. Use https:// (`baseUrl`, LUID_BASE_URL).',
  ]);
  expect(warnings.join()).not.toContain('a-secret-key');
  await request('http://other.example/v1');
  expect(warnings).toHaveLength(2);
});

test.each([
  'http://192.168.0.2/v1',
  'http://10.0.0.1/v1',
  'http://127.example/v1',
  'http://localhost.example/v1',
  'http://notlocalhost/v1',
  'http://128.0.0.1/v1',
  'http://[::2]/v1',
])('%s is another host', async (url) => {
  await request(url);
  expect(warnings).toHaveLength(1);
});

test.each([
  'https://cms.example/v1',
  'http://localhost:4400/v1',
  'http://LOCALHOST/v1',
  'http://cms.localhost/v1',
  'http://127.0.0.1:80/v1',
  'http://127.8.9.10/v1',
  'http://127.1/v1',
  'http://[::1]:4400/v1',
])('%s is no warning', async (url) => {
  await request(url);
  expect(warnings).toEqual([]);
});

test('the client of a space warns too, with its first request', async () => {
  const space = defineSpace({
    baseUrl: 'http://cms.example/v1',
    apiKey: 'a-secret-key',
    models: { item: { title: field.text() } },
    fetch: async () => empty(),
  });
  expect(warnings).toEqual([]);
  await space.client().contents.list('item');
  expect(warnings).toEqual([expect.stringContaining('baseUrl is http://cms.example: the API key')]);
});
