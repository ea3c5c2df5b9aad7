import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let running: RunningEmulator;
let origin: string;
beforeAll(async () => {
  running = await startEmulator();
  ({ origin } = new URL(running.baseUrl));
});
afterAll(() => running.close());

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(origin + path, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the welcome page', () => {
  it.each(['/', '/v1', '/v1/', '/assets'])('a browser gets a page at %s', async (path) => {
    const { status, headers, text } = await get(path, BROWSER);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(`${running.baseUrl}/contents`);
    expect(text).toContain(running.assetsUrl);
    expect(text).toContain('X-SERVICE-API-KEY');
  });

  it('a browser gets the page at other paths too, as a 404', async () => {
    for (const path of ['/contents', '/favicon.html', '/v2/contents', '/assetsx']) {
      const { status, text } = await get(path, BROWSER);
      expect([status, text.includes('<h1>')], path).toEqual([404, true]);
    }
  });

  it('other clients get the same as text or JSON', async () => {
    const plain = await get('/');
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(plain.text).toContain(`${running.baseUrl}/contents`);
    const json = await get('/', { accept: 'application/json' });
    expect([json.status, JSON.parse(json.text).message]).toEqual([
      200,
      expect.stringContaining(running.baseUrl),
    ]);
    expect((await get('/nope')).status).toBe(404);
    expect((await get('/', {}, 'HEAD')).status).toBe(200);
  });

  it('it contains no key, cannot be framed, cached or read by scripts of other origins, and runs none', async () => {
    for (const accept of [BROWSER.accept, 'application/json', '*/*']) {
      const { text, headers } = await get('/', { accept, origin: 'https://evil.test' });
      for (const { key } of running.snapshot().keys) expect(text).not.toContain(key);
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    }
  });

  it('the name of the header is escaped', async () => {
    const emulator = createEmulator(undefined, { header: 'x&amp' });
    const page = await emulator.fetch(`${emulator.origin}/`, { headers: BROWSER });
    expect(await page.text()).toContain('x&amp;amp');
  });

  it('the API is not affected: 401 without a key, also for browsers', async () => {
    expect((await get('/v1/contents', BROWSER)).status).toBe(401);
    expect((await get('/v1/nope', BROWSER)).status).toBe(401);
    expect((await get('/', {}, 'POST')).status).toBe(401);
    expect((await get('/', { 'X-SERVICE-API-KEY': 'published-key', ...BROWSER })).status).toBe(404);
  });
});

describe('without a seed', () => {
  it('the bundled sample is served, with its files', async () => {
    for (const emulator of [running, createEmulator(), createEmulator(undefined, { rateLimit: false })]) {
      const headers = { 'X-SERVICE-API-KEY': 'published-key' };
      const list = await emulator.fetch(`${emulator.baseUrl}/contents?model=author&limit=1`, { headers });
      const { data } = (await list.json()) as { data: { portrait: { url: string } }[] };
      expect((await emulator.fetch(data[0]?.portrait.url ?? '')).status).toBe(200);
    }
  });
});
