import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { request, SPACE } from '../small-seed.ts';

const HEADERS = { 'X-SERVICE-API-KEY': 'all' };
let running: RunningEmulator;
beforeAll(async () => {
  running = await startEmulator(SPACE);
});
afterEach(() => running.faults.clear());
afterAll(() => running.close());

const get = (init: RequestInit = {}) => fetch(`${running.baseUrl}/contents`, { headers: HEADERS, ...init });

/** Resolves once a request has arrived that will get no answer. */
function stallNext(emulator: RunningEmulator): Promise<void> {
  return new Promise((resolve) => {
    const match = () => {
      resolve();
      return true;
    };
    emulator.faults.add({ kind: 'stall', match });
  });
}

describe('over a socket', () => {
  it('a status has the body of §7 and retry-after', async () => {
    running.faults.add({ kind: { status: 429, retryAfter: 7 } });
    const response = await get();
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toEqual({
      status: '429',
      code: 'Too Many Requests',
      message: 'The next request is possible in 7 seconds.',
    });
    expect((await get()).status).toBe(200);
  });

  it('a fault that happens 0 times never happens', async () => {
    running.faults.add({ kind: { status: 500 }, times: 0 });
    expect(running.faults.pending).toEqual([]);
    expect((await get()).status).toBe(200);
  });

  it('a status may have any body', async () => {
    running.faults.add({ kind: { status: 502, body: 'Bad gateway' } });
    const response = await get();
    expect([response.status, await response.text()]).toEqual([502, 'Bad gateway']);
  });

  it('a reset ends the connection before the response', async () => {
    running.faults.add({ kind: 'reset' });
    await expect(get()).rejects.toThrow(TypeError);
    expect(running.log.at(-1)?.status).toBe(0);
  });

  it('a cut ends the connection within the body', async () => {
    running.faults.add({ kind: 'cut' });
    const response = await get();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('a truncated response is complete, but its JSON is not', async () => {
    running.faults.add({ kind: 'truncate' });
    const text = await (await get()).text();
    expect(text).toMatch(/^\{"total"/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it('a response can be HTML or empty', async () => {
    running.faults.add({ kind: 'html' });
    expect(await (await get()).text()).toContain('<!doctype html>');
    running.faults.add({ kind: 'empty' });
    expect(await (await get()).text()).toBe('');
  });

  it('a stall lasts until the client disconnects', async () => {
    const arrived = stallNext(running);
    const leaving = new AbortController();
    const answer = get({ signal: leaving.signal });
    await arrived;
    leaving.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    expect((await get()).status).toBe(200);
  });

  it('close() ends stalled requests', async () => {
    const other = await startEmulator(SPACE);
    const arrived = stallNext(other);
    const answer = fetch(`${other.baseUrl}/contents`, { headers: HEADERS });
    const failed = expect(answer).rejects.toThrow(TypeError);
    await arrived;
    await other.close();
    await failed;
  });

  it('a response can be replaced', async () => {
    running.faults.add({
      kind: async (response) => Response.json({ ...((await response.json()) as object), total: 99 }),
    });
    expect(await (await get()).json()).toMatchObject({ total: 99, offset: 0 });
  });

  it('happens as often as configured to matching requests, and can be removed', async () => {
    const takeBack = running.faults.add({
      times: 3,
      match: ({ method, path, query }) => method === 'GET' && path === '/v1/contents' && query.has('lang'),
      kind: { status: 500 },
    });
    const statuses = async (query: string) =>
      (await fetch(`${running.baseUrl}/contents?${query}`, { headers: HEADERS })).status;
    expect(await statuses('lang=ja')).toBe(500);
    expect(await statuses('limit=1')).toBe(200);
    expect(await statuses('lang=ja')).toBe(500);
    takeBack();
    expect(await statuses('lang=ja')).toBe(200);
  });
});

describe('in memory', () => {
  it('a reset and a stall are failures of fetch', async () => {
    const emulator = createEmulator(SPACE);
    emulator.faults.add({ kind: 'reset' });
    await expect(request(emulator, '/contents')).rejects.toThrow(new TypeError('fetch failed'));
    emulator.faults.add({ kind: 'stall' });
    const leaving = new AbortController();
    const answer = emulator.fetch(`${emulator.baseUrl}/contents`, {
      headers: HEADERS,
      signal: leaving.signal,
    });
    leaving.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });

  it('a cut is a body that fails', async () => {
    const emulator = createEmulator(SPACE);
    emulator.faults.add({ kind: 'cut' });
    await expect(request(emulator, '/contents')).rejects.toThrow('terminated');
  });

  it('an internal error is a 500 and is reported', async () => {
    const errors: unknown[] = [];
    const emulator = createEmulator(SPACE, { onError: (error) => errors.push(error) });
    emulator.beforeRequest = () => {
      throw new Error('broken');
    };
    const { status, body } = await request(emulator, '/contents');
    expect([status, body]).toEqual([500, { status: '500', code: 'Internal Server Error' }]);
    expect(errors).toEqual([new Error('broken')]);
  });

  it('latency delays a response, and a client can abort it', async () => {
    const emulator = createEmulator(SPACE, { latency: 3_600_000 });
    const leaving = new AbortController();
    const answer = emulator.fetch(`${emulator.baseUrl}/contents`, { signal: leaving.signal });
    leaving.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    emulator.latency = 1;
    expect((await request(emulator, '/contents')).status).toBe(200);
  });
});
