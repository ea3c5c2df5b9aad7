import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ConnectionOptions, createConnection } from '../../../src/client/http/connection.ts';
import type { AssetReaderOptions } from '../../../src/images/assets/asset-reader.ts';
import { ImageMeasurer } from '../../../src/images/dimensions/image-measurer.ts';
import { knownDimensions } from '../../../src/images/dimensions/known-dimensions.ts';
import { openCipher } from '../../../src/shared/encryption/content-cipher.ts';

/** The deadline of a request: a sleep that never ends. */
const TIMEOUT = 77_777;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>';

let hosts = 0;
let host: string;
let time: number;
let slept: number[];
let requested: string[];
let lines: string[];
let storage: Storage;
beforeEach(() => {
  host = `http://sizes-${++hosts}.test`;
  time = 1_000_000;
  slept = [];
  requested = [];
  lines = [];
  storage = createStorage({ driver: memory() });
});

const url = (name: string | number) => `${host}/${name}.svg`;
const urls = (count: number) => Array.from({ length: count }, (_, n) => url(n));
const logger = {
  info: (line: string) => void lines.push(`info: ${line}`),
  warn: (line: string) => void lines.push(`warning: ${line}`),
};
const image = () => new Response(SVG);
const clock = {
  now: () => time,
  async sleep(milliseconds: number) {
    if (milliseconds === TIMEOUT) return new Promise<void>(() => {});
    slept.push(milliseconds);
    time += milliseconds;
  },
};

type Respond = (name: string, times: number) => Response | Promise<Response>;

/** A build that shares the storage with others. Its clock advances only by sleeping. */
function build(respond: Respond = image, options: Partial<AssetReaderOptions & ConnectionOptions> = {}) {
  return new ImageMeasurer({
    connect: async () =>
      createConnection({
        baseUrl: `${host}/v1`,
        apiKey: 'key',
        clock,
        fetch: async (input) => {
          requested.push(String(input));
          const times = requested.filter((one) => one === String(input)).length;
          return respond(String(input).slice(host.length + 1, -4), times);
        },
        ...options,
        network: { timeout: TIMEOUT, concurrency: 1, ...options.network },
      }),
    assetsUrl: host,
    storage,
    ...options,
  });
}

const info = { width: 30, height: 20, format: 'svg' };

describe('dimensions', () => {
  test('are read once, and kept for this process and later builds', async () => {
    const measurer = build();
    const wanted = [url('a'), url('b'), url('a')];
    const expected = {
      found: new Map([
        [url('a'), info],
        [url('b'), info],
      ]),
      isComplete: true,
    };
    expect(await measurer.read(wanted, logger)).toEqual(expected);
    expect(await measurer.read(wanted, logger)).toEqual(expected);
    expect(await build().read(wanted, logger)).toEqual(expected);
    expect(requested).toEqual([url('a'), url('b')]);
    expect(lines).toEqual(['info: Read the dimensions of 2 images']);
    expect(knownDimensions().get(url('a'))).toEqual(info);
  });

  test('are not kept without a cache', async () => {
    await build(image, { storage: undefined }).read([url('a')], logger);
    expect(await storage.getKeys()).toEqual([]);
    await build(image, { storage: undefined }).read([url('a')], logger);
    expect(requested).toHaveLength(2);
    expect(lines).toEqual(['info: Read the dimensions of 1 image', 'info: Read the dimensions of 1 image']);
  });

  test('that were stored are known after loading', async () => {
    await build().read([url('a')], logger);
    knownDimensions().delete(url('a'));
    await build().load(logger);
    expect(knownDimensions().get(url('a'))).toEqual(info);
  });

  test('offline are the known ones', async () => {
    await build().read([url('a')], logger);
    const found = await build(image, { offline: true }).read([url('a'), url('b')], logger);
    expect(found).toEqual({ found: new Map([[url('a'), info]]), isComplete: false });
    expect(requested).toEqual([url('a')]);
  });

  test('that are being requested are not requested again', async () => {
    const measurer = build();
    const both = await Promise.all([
      measurer.read([url('a'), url('b')], logger),
      measurer.read([url('b'), url('c')], logger),
    ]);
    expect(both.map((one) => one.isComplete)).toEqual([true, true]);
    expect([...requested].sort()).toEqual([url('a'), url('b'), url('c')]);
    const same = await Promise.all([measurer.read([url('d')], logger), measurer.read([url('d')], logger)]);
    expect(same.map((one) => one.isComplete)).toEqual([true, true]);
    expect(requested).toHaveLength(4);
  });

  test('are requested without a key, and without a limit of requests per minute', async () => {
    await build(image, { network: { requestsPerMinute: 2 } }).read(urls(10), logger);
    expect(requested).toHaveLength(10);
    expect(slept).toEqual([]);
  });

  test('are stored in batches of 250, so that an interrupted build keeps them', async () => {
    const cipher = openCipher('key');
    const stored: number[] = [];
    const set = storage.setItem.bind(storage);
    storage.setItem = async (key: string, value: unknown) => {
      stored.push(JSON.parse(String(cipher.decrypt(String(value)))).length);
      return set(key, value as string);
    };
    await build().read(urls(600), logger);
    expect(stored).toEqual([250, 250, 100]);
  });
});

