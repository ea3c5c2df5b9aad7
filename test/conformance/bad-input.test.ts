import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { errorBody, startServer } from './http.ts';
import { sendRaw } from './socket.ts';

const server = startServer({ rateLimit: false, allowedHosts: ['x'] });
const { request, ids, list, status } = server;

server.expectResponseAfterEach();

/** Bytes that look random and are the same at every run. */
function noise(seed: number, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

describe('unusual but valid requests', () => {
  it('bad input: a trailing slash is accepted', async () => {
    expect((await request('/contents/?model=company')).body).toEqual(
      (await request('/contents?model=company')).body,
    );
    expect((await request('/contents/101/')).body).toEqual((await request('/contents/101')).body);
  });

  it('bad input: unknown parameters are ignored', async () => {
    expect(await ids('model=company&utm_source=x&nope[nope]=1')).toEqual([301]);
  });

  it('bad input: the last value of a repeated parameter counts', async () => {
    expect((await list('limit=1&limit=2')).limit).toBe(2);
    expect(await ids('model=article&model=company')).toEqual([301]);
  });

  it('bad input: HEAD responds like GET, without a body', async () => {
    const { status, text, headers } = await request('/contents/101', { method: 'HEAD' });
    expect(status).toBe(200);
    expect(text).toBe('');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect((await request('/contents/999999', { method: 'HEAD' })).status).toBe(404);
    expect((await request('/contents', { method: 'HEAD', key: null })).status).toBe(401);
  });

  it('bad input: no query, an empty query and stray separators are the same', async () => {
    const plain = (await request('/contents')).body;
    for (const query of ['?', '?&', '?&&&', '?=', '?#x']) {
      expect((await request(`/contents${query}`)).body, query).toEqual(plain);
    }
  });

  it('bad input: every response has a content type and length', async () => {
    for (const path of ['/contents', '/contents/101', '/contents/999999', '/contents?limit=x', '/nope']) {
      const { headers, text } = await request(path);
      expect(headers.get('content-type'), path).toMatch(/^application\/json/);
      expect(headers.get('content-length'), path).toBe(String(Buffer.byteLength(text)));
    }
  });
});

describe('malformed parameters', () => {
  it('bad input: each malformed parameter is a 400 in the format of §7', async () => {
    const queries = [
      'limit=x',
      'limit=',
      'limit=NaN',
      'limit=Infinity',
      'offset=-0.1',
      'depth=all',
      'lang=xx',
      'lang_fallback=x',
      'space=nope',
      'include=_prev',
      'order=nope',
      'order=-',
      'order=--_id',
      'order=_id;drop',
      '_id[eq]=x',
      '_id[lt]=5',
      '_updated_at[gt]=now',
      '_nope[eq]=1',
      'title[regex]=x',
      'model=article&body[eq]=x',
      'model=article&body[format]=x',
      'model=article&related.line[contains]=x',
      'model=article&featured[eq]=maybe',
    ];
    for (const query of queries) {
      const { status, body } = await request(`/contents?${query}`);
      expect(status, query).toBe(400);
      expect(body, query).toEqual(errorBody(400));
    }
  });

  it('bad input: bytes that are not UTF-8 get a response', async () => {
    for (const query of ['contains=%FF%FE', '%FF[eq]=x', 'model=%C0%80', 'contains=%', 'contains=%zz']) {
      const { status, body } = await request(`/contents?${query}`);
      expect([200, 400], query).toContain(status);
      if (status === 400) expect(body, query).toEqual(errorBody(400));
    }
    for (const path of ['/contents/%FF', '/contents/%', '/contents/%2F', '/contents/..%2F..', '/%00']) {
      const { status, body } = await request(path);
      expect([400, 404], path).toContain(status);
      expect(body, path).toEqual(errorBody(status));
    }
  });

  it('bad input: invalid ids are errors in the format of §7', async () => {
    const odd = ['0', '-1', '1.0', '1e3', '٣', 'NaN', '9'.repeat(400), '101%00', '101,102', "101'", '[101]'];
    for (const id of odd) {
      const { status, body } = await request(`/contents/${id}`);
      expect([400, 404], id).toContain(status);
      expect(body, id).toEqual(errorBody(status));
    }
  });

  it('bad input: methods that a path does not have are errors in the format of §7', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const { status, body } = await request('/contents', { method });
      expect(status, method).toBeGreaterThanOrEqual(400);
      expect(body, method).toEqual(errorBody(status));
    }
  });
});

