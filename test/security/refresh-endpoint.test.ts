import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { coalesce } from '../../src/astro/coalesce.ts';
import { refreshEndpoint } from '../../src/astro/dev/refresh-endpoint.ts';

const SECRET = 'open sesame, little door';
let server: Server;
let url: string;
let runs: number;
/** The number of calls that a refresh waits for before it ends. */
let awaited: number;
let arrived: number;
let onArrival = () => {};

beforeAll(async () => {
  const refresh = coalesce(async (_reason: string) => {
    runs += 1;
    while (arrived < awaited) {
      await new Promise<void>((resolve) => {
        onArrival = resolve;
      });
    }
  });
  const handle = refreshEndpoint({
    secret: SECRET,
    base: '/',
    refresh: () => refresh('hook'),
    logger: { error: () => {} },
  });
  server = createServer((incoming, response) => {
    arrived += 1;
    onArrival();
    void handle(incoming, response, () => response.end('the site'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_luid/refresh`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  runs = 0;
  arrived = 0;
  awaited = 0;
});

test('a thousand concurrent calls all get a response, from a few refreshes', async () => {
  awaited = 1000;
  const calls = Array.from({ length: 1000 }, () =>
    fetch(url, { method: 'POST', headers: { 'x-luid-secret': SECRET } }).then(async (response) => {
      await response.text();
      return response.status;
    }),
  );
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  expect(runs).toBeGreaterThan(0);
  expect(runs).toBeLessThan(5);
});

test('a thousand calls without the secret refresh nothing', async () => {
  const calls = Array.from({ length: 1000 }, async (_, index) => {
    const headers: Record<string, string> = index % 2 ? {} : { 'x-luid-secret': `${SECRET}${index}` };
    return (await fetch(url, { method: 'POST', headers })).status;
  });
  expect(new Set(await Promise.all(calls))).toEqual(new Set([401]));
  expect(runs).toBe(0);
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
  '%s refreshes nothing, with the secret or not',
  async (method) => {
    for (const headers of [{ 'x-luid-secret': SECRET }, {}])
      expect(await send({ method, headers })).toBe(405);
    expect(runs).toBe(0);
  },
);

test('a page of another origin cannot call it: it cannot send the secret, and CORS allows nothing', async () => {
  const origin = 'https://evil.example';
  const forms = [
    { 'content-type': 'application/x-www-form-urlencoded', origin },
    { 'content-type': 'text/plain', origin, cookie: `x-luid-secret=${SECRET}` },
  ];
  for (const headers of forms) {
    const body = `x-luid-secret=${SECRET}&secret=${SECRET}`;
    const response = await fetch(`${url}?secret=${SECRET}&x-luid-secret=${SECRET}`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(401);
  }
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-luid-secret',
    },
  });
  expect(preflight.ok).toBe(false);
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(runs).toBe(0);
});

test.each([
  ['twice', [SECRET, SECRET]],
  ['with more than the secret', `${SECRET}, ${SECRET}`],
  ['of ten thousand characters', 'x'.repeat(10_000)],
  ['in another case', SECRET.toUpperCase()],
])('the header %s is rejected', async (_, value) => {
  expect(await send({ method: 'POST', headers: { 'x-luid-secret': value } })).toBe(401);
  expect(runs).toBe(0);
});

test.each([
  ['with the secret', SECRET, 413],
  ['without it', 'wrong', 401],
])('an endless body gets a response before it ends, %s', async (_, secret, status) => {
  expect(await send({ method: 'POST', headers: { 'x-luid-secret': secret } }, 'endless')).toBe(status);
  expect(runs).toBe(0);
});

function send(
  options: { method: string; headers: Record<string, string | string[]> },
  body?: 'endless',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      resolve(response.statusCode);
      response.resume();
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    if (!body) {
      outgoing.end();
      return;
    }
    const chunk = Buffer.alloc(64 * 1024);
    const writeMore = () => {
      while (!outgoing.destroyed && outgoing.write(chunk));
    };
    outgoing.on('drain', writeMore);
    writeMore();
  });
}
