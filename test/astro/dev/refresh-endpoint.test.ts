import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refreshEndpoint } from '../../../src/astro/dev/refresh-endpoint.ts';

const SECRET = 'open sesame, little door';
let server: Server;
let url: string;
let secret: string | undefined;
let base: string;
let refresh: () => Promise<void>;
let refreshed: number;
const errors: string[] = [];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    const logger = { error: (message: string) => errors.push(message) };
    const handle = refreshEndpoint({
      secret,
      header: 'X-Hook-Token',
      base,
      refresh: () => refresh(),
      logger,
    });
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
  secret = SECRET;
  base = '/';
  refreshed = 0;
  errors.length = 0;
  refresh = async () => {
    refreshed += 1;
  };
});

const post = (headers: Record<string, string> = {}, body?: BodyInit) =>
  fetch(url, { method: 'POST', headers, ...(body !== undefined && { body }) });

describe('POST /_luid/refresh', () => {
  test.each([
    ['x-luid-secret', SECRET],
    ['authorization', `Bearer ${SECRET}`],
    ['authorization', `bearer  ${SECRET}`],
    ['x-hook-token', SECRET],
  ])('refreshes with the secret in %s: %s', async (name, value) => {
    const response = await post({ [name]: value }, '{"any":"thing"}');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ refreshed: true });
    expect(refreshed).toBe(1);
  });

  test('responds when the refresh is done, not before', async () => {
    let done = () => {};
    let answered = false;
    const begun = new Promise<void>((begin) => {
      refresh = () =>
        new Promise((resolve) => {
          done = resolve;
          begin();
        });
    });
    const response = post({ 'x-luid-secret': SECRET }).then(() => {
      answered = true;
    });
    await begun;
    expect(answered).toBe(false);
    done();
    await response;
  });

  test.each([
    {},
    { 'x-luid-secret': '' },
    { 'x-luid-secret': 'open' },
    { 'x-luid-secret': `${SECRET}!` },
    { authorization: SECRET },
    { authorization: `Basic ${SECRET}` },
    { authorization: 'Bearer ' },
  ])('is refused with %j', async (headers) => {
    const response = await post(headers as Record<string, string>);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain(SECRET);
    expect(refreshed).toBe(0);
  });

  test.each([undefined, ''])('responds with 404 if the secret is %j', async (none) => {
    secret = none;
    expect((await post({ 'x-luid-secret': '' })).status).toBe(404);
    expect(refreshed).toBe(0);
  });

  test('responds with 405 to other methods', async () => {
    const response = await fetch(url, { headers: { 'x-luid-secret': SECRET } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('refuses a long body, with or without content-length', async () => {
    const long = new Uint8Array(200_000);
    expect((await post({ 'x-luid-secret': SECRET }, long)).status).toBe(413);
    expect(await sendInChunks(long)).toBe(413);
    expect(refreshed).toBe(0);
  });

  test('responds with 502 if a refresh fails, and logs the reason', async () => {
    refresh = async () => {
      throw new Error('the service is down');
    };
    const response = await post({ 'x-luid-secret': SECRET });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ refreshed: false });
    expect(errors).toEqual(['The refresh failed: the service is down']);
  });

  test.each(['/docs', '/docs/'])('is also below the base %s', async (own) => {
    base = own;
    const statusOf = async (path: string) =>
      (await fetch(new URL(path, url), { method: 'POST', headers: { 'x-luid-secret': SECRET } })).status;
    for (const path of ['/docs/_luid/refresh', '/docs/_luid/refresh/', '/_luid/refresh']) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
    expect(refreshed).toBe(3);
    await statusOf('/other/_luid/refresh');
    expect(refreshed).toBe(3);
  });

  test('passes every other URL on to the site', async () => {
    for (const path of ['/', '/_luid/refreshed', '/_luid', '/x/_luid/refresh']) {
      expect(await (await fetch(new URL(path, url), { method: 'POST' })).text()).toBe('the site');
    }
    expect((await fetch(`${url}/?a=b`, { method: 'POST' })).status).toBe(401);
  });
});

function sendInChunks(body: Uint8Array): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { 'x-luid-secret': SECRET } }, (response) => {
      resolve(response.statusCode);
      response.resume();
      sent.destroy();
    });
    sent.on('error', reject);
    // Without an end: a body that never stops must not be waited for.
    for (let at = 0; at < body.length; at += 50_000) sent.write(body.subarray(at, at + 50_000));
  });
}
