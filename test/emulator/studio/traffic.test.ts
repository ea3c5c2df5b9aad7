import { afterEach, describe, expect, it } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import type { ActiveFault, Activity, ApiResponse } from '../../../src/emulator/studio/studio-types.ts';
import { request, SPACE } from '../small-seed.ts';
import { openStudio, tokenOf } from './studio-client.ts';

describe('activity', () => {
  it('lists the requests since a number, with the name of the key as its index', async () => {
    const { emulator, get } = openStudio();
    await request(emulator, '/contents?limit=1');
    await request(emulator, '/contents?limit=1');
    await request(emulator, '/contents', 'wrong');
    const { body } = await get<Activity>('activity');
    expect(body.last).toBe(3);
    expect(body.requests.map(({ number, status, cdn, key }) => [number, status, cdn, key])).toEqual([
      [1, 200, 'miss', 0],
      [2, 200, 'hit', 0],
      [3, 401, 'pass', undefined],
    ]);
    const later = await get<Activity>(`activity?since=2&state=${body.state}&wait=60000`);
    expect(later.body.requests.map(({ number }) => number)).toEqual([3]);
    expect(body.windows?.[0]).toEqual({ key: 0, reads: 599, writes: 30 });
  });

  it('contains at most the last 500 requests, and all numbers stay right after the log was cleared', async () => {
    const { emulator, get } = openStudio(SPACE, { rateLimit: false });
    for (let count = 0; count < 510; count++) await request(emulator, '/contents?limit=1');
    const { body } = await get<Activity>('activity');
    expect(body.requests).toHaveLength(500);
    expect(body.requests[0]?.number).toBe(11);
    emulator.clearLog();
    await request(emulator, '/contents?limit=1');
    const after = (await get<Activity>('activity?since=505')).body;
    expect(after.requests.map(({ number }) => number)).toEqual([511]);
    expect(after.windows).toBeUndefined();
  });

  it('shows all requests to a page that knows an earlier start of the emulator', async () => {
    const { emulator, get } = openStudio();
    await request(emulator, '/contents');
    const { body } = await get<Activity>('activity?since=900&state=other&wait=60000');
    expect(body.requests).toHaveLength(1);
  });

  it.each([
    ['a request', ({ emulator }: ReturnType<typeof openStudio>) => request(emulator, '/contents')],
    ['a change of content', ({ emulator }) => emulator.contents.edit(10, { title: 'x' })],
    ['a change of media', ({ emulator }) => emulator.media.setAlt(900, 'x')],
    ['a change of models', ({ emulator }) => emulator.models.setOptions('article', 'category', ['a'])],
    [
      'a write request',
      ({ emulator }) =>
        emulator.fetch(`${emulator.baseUrl}/contents?model=author`, {
          method: 'POST',
          headers: { 'X-SERVICE-API-KEY': 'all' },
          body: '{"fields":{}}',
        }),
    ],
    ['a fault', ({ post }) => post('faults', { kind: 'drop' })],
  ] satisfies [string, (studio: ReturnType<typeof openStudio>) => unknown][])(
    'waits until there is %s',
    // Less than the page waits, so that news do not arrive by the end of the waiting.
    { timeout: 20_000 },
    async (_name, act) => {
      const studio = openStudio();
      const { body: known } = await studio.get<Activity>('activity');
      let arrived = false;
      const waiting = studio
        .get<Activity>(`activity?since=${known.last}&state=${known.state}&wait=30000`)
        .then(({ body }) => {
          arrived = true;
          return body;
        });
      await studio.get('space');
      expect(arrived).toBe(false);
      await act(studio);
      const news = await waiting;
      expect([news.last, news.state]).not.toEqual([known.last, known.state]);
    },
  );

  it('responds without news after the time that the page wants to wait', async () => {
    const { get } = openStudio();
    const { body: known } = await get<Activity>('activity');
    const { body } = await get<Activity>(`activity?since=0&state=${known.state}&wait=1`);
    expect(body).toEqual(known);
  });

  it('ends with the connection of the page', async () => {
    const { emulator, get } = openStudio();
    const { body: known } = await get<Activity>('activity');
    const closed = new AbortController();
    const headers = { authorization: `Bearer ${tokenOf(emulator)}` };
    const url = `${emulator.origin}/_studio/api/activity?since=0&state=${known.state}&wait=30000`;
    const waiting = emulator.fetch(url, { headers, signal: closed.signal });
    closed.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});

describe('the response of the API', () => {
  it.each([
    ['/contents/10', 0],
    ['/contents/10?depth=0&select=title,author', 1],
    ['/contents/11', 0],
    ['/contents/11', 1],
    ['/contents?model=article&limit=1&lang=en', 1],
    ['/contents?depth=9', 1],
    ['/contents/10?include=_prev,_next,_langs', 0],
  ])('is the exact body of %s with key %i', async (path, key) => {
    const { emulator, get } = openStudio();
    const { body } = await get<ApiResponse>(`response?key=${key}&path=${encodeURIComponent(path)}`);
    const response = await emulator.fetch(emulator.baseUrl + path, {
      headers: { 'X-SERVICE-API-KEY': ['pub', 'all'][key] ?? '' },
    });
    expect(body).toEqual({ status: response.status, body: await response.text() });
  });

  it('is that of the origin, even while the CDN is stale', async () => {
    const { emulator, get, post } = openStudio();
    await request(emulator, '/contents/10');
    await post('faults', { kind: 'stale-cdn' });
    emulator.contents.edit(10, { title: 'New' });
    const { body } = await get<ApiResponse>('response?path=/contents/10');
    expect(JSON.parse(body.body).title).toBe('New');
  });

  it.each(['/media', '/../assets/900/a.jpg', '//evil.test/', 'http://evil.test/', '', '@evil.test/contents'])(
    'is not given for the path %j',
    async (path) => {
      const { get } = openStudio();
      const { status } = await get<ApiResponse>(`response?path=${encodeURIComponent(path)}`);
      expect(status).toBe(400);
    },
  );
});

describe('faults', () => {
  let running: RunningEmulator;
  afterEach(() => running.close());

  /** A real server with a fault, and a function that reads through it. */
  async function withFault(fault: object) {
    running = await startEmulator(SPACE, { studio: true });
    const headers = { authorization: `Bearer ${tokenOf(running)}` };
    const post = async (path: string, body: object = {}) => {
      const url = `${running.origin}/_studio/api/${path}`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as ActiveFault[] };
    };
    const added = await post('faults', fault);
    const read = async (signal?: AbortSignal) => {
      const init = { headers: { 'X-SERVICE-API-KEY': 'pub' }, ...(signal && { signal }) };
      const response = await fetch(`${running.baseUrl}/contents/10`, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const active = async () => {
      const response = await fetch(`${running.origin}/_studio/api/activity`, { headers });
      return ((await response.json()) as Activity).faults;
    };
    return { post, added, read, active };
  }

  it('429 with retry-after, for the next two requests', async () => {
    const { read, active, added } = await withFault({ kind: 'rate-limit', amount: 7, times: 2 });
    expect(added.body).toEqual([{ id: 1, kind: 'rate-limit', amount: 7, times: 2, left: 2 }]);
    const first = await read();
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await active())[0]?.left).toBe(1);
    expect((await read()).status).toBe(429);
    expect((await read()).status).toBe(200);
    expect(await active()).toEqual([]);
  });

  it('500 until it is turned off', async () => {
    const { read, active, post } = await withFault({ kind: 'server-error' });
    for (let count = 0; count < 3; count++) expect((await read()).status).toBe(500);
    const [fault] = await active();
    expect(fault?.left).toBeUndefined();
    await post(`faults/${fault?.id}/remove`);
    expect((await read()).status).toBe(200);
    expect((await post(`faults/${fault?.id}/remove`)).status).toBe(404);
  });

  it('a dropped connection', async () => {
    const { read } = await withFault({ kind: 'drop', times: 1 });
    await expect(read()).rejects.toThrow();
    expect((await read()).status).toBe(200);
  });

  it('a body that ends too early', async () => {
    const { read } = await withFault({ kind: 'cut', times: 1 });
    await expect(read()).rejects.toThrow();
  });

  it('half of the JSON as a whole response', async () => {
    const { read } = await withFault({ kind: 'truncate', times: 1 });
    const { status, text } = await read();
    expect(status).toBe(200);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect((await read()).text.startsWith(text)).toBe(true);
  });

  it('no response until the client gives up', async () => {
    const { read } = await withFault({ kind: 'stall', times: 1 });
    const given = new AbortController();
    const stalled = read(given.signal);
    expect((await read()).status).toBe(200);
    given.abort();
    await expect(stalled).rejects.toThrow('aborted');
  });

  it('latency, which delays the response but does not change it', async () => {
    const { read } = await withFault({ kind: 'latency', amount: 30, times: 1 });
    const start = performance.now();
    expect((await read()).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(29);
  });

  it('a limit of the size, which makes larger responses a 500', async () => {
    const { read, post } = await withFault({ kind: 'max-response', amount: 10 });
    expect((await read()).status).toBe(500);
    await post('faults/all/remove');
    await post('faults', { kind: 'max-response', amount: 5_000_000 });
    expect((await read()).status).toBe(200);
  });

  it('a time per item, which does not change the response', async () => {
    const { read } = await withFault({ kind: 'time-per-item', amount: 1 });
    const { status, text } = await read();
    expect([status, JSON.parse(text)._id]).toEqual([200, 10]);
  });

  it('a stale CDN edge returns what it had until it is turned off', async () => {
    const { read, post } = await withFault({ kind: 'stale-cdn' });
    const { text: before } = await read();
    running.contents.edit(10, { title: 'New' });
    expect((await read()).text).toBe(before);
    await post('faults/all/remove');
    expect((await read()).text).toContain('New');
    running.contents.edit(10, { title: 'Newer' });
    expect((await read()).text).toContain('Newer');
  });

  it('a stale CDN edge for the next three requests', async () => {
    const { read, active } = await withFault({ kind: 'stale-cdn', times: 3 });
    await read();
    running.contents.edit(10, { title: 'New' });
    expect((await read()).text).not.toContain('New');
    expect((await active())[0]?.left).toBe(1);
    expect((await read()).text).not.toContain('New');
    expect((await read()).text).toContain('New');
    expect(await active()).toEqual([]);
  });

  it('a delayed purge, by the clock of the emulator', async () => {
    const { read, post } = await withFault({ kind: 'purge-delay', amount: 60_000 });
    running.clock.set(Date.UTC(2026, 1, 1));
    await read();
    running.contents.edit(10, { title: 'New' });
    expect((await read()).text).not.toContain('New');
    running.clock.advance(60_001);
    expect((await read()).text).toContain('New');
    await post('faults/all/remove');
    expect(running.assumptions.purgeDelay).toBe(0);
  });

  it('of the CDN leave the configured purge delay as it was', async () => {
    const { post } = await withFault({ kind: 'drop', times: 1 });
    running.assumptions.purgeDelay = 123;
    await post('faults', { kind: 'stale-cdn' });
    await post('faults', { kind: 'purge-delay', amount: 5 });
    expect(running.assumptions.purgeDelay).toBe(5);
    await post('faults/3/remove');
    expect(running.assumptions.purgeDelay).toBe(30 * 86_400_000);
    await post('faults/2/remove');
    expect(running.assumptions.purgeDelay).toBe(123);
  });

  it('do not concern files, and those added in code are not listed', async () => {
    const { active } = await withFault({ kind: 'server-error' });
    expect((await fetch(`${running.assetsUrl}/900/a.jpg`)).status).toBe(404);
    running.faults.add({ kind: 'empty' });
    expect(await active()).toHaveLength(1);
    running.faults.clear();
    expect(await active()).toEqual([]);
  });

  it.each([
    {},
    { kind: 'explode' },
    { kind: 'constructor' },
    { kind: 'drop', times: 0 },
    { kind: 'drop', times: 1.5 },
    { kind: 'drop', times: '2' },
    { kind: 'latency', amount: -1 },
    { kind: 'latency', amount: 600_001 },
    { kind: 'max-response', amount: 50_000_001 },
  ])('%j is refused', async (fault) => {
    const { added, active } = await withFault(fault);
    expect(added.status).toBe(400);
    expect(await active()).toEqual([]);
  });

  it('of the CDN are refused without a CDN', async () => {
    running = await startEmulator(SPACE, { studio: true, cdn: false });
    const { post } = openStudio(SPACE, { cdn: false });
    const { status, body } = await post('faults', { kind: 'stale-cdn' });
    expect(status).toBe(400);
    expect(body.message).toBe('The CDN of this emulator is off.');
  });
});
