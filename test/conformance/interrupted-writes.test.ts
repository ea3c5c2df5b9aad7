import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { sendRaw } from './socket.ts';
import { createWriter, JSON_ENDPOINTS } from './write-requests.ts';

const server = startServer({ rateLimit: false, maxBody: 200_000, allowedHosts: ['x'] });
const { request, status } = server;
const { create, expectRejected, send } = createWriter(server);

server.expectResponseAfterEach();

describe('bodies over the limit', () => {
  const big = { fields: { title: 'x'.repeat(300_000) } };

  it('§8 a body over the set limit is rejected', async () => {
    for (const [method, path] of JSON_ENDPOINTS) {
      await expectRejected(() => send(method, path, big), 400, method);
    }
  });

  it('§8 a body over the set limit is rejected without a content-length', async () => {
    for (const [method, path] of JSON_ENDPOINTS) {
      const body = new Blob([JSON.stringify(big)]).stream();
      const init = {
        method,
        key: 'all',
        body,
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      };
      await expectRejected(() => request(path, init as RequestInit), 400, method);
    }
  });

  it('§8 a body just under the limit is accepted', async () => {
    await create('filler', { fields: { title: 'x'.repeat(199_000) } });
  });
});

describe('interrupted requests and wrong content lengths', () => {
  const head = (length: number) =>
    'POST /v1/contents?model=filler HTTP/1.1\r\nHost: x\r\nX-SERVICE-API-KEY: all\r\n' +
    `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  const body = JSON.stringify({ fields: { title: 'cut' } });

  it('bad input: a body that is shorter than its content length changes nothing', async () => {
    const before = JSON.stringify(server.emulator.snapshot());
    for (const hangUp of [true, false]) {
      await sendRaw(server.emulator.baseUrl, head(body.length + 10) + body, { hangUp });
    }
    await sendRaw(server.emulator.baseUrl, head(body.length) + body.slice(0, -1), { hangUp: true });
    expect(await status('/contents?limit=1', 'all')).toBe(200);
    expect(JSON.stringify(server.emulator.snapshot())).toBe(before);
  });

  it('bad input: invalid content lengths are rejected', async () => {
    const before = JSON.stringify(server.emulator.snapshot());
    for (const length of ['-1', 'x', '1e3', '99999999999999999999999']) {
      const request = head(0).replace('Content-Length: 0', `Content-Length: ${length}`) + body;
      const response = await sendRaw(server.emulator.baseUrl, request);
      expect(response, length).toMatch(/^(HTTP\/1\.1 400 |$)/);
    }
    expect(JSON.stringify(server.emulator.snapshot())).toBe(before);
  });

  it('bad input: broken chunks change nothing', async () => {
    const before = JSON.stringify(server.emulator.snapshot());
    const chunked = head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    for (const chunks of [`zz\r\n${body}`, `5\r\n${body}`, `${body.length.toString(16)}\r\n${body}\r\n`]) {
      await sendRaw(server.emulator.baseUrl, chunked + chunks);
    }
    expect(JSON.stringify(server.emulator.snapshot())).toBe(before);
  });
});
