import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from './http.ts';

const MB = 1_000_000;
/** What a client tries to send, far more than any limit and than the memory that may be used. */
const SENT = 200 * MB;
/** What the memory may grow by: buffers on the way and what is not yet collected, not the body. */
const FLAT = 150 * MB;
const LIMITS = { maxBody: MB, maxUpload: 2 * MB, allowedHosts: ['x'] };
const CHUNK = Buffer.alloc(64 * 1024, '0');

let child: ChildProcess;
let baseUrl: string;
/** Of the emulator before any of this, after it has answered once. */
let start: { peak: number; state: string };

beforeAll(async () => {
  const file = fileURLToPath(new URL('./child-emulator.ts', import.meta.url));
  // What is thrown away is collected soon, so that what is kept shows.
  child = fork(file, [JSON.stringify(LIMITS)], { execArgv: ['--max-semi-space-size=1'] });
  [baseUrl] = (await once(child, 'message')) as [string];
  await expectAlive();
  start = await look();
});
afterAll(() => child.kill());

async function look(): Promise<{ peak: number; state: string }> {
  child.send('look');
  const [seen] = (await once(child, 'message')) as [{ peak: number; state: string }];
  return seen;
}

interface Sending {
  path: string;
  type: string;
  beginning: string;
}

interface Sent {
  status: number | undefined;
  body: string;
}

/**
 * Sends a beginning and so many zeros, as fast as they are taken, until the service answers; then no
 * more, and no end. `declared` is the content-length, if there is to be one.
 */
function stream({ path, type, beginning }: Sending, bytes: number, declared?: number): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = {
      'X-SERVICE-API-KEY': 'all',
      'content-type': type,
      ...(declared === undefined ? {} : { 'content-length': declared }),
    };
    const asked = request(`${baseUrl}${path}`, { method: 'POST', headers });
    let answered = false;
    asked.on('response', async (response) => {
      answered = true;
      let body = '';
      for await (const chunk of response) body += chunk;
      asked.destroy();
      resolve({ status: response.statusCode, body });
    });
    // After the answer the service is free to close the line.
    asked.on('error', (error) => answered || reject(error));
    let sent = 0;
    const more = () => {
      while (!answered && !asked.destroyed && sent < bytes) {
        sent += CHUNK.length;
        if (!asked.write(CHUNK)) {
          asked.once('drain', more);
          return;
        }
      }
    };
    asked.write(beginning);
    more();
  });
}

/** Sends all it has, whatever is answered, until the line is closed. */
function sendDeaf({ path, type, beginning }: Sending): Promise<void> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname}${path} HTTP/1.1\r\nHost: x\r\nX-SERVICE-API-KEY: all\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${SENT + 1000}\r\n\r\n${beginning}`,
  );
  let bytes = 0;
  const more = () => {
    while (!socket.destroyed && bytes < SENT) {
      bytes += CHUNK.length;
      if (!socket.write(CHUNK)) return;
    }
    socket.end();
  };
  socket.on('drain', more).resume();
  more();
  return new Promise((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve());
  });
}

const JSON_BODY: Sending = {
  path: '/contents?model=filler',
  type: 'application/json',
  beginning: '{"fields": {"title": "',
};
const UPLOAD: Sending = {
  path: '/media',
  type: 'multipart/form-data; boundary=line',
  beginning: '--line\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n',
};

async function expectAlive(): Promise<void> {
  const next = await fetch(`${baseUrl}/contents?limit=1`, { headers: { 'X-SERVICE-API-KEY': 'pub' } });
  expect(next.status).toBe(200);
}

/** Expects that all this cost little memory and changed nothing. */
async function expectUnmoved(): Promise<void> {
  await expectAlive();
  const { peak, state } = await look();
  expect(peak - start.peak).toBeLessThan(FLAT);
  expect(state === start.state, 'nothing has changed').toBe(true);
}

/** Expects a refusal in §7's form, nothing changed, and memory as it was. */
async function expectError(...sent: Promise<Sent>[]): Promise<void> {
  for (const { status, body } of await Promise.all(sent)) {
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual(errorBody(400));
  }
  await expectUnmoved();
}

describe('far over the limit', () => {
  it('bad input: a content length over the limit is rejected before the body is sent', async () => {
    await expectError(stream(JSON_BODY, 0, SENT), stream(UPLOAD, 0, SENT));
  });

  it('bad input: a body of unknown length is rejected as soon as it is too long', async () => {
    await expectError(stream(JSON_BODY, 1.5 * LIMITS.maxBody), stream(UPLOAD, 1.5 * LIMITS.maxUpload));
  });

  it('bad input: 200 MB of JSON are rejected without using memory', async () => {
    await expectError(stream(JSON_BODY, SENT, SENT + 1000));
    await expectError(stream(JSON_BODY, SENT));
  });

  it('bad input: an upload of 200 MB is rejected without using memory', async () => {
    await expectError(stream(UPLOAD, SENT, SENT + 1000));
    await expectError(stream(UPLOAD, SENT));
  });

  it('bad input: twenty such requests in parallel are rejected without using memory', async () => {
    const some = () =>
      [undefined, SENT + 1000].flatMap((declared) => [
        stream(JSON_BODY, SENT, declared),
        stream(UPLOAD, SENT, declared),
      ]);
    await expectError(...Array.from({ length: 5 }, some).flat());
  });

  it('bad input: a client that continues to send after the response uses no memory', async () => {
    await Promise.all([sendDeaf(JSON_BODY), sendDeaf(UPLOAD)]);
    await expectUnmoved();
  });

  it('bad input: bodies sent to paths without a body are not stored', async () => {
    for (const path of ['/contents/999999/duplicate', '/nope']) {
      const { status } = await stream({ ...JSON_BODY, path }, SENT);
      expect([400, 404], path).toContain(status);
    }
    await expectUnmoved();
  });

  it('bad input: a body without a key is rejected', async () => {
    const response = await fetch(`${baseUrl}/media`, { method: 'POST', body: 'x'.repeat(MB) });
    expect(response.status).toBe(401);
    await expectUnmoved();
  });
});
