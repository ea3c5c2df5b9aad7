import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ConnectionOptions, createConnection } from '../../../src/client/http/connection.ts';
import { openSizes, type SizesOptions } from '../../../src/images/dimensions/dimensions.ts';
import { knownSizes } from '../../../src/images/known-sizes.ts';

/** The deadline of a request: a sleep that never ends. */
const TIMEOUT = 77_777;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>';

let hosts = 0;
let host: string;
let time: number;
let slept: number[];
let asked: string[];
let lines: string[];
let storage: Storage;
beforeEach(() => {
  host = `http://sizes-${++hosts}.test`;
  time = 1_000_000;
  slept = [];
  asked = [];
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

type Answer = (name: string, times: number) => Response | Promise<Response>;

/** A build that shares the storage with others, on a clock that stands still but for sleeping. */
function build(answer: Answer = image, options: Partial<SizesOptions & ConnectionOptions> = {}) {
  return openSizes({
    connect: async () =>
      createConnection({
        baseUrl: `${host}/v1`,
        apiKey: 'key',
        clock,
        fetch: async (input) => {
          asked.push(String(input));
          const times = asked.filter((one) => one === String(input)).length;
          return answer(String(input).slice(host.length + 1, -4), times);
        },
        ...options,
        network: { timeout: TIMEOUT, concurrency: 1, ...options.network },
      }),
    assetsUrl: host,
    storage,
    ...options,
  });
}

const size = { width: 30, height: 20, format: 'svg' };

describe('sizes', () => {
  test('are measured once, kept for this process and for later builds', async () => {
    const sizes = build();
    const wanted = [url('a'), url('b'), url('a')];
    const expected = {
      sizes: new Map([
        [url('a'), size],
        [url('b'), size],
      ]),
      isComplete: true,
    };
    expect(await sizes.measure(wanted, logger)).toEqual(expected);
    expect(await sizes.measure(wanted, logger)).toEqual(expected);
    expect(await build().measure(wanted, logger)).toEqual(expected);
    expect(asked).toEqual([url('a'), url('b')]);
    expect(lines).toEqual(['info: 2 pictures measured']);
    expect(knownSizes().get(url('a'))).toEqual(size);
  });

  test('are not kept without a cache', async () => {
    await build(image, { storage: undefined }).measure([url('a')], logger);
    expect(await storage.getKeys()).toEqual([]);
    await build(image, { storage: undefined }).measure([url('a')], logger);
    expect(asked).toHaveLength(2);
    expect(lines).toEqual(['info: 1 picture measured', 'info: 1 picture measured']);
  });

  test('that were stored are there once they are loaded', async () => {
    await build().measure([url('a')], logger);
    knownSizes().delete(url('a'));
    await build().load(logger);
    expect(knownSizes().get(url('a'))).toEqual(size);
  });

  test('offline are those that are known', async () => {
    await build().measure([url('a')], logger);
    const found = await build(image, { offline: true }).measure([url('a'), url('b')], logger);
    expect(found).toEqual({ sizes: new Map([[url('a'), size]]), isComplete: false });
    expect(asked).toEqual([url('a')]);
  });

  test('that another asks for already are waited for', async () => {
    const sizes = build();
    const both = await Promise.all([
      sizes.measure([url('a'), url('b')], logger),
      sizes.measure([url('b'), url('c')], logger),
    ]);
    expect(both.map((one) => one.isComplete)).toEqual([true, true]);
    expect([...asked].sort()).toEqual([url('a'), url('b'), url('c')]);
    const same = await Promise.all([sizes.measure([url('d')], logger), sizes.measure([url('d')], logger)]);
    expect(same.map((one) => one.isComplete)).toEqual([true, true]);
    expect(asked).toHaveLength(4);
  });

  test('are asked for without a key, past the limit of requests per minute', async () => {
    await build(image, { network: { requestsPerMinute: 2 } }).measure(urls(10), logger);
    expect(asked).toHaveLength(10);
    expect(slept).toEqual([]);
  });

  test('are stored every 250, so that a build that is ended has not learned them in vain', async () => {
    const stored: number[] = [];
    const set = storage.setItem.bind(storage);
    storage.setItem = async (key: string, value: unknown) => {
      stored.push(String(value).split('\n').length);
      return set(key, value as string);
    };
    await build().measure(urls(600), logger);
    expect(stored).toEqual([250, 250, 100]);
  });
});

describe('what cannot be measured', () => {
  test('makes one warning, sorted, of five at most', async () => {
    const found = await build(() => new Response(null, { status: 404 })).measure(urls(7).reverse(), logger);
    expect(found).toEqual({ sizes: new Map(), isComplete: false });
    expect(lines).toEqual([
      'warning: 7 pictures have no dimensions; the next build asks again for what could not be reached:' +
        `${urls(5)
          .map((one) => `\n  ${one} answered 404`)
          .join('')}\n  and 2 more`,
    ]);
  });

  test('is listed whole up to five, and nothing is stored', async () => {
    await build(() => new Response(null, { status: 404 })).measure(urls(5), logger);
    expect(lines[0]).toMatch(/4\.svg answered 404$/);
    expect(await storage.getKeys()).toEqual([]);
  });

  test('is asked for again by the same build', async () => {
    const sizes = build((_, times) => (times === 1 ? new Response(null, { status: 404 }) : image()));
    expect((await sizes.measure([url('a')], logger)).isComplete).toBe(false);
    expect((await sizes.measure([url('a')], logger)).isComplete).toBe(true);
  });

  test('is named alone where there is one', async () => {
    await build((name) => new Response(null, { status: name === 'b' ? 404 : 200 })).measure(
      [url('b')],
      logger,
    );
    expect(lines).toEqual([
      `warning: 1 picture has no dimensions; the next build asks again for what could not be reached:\n  ${url('b')} answered 404`,
    ]);
  });

  test('is never asked for again where it is not an image', async () => {
    const answer: Answer = (name) => (name === 'a' ? image() : new Response('%PDF'));
    const found = await build(answer).measure([url('a'), url('b')], logger);
    expect(found).toEqual({ sizes: new Map([[url('a'), size]]), isComplete: true });
    expect(knownSizes().has(url('b'))).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(/^warning: 1 picture has no dimensions/),
      'info: 1 picture measured',
    ]);
    expect(await build(answer).measure([url('b')], logger)).toEqual({ sizes: new Map(), isComplete: true });
    expect(asked).toHaveLength(2);
  });

  test('is tried again twice at most, after a while that grows', async () => {
    const broken: Answer = () => Promise.reject(new TypeError('fetch failed'));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    for (const [retries, requests] of [
      [undefined, 3],
      [9, 3],
      [1, 2],
      [0, 1],
    ] as const) {
      asked = [];
      slept = [];
      const network = retries === undefined ? {} : { retries };
      await build(broken, { network, storage: undefined }).measure([url('a')], logger);
      expect(asked).toHaveLength(requests);
      expect(slept).toEqual([250, 500].slice(0, requests - 1));
    }
    vi.restoreAllMocks();
  });

  test('waits as long as it is asked to, a second if that is not said', async () => {
    const answer: Answer = (name, times) =>
      times > 1
        ? image()
        : new Response(null, { status: 429, headers: name === 'a' ? { 'retry-after': '7' } : {} });
    const found = await build(answer).measure([url('a')], logger);
    expect(found.isComplete).toBe(true);
    expect(slept).toEqual([7000]);
    await build(answer).measure([url('b')], logger);
    expect(slept).toEqual([7000, 1000]);
  });

  test('is not tried again where that cannot help', async () => {
    await build(() => new Response(null, { status: 403 })).measure([url('a')], logger);
    expect(asked).toHaveLength(1);
  });

  test('twenty times in a row ends the asking', async () => {
    const network = { retries: 0 };
    const broken: Answer = () => Promise.reject(new TypeError('fetch failed'));
    await build(broken, { network }).measure(urls(30), logger);
    // The next one is under way when the twentieth fails.
    expect(asked).toHaveLength(21);
    expect(lines[0]).toContain('30 pictures have no dimensions');
    await build(image, { network }).measure([url('later')], logger);
    expect(lines.at(-1)).toBe('info: 1 picture measured');
  });

  test('says that it was not asked for', async () => {
    const broken: Answer = () => Promise.reject(new TypeError('fetch failed'));
    const names = Array.from({ length: 22 }, (_, n) => url(n < 21 ? `z${n}` : 'a'));
    await build(broken, { network: { retries: 0 } }).measure(names, logger);
    expect(lines[0]).toContain(`${url('a')} was not asked for, after many that could not be reached`);
  });

  test.each(['an image', 'a 404'])('nineteen times and %s between ends nothing', async (between) => {
    const answer: Answer = (name) => {
      if (Number(name) % 20 !== 19) return Promise.reject(new TypeError('fetch failed'));
      return between === 'an image' ? image() : new Response(null, { status: 404 });
    };
    await build(answer, { network: { retries: 0 } }).measure(urls(60), logger);
    expect(asked).toHaveLength(60);
  });

  test('because there is no connection fails', async () => {
    const connect = () => Promise.reject(new Error('no key'));
    await expect(build(image, { connect }).measure([url('a')], logger)).rejects.toThrow('no key');
    expect(lines).toEqual([
      'warning: The sizes of pictures cannot be read from the cache, so they are asked for: Error: no key',
    ]);
  });
});

