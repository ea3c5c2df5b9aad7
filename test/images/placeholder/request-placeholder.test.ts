import sharp, { type Sharp } from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/client/http/clock.ts';
import { AssetError } from '../../../src/images/assets/request-asset.ts';
import { requestPlaceholder } from '../../../src/images/placeholder/request-placeholder.ts';
import { disc, landscape } from '../drawn-images.ts';
import { thumbHashColorAt } from './thumbhash-decoder.ts';

const URL = 'https://assets.example/1/a.jpg';
const clock: Clock = { now: () => 0, sleep: () => new Promise(() => {}) };
/** The ThumbHash of the sunrise on the site of ThumbHash. */
const SUNRISE = '1QcSHQRnh493V4dIh4eXh1h4kJUI';

let png: Buffer<ArrayBuffer>;
beforeAll(async () => {
  png = (await landscape(32, 21).png().toBuffer()) as Buffer<ArrayBuffer>;
});

function request(respond: () => Response | Promise<Response>, url = URL) {
  const requests: { url: string; init: RequestInit | undefined }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push({ url: String(input), init });
    return respond();
  };
  const result = requestPlaceholder(url, { fetch, clock, timeout: 1000 });
  return { result, requests };
}
const failure = async (respond: () => Response | Promise<Response>, url?: string) => {
  const error = (await request(respond, url).result.catch((one) => one)) as AssetError;
  expect(error).toBeInstanceOf(AssetError);
  const { message, isRetryable, isFinal } = error;
  return { message, isRetryable, isFinal };
};

describe('the placeholder of an image', () => {
  test('is made from one small request, without a key and without redirects', async () => {
    const { result, requests } = request(() => new Response(png));
    expect(await result).toEqual({
      thumbHash: expect.stringMatching(/^[\w+/]{28,33}=*$/),
      color: '#9cd3f2',
      hasAlpha: false,
    });
    expect(requests.map((one) => one.url)).toEqual([`${URL}?width=32&height=32&format=png&fit=bounds`]);
    expect(requests[0]?.init).toMatchObject({ headers: { accept: 'image/png' }, redirect: 'manual' });
  });

  test('keeps other parameters of the URL', async () => {
    const { result, requests } = request(() => new Response(png), `${URL}?version=2`);
    await result;
    expect(requests[0]?.url).toBe(`${URL}?version=2&width=32&height=32&format=png&fit=bounds`);
  });

  test('looks like the image to another decoder', async () => {
    const { thumbHash } = await request(() => new Response(png)).result;
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const differences: number[] = [];
    for (let y = 0; y < info.height; y++) {
      for (let x = 0; x < info.width; x++) {
        const shown = thumbHashColorAt(thumbHash, (x + 0.5) / info.width, (y + 0.5) / info.height);
        for (const channel of [0, 1, 2] as const) {
          const original = data[(y * info.width + x) * 3 + channel] ?? 0;
          differences.push(Math.abs(original - shown[channel]));
        }
      }
    }
    const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
    expect(mean).toBeLessThan(30);
  });

  test('of an image with transparent parts has its alpha', async () => {
    const bytes = new Uint8Array(await disc(32, 32).png().toBuffer());
    const { thumbHash, ...rest } = await request(() => new Response(bytes)).result;
    expect(rest).toEqual({ color: '#6a1fb0', hasAlpha: true });
    const [red, green, blue, alpha] = thumbHashColorAt(thumbHash, 0.5, 0.5);
    expect([red - 106, green - 31, blue - 176].every((difference) => Math.abs(difference) < 30)).toBe(true);
    expect(alpha).toBeGreaterThan(200);
    expect(thumbHashColorAt(thumbHash, 0.02, 0.02)[3]).toBeLessThan(60);
  });

  test('is decoded by the package as by the specification, also in its own example', () => {
    const { w, h, rgba } = thumbHashToRGBA(Buffer.from(SUNRISE, 'base64'));
    for (const [x, y] of [
      [0, 0],
      [w - 1, 0],
      [5, h - 1],
      [w >> 1, h >> 1],
    ] as const) {
      const expected = thumbHashColorAt(SUNRISE, (x + 0.5) / w, (y + 0.5) / h);
      const found = rgba.subarray((y * w + x) * 4, (y * w + x) * 4 + 4);
      for (const [channel, value] of found.entries()) {
        expect(Math.abs(value - (expected[channel] ?? 0))).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('there is none, and no other build tries, for', () => {
  const other = async (image: Sharp) => new Response(new Uint8Array(await image.toBuffer()));
  test.each<[string, () => Response | Promise<Response>]>([
    ['a PNG that was not resized', () => other(landscape(33, 20).png())],
    ['another format', () => other(landscape(32, 20).jpeg())],
    ['an animated WebP', () => new Response('RIFF\x20\0\0\0WEBPVP8X')],
    ['a truncated PNG', () => new Response(png.subarray(0, -30))],
    ['a text', () => new Response('Not found')],
    ['an empty response', () => new Response(null)],
  ])('%s', async (_, respond) => {
    expect(await failure(respond)).toEqual({
      message: 'has no small version as PNG',
      isRetryable: false,
      isFinal: true,
    });
  });

  test('a response that never ends, of which 256 kB are read', async () => {
    let sent = 0;
    let cancelled = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          sent += 1024;
          controller.enqueue(new Uint8Array(1024));
        },
        cancel() {
          cancelled += 1;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await failure(() => new Response(body))).toMatchObject({ isFinal: true });
    expect([sent, cancelled]).toEqual([257 * 1024, 1]);
  });

  test.each(['svg', 'gif', 'SVG'])(
    'a file that the CDN does not resize (%s), which is not requested',
    async (type) => {
      const respond = () => expect.fail('requested');
      expect(await failure(respond, `https://assets.example/1/a.${type}`)).toEqual({
        message: 'is a file that the CDN does not resize',
        isRetryable: false,
        isFinal: true,
      });
    },
  );

  test.each([400, 413, 415, 422])('an image that the CDN refuses with %i', async (status) => {
    expect(await failure(() => new Response(null, { status }))).toEqual({
      message: `responded with ${status}`,
      isRetryable: false,
      isFinal: true,
    });
  });
});

test.each([
  [401, false],
  [403, false],
  [404, false],
  [302, false],
  [429, true],
  [500, true],
  [503, true],
])('another build tries again after %i', async (status, isRetryable) => {
  const error = await failure(() => new Response(null, { status }));
  expect(error).toEqual({ message: `responded with ${status}`, isRetryable, isFinal: false });
});
