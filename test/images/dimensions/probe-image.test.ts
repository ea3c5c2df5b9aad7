import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/client/http/clock.ts';
import { ProbeFailure, probe } from '../../../src/images/dimensions/probe-image.ts';

const URL = 'https://assets.example/1/a.jpg';
const SHORT = 64 * 1024;
const LONG = 1024 * 1024;
const patient: Clock = { now: () => 0, sleep: () => new Promise(() => {}) };

let png: Uint8Array;
beforeAll(async () => {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#123' } });
  png = new Uint8Array(await image.png().toBuffer());
});

/** A JPEG of 77 × 55 whose header comes after so many kilobytes of other data. */
async function jpegBehind(kilobytes: number): Promise<Uint8Array> {
  const image = sharp({ create: { width: 77, height: 55, channels: 3, background: '#123' } });
  const plain = await image.jpeg().toBuffer();
  const part = Buffer.concat([Buffer.from([0xff, 0xef, 0x04, 0x00]), Buffer.alloc(1022, 1)]);
  const parts = Array.from({ length: kilobytes }, () => part);
  return new Uint8Array(Buffer.concat([plain.subarray(0, 2), ...parts, plain.subarray(2)]));
}

/** Asks a service that gives these bytes, a kilobyte at a time: the part that is asked for, or all of it. */
async function ask(bytes: Uint8Array, options: { status: 200 | 206; part?: number } = { status: 206 }) {
  const { status, part = 1024 } = options;
  const requests: { range: string | null; accept: string | null; redirect: string | undefined }[] = [];
  let sent = 0;
  let cancelled = 0;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const headers = new Headers(init?.headers);
    const range = headers.get('range');
    requests.push({ range, accept: headers.get('accept'), redirect: init?.redirect });
    const end = status === 206 ? Number(range?.split('-')[1]) + 1 : bytes.length;
    const body = bytes.slice(0, end);
    let offset = 0;
    return new Response(
      new ReadableStream(
        {
          pull(controller) {
            if (offset >= body.length) return controller.close();
            controller.enqueue(body.slice(offset, offset + part));
            offset += part;
            sent += part;
          },
          cancel() {
            cancelled += 1;
          },
        },
        { highWaterMark: 0 },
      ),
      { status },
    );
  };
  const result = await probe(URL, { fetch, clock: patient, timeout: 1000 }).catch((error) => error);
  return { result, requests, sent, cancelled };
}

const failure = async (response: () => Response | Promise<Response>) => {
  const result = await probe(URL, { fetch: async () => response(), clock: patient, timeout: 1 }).catch(
    (error) => error,
  );
  expect(result).toBeInstanceOf(ProbeFailure);
  const { message, mayPass, isFinal, retryAfter } = result as ProbeFailure;
  return { message, mayPass, isFinal, retryAfter };
};