describe('a cache that cannot be used', () => {
  test('is read or written in vain, with a warning each', async () => {
    storage.getKeys = () => Promise.reject(new Error('no disk'));
    storage.setItem = () => Promise.reject(new Error('full'));
    const sizes = build();
    expect((await sizes.measure([url('a')], logger)).isComplete).toBe(true);
    await sizes.measure([url('b')], logger);
    expect(lines).toEqual([
      'warning: The sizes of pictures cannot be read from the cache, so they are asked for: Error: no disk',
      'warning: The sizes of pictures cannot be stored, so the next build asks for them again: Error: full',
      'info: 1 picture measured',
      'warning: The sizes of pictures cannot be stored, so the next build asks for them again: Error: full',
      'info: 1 picture measured',
    ]);
  });
});

test('progress is logged every three seconds, and the end once', async () => {
  const slow: Answer = () => {
    time += 1000;
    return image();
  };
  await build(slow).measure(urls(1200), logger);
  expect(lines.slice(0, 2)).toEqual([
    'info: 4 of 1,200 pictures measured (0 %)',
    'info: 7 of 1,200 pictures measured (0 %)',
  ]);
  expect(lines).toContain('info: 1,003 of 1,200 pictures measured (83 %)');
  expect(lines.slice(-2)).toEqual([
    'info: 1,198 of 1,200 pictures measured (99 %)',
    'info: 1,200 pictures measured',
  ]);
  lines = [];
  await build(slow).measure(['x0', 'x1', 'x2', 'x3'].map(url), logger);
  expect(lines).toEqual(['info: 4 pictures measured']);
});
