import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { run } from '../support/run-command.ts';
import { type MaliciousServer, SCENARIOS, startMaliciousServer } from './malicious-server.ts';

let server: MaliciousServer;
beforeAll(async () => {
  server = await startMaliciousServer();
});
afterAll(() => server?.close());

/** Runs a client or loader in a process with limited memory and returns its result or error. */
async function runScenario(scenario: string, reader: 'client' | 'loader', timeout: number, megabytes = 512) {
  const args = [
    `--max-old-space-size=${megabytes}`,
    '--no-warnings',
    join(import.meta.dirname, 'read-service.ts'),
  ];
  const output = await run(process.execPath, [...args, server.baseUrl(scenario), String(timeout), reader], {
    cwd: import.meta.dirname,
    env: process.env,
  });
  return JSON.parse(output) as string;
}

/** The expected outcome per scenario, for a client or a loader with this timeout in milliseconds. */
const OUTCOMES: [scenario: string, reader: 'client' | 'loader', timeout: number, outcome: RegExp][] = [
  [
    'a total that grows with each response',
    'loader',
    30_000,
    /^LuidResponseError: .*faster than it could be read/,
  ],
  [
    'the largest possible total',
    'loader',
    30_000,
    /^LuidResponseError: .*total of 9007199254740991, more than the maximum/,
  ],
  [
    'a total of a billion',
    'loader',
    30_000,
    /^LuidResponseError: .*total of 1000000000, more than the maximum/,
  ],
  ['endless redirects', 'client', 30_000, /^LuidRequestError: .*302 Found/],
  ['an endless body', 'client', 120_000, /^LuidResponseError: .*the response is too large/],
  [
    'an endless body with a content-length of a terabyte',
    'client',
    120_000,
    /^LuidResponseError: .*the response is too large/,
  ],
  ['an error with an endless body', 'client', 120_000, /^LuidRequestError: .*: 500 Internal Server Error/],
  ['a gzip bomb', 'client', 120_000, /^LuidResponseError: .*the response is too large/],
  ['pages of 60 MB in parallel', 'loader', 120_000, /^loaded$/],
  [
    'a body shorter than its content-length',
    'client',
    30_000,
    /^LuidRequestError: .*the response was cut off/,
  ],
  ['a body longer than its content-length', 'client', 30_000, /^Luid(Request|Response)Error: /],
  ['endless headers', 'client', 30_000, /^LuidRequestError: .*no response/],
  ['a very slow body', 'client', 5_000, /^LuidRequestError: .*the response did not end within [\d.]+ s/],
  ['very slow headers', 'client', 1_000, /^LuidRequestError: .*no response within [\d.]+ s/],
  ['no response', 'client', 1_000, /^LuidRequestError: .*no response within [\d.]+ s/],
  ['a million keys', 'client', 60_000, /^1 1000001$/],
  ['the same key twice', 'client', 30_000, /^1 2$/],
];

describe('a malicious service costs bounded memory and time, and is reported by URL', () => {
  test('every scenario has an expected outcome', () => {
    expect(OUTCOMES.map(([scenario]) => scenario)).toEqual(SCENARIOS);
  });

  test.each(OUTCOMES)('%s', async (scenario, reader, timeout, outcome) => {
    expect(await runScenario(scenario, reader, timeout)).toMatch(outcome);
    expect(server.requests(scenario)).toBeLessThan(1000);
  });
});

test('a key is never sent to the target of a redirect', async () => {
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
