import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createConnection } from '../../src/client/http/connection.ts';
import { sendRequest } from '../../src/client/http/send-request.ts';
import { nodeFetch } from '../../src/space/node-fetch.ts';

const ITEMS = { total: 1, data: [{ title: '港の夜明け' }] };

let respond: (request: IncomingMessage, response: ServerResponse) => void;
let sockets = 0;
const server = createServer((request, response) => respond(request, response));
server.on('connection', () => {
  sockets += 1;
});
let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A request as a load sends it, not retried. */
function read({ baseUrl = origin, timeout = 30_000, signal = undefined as AbortSignal | undefined } = {}) {
  const fetchContent = nodeFetch();
  expect(fetchContent).toBeDefined();
  const apiKey = randomBytes(8).toString('hex');
  const connection = createConnection({ baseUrl, apiKey, network: { retries: 0, timeout } });
  return sendRequest({ ...connection, fetchContent }, { method: 'GET', path: '/contents', signal });
}

describe('content that a load reads without fetch', () => {
  test.each([
    ['as it is', undefined, (json: string) => json],
    ['as gzip', 'gzip', gzipSync],
    ['as Brotli', 'br', brotliCompressSync],
  ])('is the same sent %s', async (_, encoding, encode) => {
    respond = ({ headers }, response) => {
      expect(headers['accept-encoding']).toBe('gzip, br');
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding });
      response.end(encode(JSON.stringify(ITEMS)));
    };
    expect(await read()).toEqual(ITEMS);
  });

  test('is requested with the key, by connections that are used again', async () => {
    const keys: unknown[] = [];
    respond = ({ headers }, response) => {
      keys.push(headers['x-service-api-key']);
      response.end('{}');
    };
    await read();
    const before = sockets;
    await read();
    await read();
    expect([sockets - before, new Set(keys).size]).toEqual([0, 3]);
  });

  test('is not read from where a redirect leads', async () => {
    respond = (_, response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    await expect(read()).rejects.toMatchObject({ status: 302 });
  });

  test.each([undefined, 'gzip', 'br'])('that is cut off (%s) is an error', async (encoding) => {
    respond = (_, response) => {
      const body = gzipSync(JSON.stringify(ITEMS));
      response.writeHead(200, { 'content-length': 1000, ...(encoding && { 'content-encoding': encoding }) });
      response.write(body.subarray(0, 15));
      setImmediate(() => response.destroy());
    };
    await expect(read()).rejects.toThrow('the response was cut off');
  });

  test('that is not what its encoding says is an error', async () => {
    respond = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}');
    await expect(read()).rejects.toThrow('GET');
  });

  test('of a service that is not running is an error that says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await new Promise((resolve) => other.close(resolve));
    await expect(read({ baseUrl: `http://127.0.0.1:${port}` })).rejects.toThrow('connection refused');
  });

  test('ends with its signal, before and during the response', async () => {
    for (const starts of [false, true]) {
      const leaving = new AbortController();
      const closed = Promise.withResolvers<void>();
      respond = (_, response) => {
        response.on('close', () => closed.resolve());
        if (starts) response.write('{');
        setImmediate(() => leaving.abort(new Error('left')));
      };
      await expect(read({ signal: leaving.signal })).rejects.toThrow('left');
      // The service notices it too.
      await closed.promise;
    }
  });

  test('ends after the time limit, before and during the response', async () => {
    for (const [starts, message] of [
      [false, /no response/],
      [true, /not complete|incomplete|cut off|within/],
    ] as const) {
      respond = (_, response) => {
        if (starts) response.write('{');
      };
      await expect(read({ timeout: 200 })).rejects.toThrow(message);
    }
  });
});

describe('fetch is used', () => {
  const dispatcher = Symbol.for('undici.globalDispatcher.1');
  const shared = globalThis as { [name: symbol]: unknown };
  const own = shared[dispatcher];
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    shared[dispatcher] = own;
  });

  test('if it was replaced', () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('replaced')));
    expect(nodeFetch()).toBeUndefined();
  });

  test.each([
    ['NODE_USE_ENV_PROXY', '1'],
    ['NODE_OPTIONS', '--use-env-proxy'],
  ])('if %s may make it use a proxy', (name, value) => {
    vi.stubEnv(name, value);
    expect(nodeFetch()).toBeUndefined();
  });

  test('if the site has set a proxy for it', () => {
    class ProxyAgent {}
    shared[dispatcher] = new ProxyAgent();
    expect(nodeFetch()).toBeUndefined();
  });
});
