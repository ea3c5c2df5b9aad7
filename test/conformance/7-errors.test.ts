import { afterEach, describe, expect, it } from 'vitest';
import { errorBody, startServer } from './http.ts';

const server = startServer();
const { request } = server;

afterEach(() => server.emulator.faults.clear());

describe('the error body', () => {
  it('§7 400 is BadRequest', async () => {
    const { status, body, headers } = await request('/contents?limit=0');
    expect(status).toBe(400);
    expect(body).toEqual({ status: '400', code: 'BadRequest' });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('§7 401 is Unauthorized', async () => {
    const { status, body } = await request('/contents', { key: null });
    expect(status).toBe(401);
    expect(body).toEqual({ status: '401', code: 'Unauthorized' });
  });

  it('§7 402 is Payment Required', async () => {
    server.emulator.faults.add({ kind: { status: 402 } });
    const { status, body } = await request('/contents?a=402');
    expect(status).toBe(402);
    expect(body).toEqual({ status: '402', code: 'Payment Required' });
  });

  it('§7 403 is Forbidden', async () => {
    const { status, body } = await request('/contents?space=lab', { key: 'shop-pub' });
    expect(status).toBe(403);
    expect(body).toEqual({ status: '403', code: 'Forbidden' });
  });

  it('§7 404 is Not Found', async () => {
    const { status, body } = await request('/contents/999999');
    expect(status).toBe(404);
    expect(body).toEqual({ status: '404', code: 'Not Found' });
  });

  it('§7 404 is the response for unknown paths', async () => {
    for (const path of ['/', '/nope', '/contents/101/nope', '/content', '/media/900']) {
      const { status, body } = await request(path);
      expect(status, path).toBe(404);
      expect(body, path).toEqual(errorBody(404));
    }
  });

  it('§7 429 is Too Many Requests, with a message and retry-after', async () => {
    server.emulator.faults.add({ kind: { status: 429, retryAfter: 7 } });
    const { status, body, headers } = await request('/contents?a=429');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('7');
    expect(body).toEqual({ ...errorBody(429), message: expect.stringMatching(/\b7\b/) });
  });

  it('§7 500 is Internal Server Error', async () => {
    server.emulator.faults.add({ kind: { status: 500 } });
    const { status, body } = await request('/contents?a=500');
    expect(status).toBe(500);
    expect(body).toEqual({ status: '500', code: 'Internal Server Error' });
  });

  it('§4 every response is JSON', async () => {
    for (const path of ['/contents', '/contents/101', '/contents/999999', '/contents?limit=x', '/nope']) {
      const { headers, text } = await request(path);
      expect(headers.get('content-type'), path).toMatch(/^application\/json/);
      expect(() => JSON.parse(text), path).not.toThrow();
    }
  });

  it('§6 there is no endpoint for events', async () => {
    for (const path of ['/events', '/webhooks', '/notifications']) {
      expect((await request(path)).status, path).toBe(404);
    }
  });

  it('§9 the base URL ends in /v1, and other prefixes do not exist', async () => {
    expect(server.emulator.baseUrl).toMatch(/\/v1$/);
    const { origin } = new URL(server.emulator.baseUrl);
    for (const path of ['/contents', '/v2/contents', '/v1contents', '/']) {
      const response = await fetch(`${origin}${path}`, { headers: { 'X-SERVICE-API-KEY': 'pub' } });
      expect(response.status, path).toBe(404);
      expect(await response.json(), path).toEqual(errorBody(404));
    }
  });

  it('§9 without a key the root explains what this is', async () => {
    const response = await fetch(new URL('/', server.emulator.baseUrl));
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining(server.emulator.baseUrl),
    ]);
  });

  it('§7 the request after an error succeeds', async () => {
    server.emulator.faults.add({ kind: { status: 500 } });
    await request('/contents?a=next');
    expect((await request('/contents?a=next')).status).toBe(200);
  });
});