describe('an image that cannot be measured', () => {
  test('is in one warning with others, sorted, at most five of them', async () => {
    const found = await build(() => new Response(null, { status: 404 })).read(urls(7).reverse(), logger);
    expect(found).toEqual({ found: new Map(), isComplete: false });
    expect(lines).toEqual([
      'warning: 7 images have no dimensions; the next build retries those that could not be reached:' +
        `${urls(5)
          .map((one) => `\n  ${one} responded with 404`)
          .join('')}\n  and 2 more`,
    ]);
  });

  test('is listed with up to five, and nothing is stored', async () => {
    await build(() => new Response(null, { status: 404 })).read(urls(5), logger);
    expect(lines[0]).toMatch(/4\.svg responded with 404$/);
    expect(await storage.getKeys()).toEqual([]);
  });

  test('is requested again by the same build', async () => {
    const measurer = build((_, times) => (times === 1 ? new Response(null, { status: 404 }) : image()));
    expect((await measurer.read([url('a')], logger)).isComplete).toBe(false);
    expect((await measurer.read([url('a')], logger)).isComplete).toBe(true);
  });

  test('is named alone if it is the only one', async () => {
    await build((name) => new Response(null, { status: name === 'b' ? 404 : 200 })).read([url('b')], logger);
    expect(lines).toEqual([
      `warning: 1 image has no dimensions; the next build retries those that could not be reached:\n  ${url('b')} responded with 404`,
    ]);
  });

  test('is never requested again if it is not an image', async () => {
    const respond: Respond = (name) => (name === 'a' ? image() : new Response('%PDF'));
    const found = await build(respond).read([url('a'), url('b')], logger);
    expect(found).toEqual({ found: new Map([[url('a'), info]]), isComplete: true });
    expect(knownDimensions().has(url('b'))).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(/^warning: 1 image has no dimensions/),
      'info: Read the dimensions of 1 image',
    ]);
    expect(await build(respond).read([url('b')], logger)).toEqual({
      found: new Map(),
      isComplete: true,
    });
    expect(requested).toHaveLength(2);
  });

  test('is retried at most twice, with increasing delays', async () => {
    const broken: Respond = () => Promise.reject(new TypeError('fetch failed'));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (const [retries, requests] of [
      [undefined, 3],
      [9, 3],
      [1, 2],
      [0, 1],
    ] as const) {
      requested = [];
      slept = [];
      const network = retries === undefined ? {} : { retries };
      await build(broken, { network, storage: undefined }).read([url('a')], logger);
      expect(requested).toHaveLength(requests);
      expect(slept).toEqual([250, 500].slice(0, requests - 1));
    }
    // All delays are on the clock of the connection.
    expect(timers).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test('is requested again after `retry-after`, or after a second', async () => {
    const respond: Respond = (name, times) =>
      times > 1
        ? image()
        : new Response(null, { status: 429, headers: name === 'a' ? { 'retry-after': '7' } : {} });
    const found = await build(respond).read([url('a')], logger);
    expect(found.isComplete).toBe(true);
    expect(slept).toEqual([7000]);
    await build(respond).read([url('b')], logger);
    expect(slept).toEqual([7000, 1000]);
  });

  test.each(['0', new Date(0).toUTCString(), ''])(
    'is requested again after a growing pause if `retry-after` is %j',
    async (header) => {
      const respond: Respond = (_, times) =>
        times > 2 ? image() : new Response(null, { status: 429, headers: { 'retry-after': header } });
      const found = await build(respond).read([url('a')], logger);
      expect(found.isComplete).toBe(true);
      expect(slept).toEqual([1000, 2000]);
    },
  );

  test('is not retried if that cannot help', async () => {
    await build(() => new Response(null, { status: 403 })).read([url('a')], logger);
    expect(requested).toHaveLength(1);
  });

  test('twenty times in a row stops all requests', async () => {
    const network = { retries: 0 };
    const broken: Respond = () => Promise.reject(new TypeError('fetch failed'));
    await build(broken, { network }).read(urls(30), logger);
    // The next one is under way when the twentieth fails.
    expect(requested).toHaveLength(21);
    expect(lines[0]).toContain('30 images have no dimensions');
    await build(image, { network }).read([url('later')], logger);
    expect(lines.at(-1)).toBe('info: Read the dimensions of 1 image');
  });

  test('is reported as skipped if it was not requested', async () => {
    const broken: Respond = () => Promise.reject(new TypeError('fetch failed'));
    const names = Array.from({ length: 22 }, (_, n) => url(n < 21 ? `z${n}` : 'a'));
    await build(broken, { network: { retries: 0 } }).read(names, logger);
    expect(lines[0]).toContain(`${url('a')} was skipped, after many that could not be reached`);
  });

  test.each(['an image', 'a 404'])('nineteen times with %s in between stops nothing', async (between) => {
    const respond: Respond = (name) => {
      if (Number(name) % 20 !== 19) return Promise.reject(new TypeError('fetch failed'));
      return between === 'an image' ? image() : new Response(null, { status: 404 });
    };
    await build(respond, { network: { retries: 0 } }).read(urls(60), logger);
    expect(requested).toHaveLength(60);
  });

  test('because of an invalid connection fails the build', async () => {
    const connect = () => Promise.reject(new Error('no key'));
    await expect(build(image, { connect }).read([url('a')], logger)).rejects.toThrow('no key');
    expect(lines).toEqual([
      'warning: Image dimensions cannot be read from the cache and are requested again: Error: no key',
    ]);
  });
});

