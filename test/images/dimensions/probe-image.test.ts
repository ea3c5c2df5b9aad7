import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/client/http/clock.ts';
import { AssetError } from '../../../src/images/assets/request-asset.ts';
import { probeImage } from '../../../src/images/dimensions/probe-image.ts';

const URL = 'https://assets.example/1/a.jpg';
const SHORT = 64 * 1024;
const LONG = 1024 * 1024;
const clockWithoutTimers: Clock = { now: () => 0, sleep: () => new Promise(() => {}) };

let png: Uint8Array;
beforeAll(async () => {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#123' } });
  png = new Uint8Array(await image.png().toBuffer());
});

/** A JPEG of 77 × 55 whose header follows that many kilobytes of other data. */
async function jpegBehind(kilobytes: number): Promise<Uint8Array> {
  const image = sharp({ create: { width: 77, height: 55, channels: 3, background: '#123' } });
  const plain = await image.jpeg().toBuffer();
  const part = Buffer.concat([Buffer.from([0xff, 0xef, 0x04, 0x00]), Buffer.alloc(1022, 1)]);
  const parts = Array.from({ length: kilobytes }, () => part);
  return new Uint8Array(Buffer.concat([plain.subarray(0, 2), ...parts, plain.subarray(2)]));
}

/** Probes a service that sends these bytes in parts: the requested range (206), or everything (200). */
async function probeBytes(
  bytes: Uint8Array,
  options: { status: 200 | 206; part?: number } = { status: 206 },
) {
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
  const result = await probeImage(URL, { fetch, clock: clockWithoutTimers, timeout: 1000 }).catch(
    (error) => error,
  );
  return { result, requests, sent, cancelled };
}

const failure = async (response: () => Response | Promise<Response>) => {
  const result = await probeImage(URL, {
    fetch: async () => response(),
    clock: clockWithoutTimers,
    timeout: 1,
  }).catch((error) => error);
  expect(result).toBeInstanceOf(AssetError);
  const { message, isRetryable, isFinal, retryAfter } = result as AssetError;
  return { message, isRetryable, isFinal, retryAfter };
};

describe('the header of an image', () => {
  test('is read from the start, and the rest is not requested', async () => {
    const { result, requests, sent, cancelled } = await probeBytes(await jpegBehind(3));
    expect(result).toMatchObject({ width: 77, height: 55, format: 'jpg' });
    expect(requests).toEqual([{ range: 'bytes=0-65535', accept: 'image/*,*/*;q=0.5', redirect: 'manual' }]);
    expect(sent).toBeLessThan(SHORT);
    expect(cancelled).toBeLessThan(2);
  });

  test('ends the response as soon as it is parsed', async () => {
    const long = new Uint8Array(50 * 1024);
    long.set(png);
    for (const status of [200, 206] as const) {
      const { result, sent, cancelled } = await probeBytes(long, { status });
      expect(result).toMatchObject({ width: 40, height: 30 });
      expect(sent).toBeLessThan(10 * 1024);
      expect(cancelled).toBe(1);
    }
  });

  test('is searched for in a longer range, however the first one was split', async () => {
    const { result, requests } = await probeBytes(await jpegBehind(100), { status: 206, part: 1000 });
    expect(result).toMatchObject({ width: 77, height: 55 });
    expect(requests).toHaveLength(2);
  });

  test('is searched for in a longer range if it is not in the first', async () => {
    const bytes = await jpegBehind(100);
    const { result, requests, sent } = await probeBytes(bytes);
    expect(result).toMatchObject({ width: 77, height: 55 });
    expect(requests.map(({ range }) => range)).toEqual(['bytes=0-65535', 'bytes=0-1048575']);
    expect(sent).toBeLessThan(SHORT + bytes.length + 1024);
  });

  test('is searched for in the whole response of a service without range requests', async () => {
    const { result, requests } = await probeBytes(await jpegBehind(100), { status: 200 });
    expect(result).toMatchObject({ width: 77, height: 55 });
    expect(requests).toHaveLength(1);
  });

  test('is found in one part and in many', async () => {
    for (const part of [1, 7, 1_000_000]) {
      expect((await probeBytes(png, { status: 200, part })).result).toMatchObject({ width: 40, height: 30 });
    }
  });

  test('is not found after a megabyte, and no more than that is read', async () => {
    const bytes = new Uint8Array(3 * LONG);
    const parts = await probeBytes(bytes, { status: 206, part: SHORT });
    expect(parts.result).toMatchObject({
      message: 'is not a readable image',
      isFinal: true,
      isRetryable: false,
    });
    expect(parts.requests).toHaveLength(2);
    const whole = await probeBytes(bytes, { status: 200, part: SHORT });
    expect(whole.result).toMatchObject({ isFinal: true });
    expect(whole.requests).toHaveLength(1);
    expect(whole.sent).toBe(LONG);
    expect(whole.cancelled).toBe(1);
  });

  test('is not requested again if the first range was the whole file', async () => {
    const { result, requests } = await probeBytes(new TextEncoder().encode('%PDF-1.7 not an image'));
    expect(result).toMatchObject({ isFinal: true });
    expect(requests).toHaveLength(1);
    expect((await probeBytes(new Uint8Array(SHORT - 1))).requests).toHaveLength(1);
    expect((await probeBytes(new Uint8Array(SHORT))).requests).toHaveLength(2);
  });

  test('is missing in a response without a body', async () => {
    expect(await failure(() => new Response(null, { status: 200 }))).toMatchObject({ isFinal: true });
  });
});

describe('an error response', () => {
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
  ])('%i is retryable: %s', async (status, isRetryable) => {
    expect(await failure(() => new Response(null, { status }))).toEqual({
      message: `responded with ${status}`,
      isRetryable,
      isFinal: false,
      retryAfter: status === 429 ? null : undefined,
    });
  });

  test('has `retry-after` if it is a 429', async () => {
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

  test('of the network is retryable', async () => {
    expect(await failure(() => Promise.reject(new TypeError('fetch failed')))).toEqual({
      message: 'could not be reached',
      isRetryable: true,
      isFinal: false,
      retryAfter: undefined,
    });
  });
});

describe('the timeout of a request', () => {
  test('ends it', async () => {
    const slept: number[] = [];
    const clock: Clock = { now: () => 0, sleep: async (time) => void slept.push(time) };
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    await expect(probeImage(URL, { fetch, clock, timeout: 1234 })).rejects.toMatchObject({
      message: 'did not respond in time',
      isRetryable: true,
    });
    expect(slept).toEqual([1234]);
  });

  test('starts again for each request, and no timer is left behind', async () => {
    const signals: AbortSignal[] = [];
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signals.push(signal as AbortSignal);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const fetch = async () => new Response(new Uint8Array(LONG), { status: 206 });
    await expect(probeImage(URL, { fetch, clock: { now: () => 0, sleep }, timeout: 1 })).rejects.toThrow();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

test('an error is neither retryable nor about a file that is not an image by default', () => {
  expect(new AssetError('why')).toMatchObject({
    message: 'why',
    isRetryable: false,
    isFinal: false,
    retryAfter: undefined,
  });
});
