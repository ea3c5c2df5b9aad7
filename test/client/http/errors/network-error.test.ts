import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { describeNetworkError } from '../../../../src/client/http/errors/network-error.ts';
import { createClient } from '../../../../src/client/index.ts';
import { LuidRequestError } from '../../../../src/index.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** The error of a client with this origin in its URL. */
async function failure(origin: string, timeout = 60_000): Promise<LuidRequestError> {
  const client = createClient({
    baseUrl: `${origin}/v1`,
    apiKey: 'a-secret-key',
    network: { retries: 0, timeout },
  });
  const error = await client.contents.list('item').catch((reason: unknown) => reason);
  expect(LuidRequestError.is(error)).toBe(true);
  const { message } = error as LuidRequestError;
  expect(message).toContain(`[GET] ${origin}/v1/contents?`);
  expect(message).not.toContain('a-secret-key');
  return error as LuidRequestError;
}

test('a port on which nothing listens: connection refused', async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((done) => servers.pop()?.close(done));
  expect((await failure(`http://127.0.0.1:${port}`)).message).toMatch(
    /: connection refused\n {2}→ Is the service running/,
  );
});

test('a host that does not exist: unknown host, or a failed lookup without DNS', async () => {
  expect((await failure('http://no-such-host.invalid')).message).toMatch(
    /: (unknown host\n {2}→ Check the URL|DNS lookup failed\n {2}→ Is this machine online)/,
  );
});

test('a self-signed certificate, and a port that does not serve TLS: TLS failed', async () => {
  const signed = await listen(createHttps({ key: KEY, cert: CERTIFICATE }));
  expect((await failure(`https://127.0.0.1:${signed}`)).message).toMatch(
    /: TLS failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\n {2}→ The certificate was rejected/,
  );
  const plain = await listen(createHttp());
  expect((await failure(`https://127.0.0.1:${plain}`)).message).toMatch(/: TLS failed \(ERR_SSL_\w+\)\n/);
});

test('a server that never responds: no response within the time', async () => {
  const open = new Set<import('node:net').Socket>();
  const port = await listen(createServer((socket) => void open.add(socket)));
  const { message } = await failure(`http://127.0.0.1:${port}`, 1_000);
  for (const socket of open) socket.destroy();
  expect(message).toMatch(/: no response within 0\.5 s\n {2}→ .*`network\.timeout`/);
});

test('a server that closes the connection: no response', async () => {
  const port = await listen(createServer((socket) => void socket.destroy()));
  expect((await failure(`http://127.0.0.1:${port}`)).message).toMatch(/: no response\n/);
});

test('a port that the Fetch standard blocks: `fetch` blocks this port', async () => {
  expect((await failure('http://127.0.0.1:9')).message).toMatch(/: `fetch` blocks this port\n/);
});

test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'unknown host'],
  ['EAI_AGAIN', 'DNS lookup failed'],
  ['ENETUNREACH', 'host unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
  ['CERT_HAS_EXPIRED', 'TLS failed (CERT_HAS_EXPIRED)'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS failed (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  ['ECONNRESET', 'no response'],
])('%s is reported as “%s”, also as a cause', (code, what) => {
  const cause = Object.assign(new Error('x'), { code });
  expect(describeNetworkError(cause, false).message).toBe(what);
  expect(describeNetworkError(new TypeError('fetch failed', { cause }), false).message).toBe(what);
});

/** Self-signed for 127.0.0.1, for this test only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgj19R6gCv1AU9kGB0
kBZM79qhmjPZbqksmRf17hpq0VyhRANCAAQoeAWfdfaQK1KMj8Ux7CKe7bSrKo4L
qlmV57L8znS6ofOpO8sh/XkePvvlbsT/9ffnFVz8t3qEVzgr2ycuLLBT
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUAdxl+xhzjzKJskmjDk0gx43OnDowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTE4MTgzMVoYDzIxMjYxMDIy
MTgxODMxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQoeAWfdfaQK1KMj8Ux7CKe7bSrKo4LqlmV57L8znS6ofOpO8sh/Xke
PvvlbsT/9ffnFVz8t3qEVzgr2ycuLLBTo1MwUTAdBgNVHQ4EFgQUh6p7ELmXEV60
dp3DMw38d26P7wYwHwYDVR0jBBgwFoAUh6p7ELmXEV60dp3DMw38d26P7wYwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA6mPUL1UVy/LLQvFuZRM1
qNVkZhzsozKVDhjF6lQE9C8CIQCW0YJnbCR/UCPSv4Vkfv9fLfq4YPnlbdx2374Z
WQwASg==
-----END CERTIFICATE-----`;