describe('the size of an image', () => {
  test('is read from its start, and the rest is not sent', async () => {
    const { result, requests, sent, cancelled } = await ask(await jpegBehind(3));
    expect(result).toMatchObject({ width: 77, height: 55, format: 'jpg' });
    expect(requests).toEqual([{ range: 'bytes=0-65535', accept: 'image/*,*/*;q=0.5', redirect: 'manual' }]);
    expect(sent).toBeLessThan(SHORT);
    expect(cancelled).toBeLessThan(2);
  });

  test('ends the reading as soon as it is known', async () => {
    const long = new Uint8Array(50 * 1024);
    long.set(png);
    for (const status of [200, 206] as const) {
      const { result, sent, cancelled } = await ask(long, { status });
      expect(result).toMatchObject({ width: 40, height: 30 });
      expect(sent).toBeLessThan(10 * 1024);
      expect(cancelled).toBe(1);
    }
  });

  test('is looked for further, in whatever pieces the first stretch came', async () => {
    const { result, requests } = await ask(await jpegBehind(100), { status: 206, part: 1000 });
    expect(result).toMatchObject({ width: 77, height: 55 });
    expect(requests).toHaveLength(2);
  });

  test('is looked for in a longer stretch where it is not in the first', async () => {
    const bytes = await jpegBehind(100);
    const { result, requests, sent } = await ask(bytes);
    expect(result).toMatchObject({ width: 77, height: 55 });
    expect(requests.map(({ range }) => range)).toEqual(['bytes=0-65535', 'bytes=0-1048575']);
    expect(sent).toBeLessThan(SHORT + bytes.length + 1024);
  });

  test('is looked for in everything that a service sends that knows no parts', async () => {
    const { result, requests } = await ask(await jpegBehind(100), { status: 200 });
    expect(result).toMatchObject({ width: 77, height: 55 });
    expect(requests).toHaveLength(1);
  });

  test('is found in one piece and in many', async () => {
    for (const part of [1, 7, 1_000_000]) {
      expect((await ask(png, { status: 200, part })).result).toMatchObject({ width: 40, height: 30 });
    }
  });

  test('is not found past a megabyte, and no more than that is read', async () => {
    const bytes = new Uint8Array(3 * LONG);
    const parts = await ask(bytes, { status: 206, part: SHORT });
    expect(parts.result).toMatchObject({
      message: 'is no picture that can be read',
      isFinal: true,
      mayPass: false,
    });
    expect(parts.requests).toHaveLength(2);
    const whole = await ask(bytes, { status: 200, part: SHORT });
    expect(whole.result).toMatchObject({ isFinal: true });
    expect(whole.requests).toHaveLength(1);
    expect(whole.sent).toBe(LONG);
    expect(whole.cancelled).toBe(1);
  });

  test('is not asked for again where the first stretch was all', async () => {
    const { result, requests } = await ask(new TextEncoder().encode('%PDF-1.7 no picture'));
    expect(result).toMatchObject({ isFinal: true });
    expect(requests).toHaveLength(1);
    expect((await ask(new Uint8Array(SHORT - 1))).requests).toHaveLength(1);
    expect((await ask(new Uint8Array(SHORT))).requests).toHaveLength(2);
  });

  test('is not that of a response without a body', async () => {
    expect(await failure(() => new Response(null, { status: 200 }))).toMatchObject({ isFinal: true });
  });
});

describe('a response that is a failure', () => {
  test.each([
    [404, false],
    [302, false],
    [204, false],
    [407, false],
    [408, true],
    [409, false],
    [429, true],
    [499, false],
    [500, true],
    [503, true],
  ])('%i may pass: %s', async (status, mayPass) => {
    expect(await failure(() => new Response(null, { status }))).toEqual({
      message: `answered ${status}`,
      mayPass,
      isFinal: false,
      retryAfter: status === 429 ? null : undefined,
    });
  });

  test('says when to come back, if it asks for time', async () => {
    const headers = { 'retry-after': '7' };
    expect(await failure(() => new Response(null, { status: 429, headers }))).toMatchObject({
      retryAfter: '7',
    });
    expect((await failure(() => new Response(null, { status: 503, headers }))).retryAfter).toBeUndefined();
  });

  test('is not read', async () => {
    let cancelled = 0;
    const body = new ReadableStream({
      cancel() {
        cancelled += 1;
      },
    });
    await failure(() => new Response(body, { status: 500 }));
    expect(cancelled).toBe(1);
  });

  test('of the network may pass', async () => {
    expect(await failure(() => Promise.reject(new TypeError('fetch failed')))).toEqual({
      message: 'could not be reached',
      mayPass: true,
      isFinal: false,
      retryAfter: undefined,
    });
  });
});

describe('the time that a request may take', () => {
  test('ends it', async () => {
    const slept: number[] = [];
    const clock: Clock = { now: () => 0, sleep: async (time) => void slept.push(time) };
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    await expect(probe(URL, { fetch, clock, timeout: 1234 })).rejects.toMatchObject({
      message: 'gave no answer in time',
      mayPass: true,
    });
    expect(slept).toEqual([1234]);
  });

  test('is given to each request anew, and no timer is left behind', async () => {
    const signals: AbortSignal[] = [];
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signals.push(signal as AbortSignal);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const fetch = async () => new Response(new Uint8Array(LONG), { status: 206 });
    await expect(probe(URL, { fetch, clock: { now: () => 0, sleep }, timeout: 1 })).rejects.toThrow();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

test('a failure is neither passing nor final unless it says so', () => {
  expect(new ProbeFailure('why')).toMatchObject({
    message: 'why',
    mayPass: false,
    isFinal: false,
    retryAfter: undefined,
  });
});