describe('a cache that cannot be used', () => {
  test('causes a warning for reading and for each write', async () => {
    storage.getKeys = () => Promise.reject(new Error('no disk'));
    storage.setItem = () => Promise.reject(new Error('full'));
    const measurer = build();
    expect((await measurer.read([url('a')], logger)).isComplete).toBe(true);
    await measurer.read([url('b')], logger);
    expect(lines).toEqual([
      'warning: Image dimensions cannot be read from the cache and are requested again: Error: no disk',
      'warning: Image dimensions cannot be stored; the next build requests them again: Error: full',
      'info: Read the dimensions of 1 image',
      'warning: Image dimensions cannot be stored; the next build requests them again: Error: full',
      'info: Read the dimensions of 1 image',
    ]);
  });
});

test('progress is logged every three seconds, and the end once', async () => {
  const slow: Respond = () => {
    time += 1000;
    return image();
  };
  await build(slow).read(urls(1200), logger);
  expect(lines.slice(0, 2)).toEqual([
    'info: Read the dimensions of 4 of 1,200 images (0 %)',
    'info: Read the dimensions of 7 of 1,200 images (0 %)',
  ]);
  expect(lines).toContain('info: Read the dimensions of 1,003 of 1,200 images (83 %)');
  expect(lines.slice(-2)).toEqual([
    'info: Read the dimensions of 1,198 of 1,200 images (99 %)',
    'info: Read the dimensions of 1,200 images',
  ]);
  lines = [];
  await build(slow).read(['x0', 'x1', 'x2', 'x3'].map(url), logger);
  expect(lines).toEqual(['info: Read the dimensions of 4 images']);
});
