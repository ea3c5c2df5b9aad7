import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createEmulator,
  type LogEntry,
  type RunningEmulator,
  type ServerOptions,
  startEmulator,
} from '../../../src/emulator/index.ts';
import { sendRaw } from '../../conformance/socket.ts';
import { SPACE } from '../small-seed.ts';

let running: RunningEmulator | undefined;
afterEach(() => running?.close());

async function start(options: ServerOptions = {}): Promise<RunningEmulator> {
  running = await startEmulator(SPACE, options);
  return running;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What a request for a host gets. */
function statusFor(emulator: RunningEmulator, host: string, path = '/v1/contents'): Promise<number> {
  const { hostname, port } = new URL(emulator.baseUrl);
  return new Promise((resolve, reject) => {
    const headers = { host, 'X-SERVICE-API-KEY': 'pub' };
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('the Host header of a request', () => {
  it.each([
    ...['127.0.0.1', '127.0.0.1:4010', '127.1.2.3', 'localhost', 'localhost:80', 'LOCALHOST', 'localhost.'],
    ...['cms.localhost:4010', '[::1]', '[::1]:4010'],
  ])('%s is this machine', async (host) => {
    expect(await statusFor(await start(), host)).toBe(200);
  });

  it.each([
    ...[
      'evil.test',
      'evil.test:4010',
      'localhost.evil.test',
      '127.0.0.1.evil.test',
      'notlocalhost',
      'localhost@evil',
    ],
    ...['192.168.1.5', '10.0.0.1:4010', '[2001:db8::1]', '0.0.0.0', 'xn--lcalhost-9za'],
  ])('%s is refused, for content and media alike', async (host) => {
    const emulator = await start();
    for (const path of ['/v1/contents', '/assets/900/a.jpg', '/']) {
      expect(await statusFor(emulator, host, path), path).toBe(421);
    }
  });

  it('the error names the host and the solution, and the request is logged', async () => {
    const entries: LogEntry[] = [];
    const emulator = await start({ onRequest: (entry) => entries.push(entry) });
    const response = await sendRaw(
      emulator.baseUrl,
      'GET /v1/contents?x=1 HTTP/1.1\r\nHost: evil.test\r\nX-SERVICE-API-KEY: pub\r\nConnection: close\r\n\r\n',
    );
    expect(response).toMatch(/^HTTP\/1\.1 421 /);
    expect(JSON.parse(response.slice(response.indexOf('{')))).toEqual({
      status: '421',
      code: 'Misdirected Request',
      message: expect.stringMatching(/"evil\.test".*--allowed-hosts.*allowedHosts/),
    });
    expect(entries).toMatchObject([{ method: 'GET', path: '/v1/contents', query: 'x=1', status: 421 }]);
  });

  it('the host of an absolute request target is checked too', async () => {
    const emulator = await start();
    const send = (target: string) =>
      sendRaw(
        emulator.baseUrl,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-SERVICE-API-KEY: pub\r\nConnection: close\r\n\r\n`,
      );
    expect(await send('http://evil.test/v1/contents')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await send('http://localhost/v1/contents')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('allowed names are accepted, and all subdomains of one that starts with a dot', async () => {
    const emulator = await start({ allowedHosts: ['cms.test', '.example.test'] });
    for (const host of ['cms.test', 'CMS.test:80', 'example.test', 'a.b.example.test']) {
      expect(await statusFor(emulator, host), host).toBe(200);
    }
    for (const host of ['x.cms.test', 'badexample.test']) {
      expect(await statusFor(emulator, host), host).toBe(421);
    }
  });

  it('the name of the configured origin is accepted', async () => {
    const port = await freePort();
    const emulator = await start({ origin: 'https://cms.test', port });
    expect(emulator.assetsUrl).toBe('https://cms.test/assets');
    const headers = 'X-SERVICE-API-KEY: pub\r\nConnection: close\r\n\r\n';
    const get = `GET /v1/contents HTTP/1.1\r\nHost: cms.test\r\n${headers}`;
    expect(await sendRaw(`http://127.0.0.1:${port}`, get)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('listening on all addresses, every IP address is accepted, and names must be allowed', async () => {
    const emulator = await start({ host: '0.0.0.0', allowedHosts: ['cms.test'] });
    for (const host of ['192.168.1.5:4010', '[2001:db8::1]', 'localhost', 'cms.test']) {
      expect(await statusFor(emulator, host), host).toBe(200);
    }
    expect(await statusFor(emulator, 'evil.test')).toBe(421);
  });

  it('in memory every URL is served', async () => {
    const emulator = createEmulator(SPACE, { origin: 'https://anything.test' });
    const headers = { 'X-SERVICE-API-KEY': 'pub', host: 'evil.test' };
    expect((await emulator.fetch('https://other.test/v1/contents', { headers })).status).toBe(200);
  });
});
