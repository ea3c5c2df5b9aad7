import { describe, expect, it } from 'vitest';
import { createEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { request, SPACE } from '../small-seed.ts';
import { openStudio, tokenOf } from './studio-client.ts';

const HTML = { accept: 'text/html' };

describe('the studio is off', () => {
  it('unless it is asked for', async () => {
    const emulator = createEmulator(SPACE);
    expect(emulator.studioUrl).toBeUndefined();
    const page = await emulator.fetch(`${emulator.origin}/`, { headers: HTML });
    expect(await page.text()).toContain('astro-luid emulator');
    for (const path of ['/_studio/studio.js', '/_studio/api/space']) {
      const response = await emulator.fetch(emulator.origin + path, {
        headers: { authorization: 'Bearer undefined' },
      });
      expect(response.status).toBe(404);
    }
  });
});

describe('access to the studio', () => {
  it.each([
    ['no token', undefined],
    ['an empty token', 'Bearer '],
    ['a wrong token', 'Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['a key of the space', 'Bearer all'],
    ['another scheme', 'Basic YWxs'],
  ])('is refused with %s', async (_name, authorization) => {
    const { emulator } = openStudio();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const [method, path] of [
      ['GET', 'space'],
      ['GET', 'contents/10'],
      ['POST', 'contents/10/archive'],
      ['GET', 'nothing'],
    ]) {
      const response = await emulator.fetch(`${emulator.origin}/_studio/api/${path}`, {
        method: method ?? '',
        headers,
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ status: '401', code: 'Unauthorized' });
    }
    expect(emulator.contents.get(10).archived).toBe(false);
  });

  it('needs a token that is new with every emulator and that no response contains', async () => {
    const { emulator, get } = openStudio();
    const token = tokenOf(emulator);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(tokenOf(openStudio().emulator)).not.toBe(token);
    expect(emulator.studioUrl).toBe(`${emulator.origin}/#token=${token}`);
    for (const path of ['space', 'activity', 'contents', 'contents/10', 'media']) {
      expect(JSON.stringify((await get(path)).body)).not.toContain(token);
    }
    const page = await emulator.fetch(`${emulator.origin}/`, { headers: HTML });
    expect(await page.text()).not.toContain(token);
  });

  it('is not possible through the host name of another site', async () => {
    const running = await startEmulator(SPACE, { studio: true });
    const { hostname, port } = new URL(running.origin);
    const { request: send } = await import('node:http');
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.test', authorization: `Bearer ${tokenOf(running)}` };
      send({ host: hostname, port, path: '/_studio/api/space', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(421);
    await running.close();
  });
});

describe('the page of the studio', () => {
  it('is for browsers, contains nothing of the space, and allows only its own script and style', async () => {
    const { emulator } = openStudio();
    const response = await emulator.fetch(`${emulator.origin}/`, { headers: HTML });
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|style=/);
    expect(html).not.toContain('Mori');
    const text = await emulator.fetch(`${emulator.origin}/`);
    expect(await text.text()).toContain('This is the astro-luid emulator');
  });

  it('has only the files that it needs', async () => {
    const { emulator } = openStudio();
    for (const path of [
      '/_studio/',
      '/_studio/page/main.tsx',
      '/_studio/..%2fstudio.ts',
      '/_studio/__proto__',
    ]) {
      expect((await emulator.fetch(emulator.origin + path)).status).toBe(404);
    }
    expect((await emulator.fetch(`${emulator.origin}/_studio/icon.svg`, { method: 'POST' })).status).toBe(
      404,
    );
  });

  it('leaves the API as it is: a request with a key gets what it gets without the studio', async () => {
    const headers = { ...HTML, 'X-SERVICE-API-KEY': 'pub' };
    const results = [openStudio().emulator, createEmulator(SPACE)].map(async (emulator) => {
      const response = await emulator.fetch(`${emulator.origin}/`, { headers });
      return [response.status, await response.text()];
    });
    expect(await results[0]).toEqual(await results[1]);
  });
});

describe('requests of the studio', () => {
  it('do not change the random order of equal items', async () => {
    const contents = Array.from({ length: 9 }, (_, index) => ({
      id: index + 1,
      model: 'author',
      created_at: '2026-01-01T00:00:00Z',
      published: { ja: { name: 'same' } },
    }));
    const options = { assumptions: { tieOrder: 'shuffled' as const }, cdn: false };
    const orders = [0, 5].map(async (requests) => {
      const { emulator, get } = openStudio({ ...SPACE, contents }, options);
      for (let count = 0; count < requests; count++) await get('activity');
      return (await request(emulator, '/contents?order=name&model=author')).body.data.map(
        (item: { _id: number }) => item._id,
      );
    });
    expect(await orders[0]).toEqual(await orders[1]);
  });

  it('are not logged, counted, delayed or hit by faults', async () => {
    const { emulator, get } = openStudio(SPACE, { latency: 3_600_000 });
    emulator.faults.add({ kind: 'reset', times: 100 });
    expect((await get('contents/10')).status).toBe(200);
    expect((await get('response?path=/contents/10')).status).toBe(200);
    expect(emulator.log).toEqual([]);
    const { body } = await get<{ windows: unknown }>('activity');
    expect(body.windows).toEqual([
      { key: 0, reads: 600, writes: 30 },
      { key: 1, reads: 600, writes: 30 },
    ]);
  });
});
