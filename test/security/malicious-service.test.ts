import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { run } from '../support/run-command.ts';
import { type Malicious, SCENARIOS, startMalicious } from './malicious.ts';

let service: Malicious;
beforeAll(async () => {
  service = await startMalicious();
});
afterAll(() => service?.close());

/** What came of it in a process that may not use more memory than this. */
async function suffer(scenario: string, how: 'client' | 'loader', timeout: number, megabytes = 512) {
  const args = [`--max-old-space-size=${megabytes}`, '--no-warnings', join(import.meta.dirname, 'victim.ts')];
  const output = await run(process.execPath, [...args, service.baseUrl(scenario), String(timeout), how], {
    cwd: import.meta.dirname,
    env: process.env,
  });
  return JSON.parse(output) as string;
}

/** Scenario → who asks, how long it may take, and what comes of it. */
const OUTCOMES: [scenario: string, 'client' | 'loader', timeout: number, outcome: RegExp][] = [
  [
    'a total that grows with each answer',
    'loader',
    30_000,
    /^LuidResponseError: .*faster than it could be read/,
  ],
  [
    'a total without end',
    'loader',
    30_000,
    /^LuidResponseError: .*total is 9007199254740991, and no more than/,
  ],
  ['a total of a billion', 'loader', 30_000, /^LuidResponseError: .*total is 1000000000, and no more than/],
  ['redirects without end', 'client', 30_000, /^LuidRequestError: .*302 Found/],
  ['a body without end', 'client', 120_000, /^LuidResponseError: .*the response is too large/],
  ['a body that says it is a terabyte', 'client', 120_000, /^LuidResponseError: .*the response is too large/],
  ['an error whose body has no end', 'client', 120_000, /^LuidResponseError: .*the response is too large/],
  ['a gzip bomb', 'client', 120_000, /^LuidResponseError: .*the response is too large/],
  ['pages of 60 MB, all at once', 'loader', 120_000, /^loaded$/],
  ['a body that is shorter than it says', 'client', 30_000, /^LuidRequestError: .*the response was cut off/],
  ['a body that is longer than it says', 'client', 30_000, /^Luid(Request|Response)Error: /],
  ['headers without end', 'client', 30_000, /^LuidRequestError: .*no response/],
  ['a body that drips', 'client', 1_000, /^LuidRequestError: .*the response did not end within [\d.]+ s/],
  ['headers that drip', 'client', 1_000, /^LuidRequestError: .*no response within [\d.]+ s/],
  ['no answer', 'client', 1_000, /^LuidRequestError: .*no response within [\d.]+ s/],
  ['a million keys', 'client', 60_000, /^1 1000001$/],
  ['the same key twice', 'client', 30_000, /^1 2$/],
];

describe('a service with bad intentions costs no more than some memory and time, and is told by name', () => {
  test('in each of its ways', () => {
    expect(OUTCOMES.map(([scenario]) => scenario)).toEqual(SCENARIOS);
  });

  test.each(OUTCOMES)('%s', async (scenario, how, timeout, outcome) => {
    expect(await suffer(scenario, how, timeout)).toMatch(outcome);
    expect(service.asked(scenario)).toBeLessThan(1000);
  });
});

test('a key is never sent to where a redirect leads', async () => {
  const seen: unknown[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers);
    response.end('{}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const statuses = [301, 302, 303, 307, 308];
  const first = createServer(({ url = '' }, response) => {
    response.writeHead(Number(url.slice(1, 4)), { location: `http://localhost:${port}/v1/contents` }).end();
  });
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  try {
    for (const status of statuses) {
      const baseUrl = `http://127.0.0.1:${(first.address() as AddressInfo).port}/${status}`;
      const client = createClient({ baseUrl, apiKey: 'the-secret-key', network: { retries: 0 } });
      for (const call of [client.contents.list('a'), client.contents.create('a', { fields: {} })]) {
        const error: Error = await call.then(
          () => new Error('no error'),
          (reason: Error) => reason,
        );
        expect(error).toMatchObject({ name: 'LuidRequestError', status });
        expect(error.message).toContain(`redirects to http://localhost:${port}`);
      }
    }
    expect(seen).toEqual([]);
  } finally {
    for (const server of [first, other]) {
      server.closeAllConnections();
      server.close();
    }
  }
});