describe('too much', () => {
  it('bad input: a query string of 200 kB gets a response', async () => {
    const keywords = Array.from({ length: 40_000 }, (_, index) => `k${index % 10}`).join(',');
    expect(keywords.length).toBeGreaterThan(100_000);
    for (const query of [
      `contains=${keywords}`,
      `x=${'y'.repeat(200_000)}`,
      `${'a'.repeat(200_000)}[eq]=1`,
    ]) {
      const { status, body } = await request(`/contents?${query}`);
      expect([200, 400]).toContain(status);
      if (status !== 200) expect(body).toEqual(errorBody(status));
    }
  });

  it('bad input: a query string of 10 MB gets a response or a closed connection, and has no other effect', async () => {
    const head = `GET /v1/contents?x=${'y'.repeat(10_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const response = await sendRaw(server.emulator.baseUrl, head);
    expect(response === '' || /^HTTP\/1\.1 4\d\d /.test(response)).toBe(true);
  });

  it('bad input: 10,000 operators get a response', async () => {
    const same = Array.from({ length: 10_000 }, (_, index) => `title[contains]=x${index}`).join('&');
    const unknown = Array.from({ length: 10_000 }, (_, index) => `f${index}[eq]=x`).join('&');
    const paths = Array.from({ length: 10_000 }, () => 'author.name[eq]=x').join('&');
    for (const query of [same, unknown, paths]) {
      const { status, body } = await request(`/contents?model=article&${query}`);
      expect([200, 400]).toContain(status);
      if (status !== 200) expect(body).toEqual(errorBody(status));
    }
  });

  it('bad input: 10,000 names in select, order and model get a response', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `n${index}`).join(',');
    expect([200, 400]).toContain(await status(`/contents?select=${names}`, 'all'));
    expect(await status(`/contents?order=${names}`, 'all')).toBe(400);
    expect([200, 400]).toContain(await status(`/contents?model=${names}`, 'all'));
  });

  it('bad input: a path of 5,000 dots gets a response', async () => {
    const path = Array.from({ length: 5000 }, () => 'author').join('.');
    expect(await status(`/contents?model=article&${path}[eq]=1`)).toBe(400);
    expect([200, 400]).toContain(await status(`/contents?model=article&select=${path}`));
    expect(await status(`/contents?model=article&order=${path}`)).toBe(400);
  });

  it('bad input: 100 parallel requests all get a response', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => request(`/contents/${1001 + index}`, { key: 'all' })),
    );
    expect(responses.map(({ body }) => (body as { _id: number })._id)).toEqual(
      Array.from({ length: 100 }, (_, index) => 1001 + index),
    );
  });
});

describe('bytes on the socket', () => {
  it('bad input: random bytes get an error in the format of §7, or the connection is closed', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const response = await sendRaw(server.emulator.baseUrl, noise(seed, 1 + seed * 150));
      if (response === '') continue;
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))).toEqual(errorBody(400));
    }
  });

  it('bad input: almost valid HTTP gets an error', async () => {
    const lines = [
      'GET\r\n\r\n',
      'GET /v1/contents\r\n\r\n',
      'GET /v1/contents HTTP/9.9\r\n\r\n',
      'GET /v1/contents HTTP/1.1\r\nHost x\r\n\r\n',
      'GET /v1/contents HTTP/1.1\r\n: empty\r\n\r\n',
      'G\u0000T /v1/contents HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /v1/contents HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'GET /v1/contents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ];
    for (const line of lines) {
      const response = await sendRaw(server.emulator.baseUrl, line);
      expect(response, JSON.stringify(line)).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    }
  });

  it('bad input: targets that are not paths get an error', async () => {
    for (const target of [
      '*',
      '//',
      'http://',
      '/\\',
      'x:y',
      '/v1/contents?\u007f',
      'http://[::1',
      '//[/contents',
    ]) {
      const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const response = await sendRaw(server.emulator.baseUrl, request);
      expect(response, target).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it('bad input: invalid hosts get a response', async () => {
    for (const host of ['', '[', 'a b', '%%', 'x:99999']) {
      const request = `GET /v1/contents?limit=1 HTTP/1.1\r\nHost: ${host}\r\nX-SERVICE-API-KEY: pub\r\nConnection: close\r\n\r\n`;
      const response = await sendRaw(server.emulator.baseUrl, request);
      expect(response, host).toMatch(/^HTTP\/1\.1 (200|400|421) /);
    }
  });

  it('bad input: a request for another host is rejected', async () => {
    const request =
      'GET /v1/contents HTTP/1.1\r\nHost: evil.test\r\nX-SERVICE-API-KEY: pub\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(server.emulator.baseUrl, request)).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('bad input: half a request and a closed socket have no effect on others', async () => {
    const halves = [
      'GET /v1/cont',
      'GET /v1/contents HTTP/1.1\r\nHost: x\r\nX-SERV',
      'POST /v1/contents HTTP/1.1\r\n',
    ];
    for (const half of halves) {
      for (const hangUp of [true, false]) await sendRaw(server.emulator.baseUrl, half, { hangUp });
    }
  });

  it('bad input: a client that disconnects before the response has no effect on others', async () => {
    const request = 'GET /v1/contents HTTP/1.1\r\nHost: x\r\nX-SERVICE-API-KEY: all\r\n\r\n';
    await Promise.all(
      Array.from({ length: 30 }, () => sendRaw(server.emulator.baseUrl, request, { hangUp: true })),
    );
    await sendRaw(server.emulator.baseUrl, request, { isComplete: () => true });
  });

  it('bad input: a read with a body succeeds', async () => {
    const body = 'x'.repeat(100_000);
    const request = `GET /v1/contents?limit=1 HTTP/1.1\r\nHost: x\r\nX-SERVICE-API-KEY: pub\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await sendRaw(server.emulator.baseUrl, request)).toMatch(/^HTTP\/1\.1 (200|400) /);
  });

  it('bad input: two requests on one connection both get a response', async () => {
    const request = (id: number, more: string) =>
      `GET /v1/contents/${id} HTTP/1.1\r\nHost: x\r\nX-SERVICE-API-KEY: pub\r\n${more}\r\n`;
    const response = await sendRaw(
      server.emulator.baseUrl,
      request(101, '') + request(102, 'Connection: close\r\n'),
    );
    expect(response.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });
});

describe('assets', () => {
  it('bad input: no file outside of the assets folder is served', async () => {
    const { pathname } = new URL(server.emulator.assetsUrl);
    for (const path of [
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/seed.ts',
      '/wide.png/..',
      '/%00',
      '//etc/passwd',
    ]) {
      const request = `GET ${pathname}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const response = await sendRaw(server.emulator.baseUrl, request);
      expect(response, path).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });
});

describe('where it listens', () => {
  it('bad input: it binds to loopback by default', () => {
    expect(new URL(server.emulator.baseUrl).hostname).toBe('127.0.0.1');
  });
});
