import { describe, expect, test } from 'vitest';
import { LuidRequestError, LuidResponseError } from '../../../src/index.ts';
import {
  broken,
  empty,
  failure,
  networkError,
  type Script,
  scripted,
  simulatedClock,
} from '../scripted-service.ts';

/** Every retryable response or error. */
const RETRYABLE: Record<string, () => Response | Error> = {
  'a network error': () => networkError(),
  'a refused connection': () => networkError('ECONNREFUSED'),
  '408': () => failure(408),
  '425': () => failure(425),
  '500': () => failure(500),
  '502 with HTML': () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  '503': () => failure(503),
  '504': () => failure(504),
  'a body that is cut off': () => broken('cut'),
  'truncated JSON': () => new Response('{"total": 0, "data": ['),
  'HTML with 200': () => new Response('<!doctype html><p>Welcome</p>'),
  'an empty 200': () => new Response(''),
  'a list without total': () => Response.json({ offset: 0, limit: 100, data: [] }),
  'a list with a total that is not a number': () =>
    Response.json({ total: '3', offset: 0, limit: 100, data: [] }),
  'a short page': () => Response.json({ total: 2, offset: 0, limit: 100, data: [{ _id: 1 }] }),
  'a long page': () => Response.json({ total: 1, offset: 0, limit: 100, data: [{ _id: 1 }, { _id: 2 }] }),
  'another page than the requested one': () => Response.json({ total: 0, offset: 100, limit: 100, data: [] }),
  'items that are not objects': () => Response.json({ total: 1, offset: 0, limit: 100, data: [null] }),
  'a response that is not a list': () => Response.json([1, 2]),
};

describe.each(Object.entries(RETRYABLE))('%s', (_name, fault) => {
  test('once is retried, and the call succeeds', async () => {
    const { client, clock, sent } = scripted((_request, n) => (n === 1 ? fault() : empty()));
    await expect(clock.run(client.contents.list('item'))).resolves.toMatchObject({ total: 0 });
    expect(sent).toHaveLength(2);
    expect(sent[1]?.url.href).toBe(sent[0]?.url.href);
  });

  test('every time is an error after five retries with random delays', async () => {
    const { client, clock, sent } = scripted(fault);
    await expect(clock.run(client.contents.list('item'))).rejects.toThrow(
      /\[GET\] https:\/\/cms-\d+.example\/v1\/contents/,
    );
    expect(sent).toHaveLength(6);
    for (const [index, { at }] of sent.slice(1).entries()) {
      const wait = at - (sent[index]?.at ?? 0);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(Math.min(8_000, 250 * 2 ** (index + 1)));
    }
  });

  test('is not retried with retries: 0', async () => {
    const { client, clock, sent } = scripted(fault, { network: { retries: 0 } });
    await expect(clock.run(client.contents.list('item'))).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });
});

describe('a 429', () => {
  const limited = () => failure(429, { 'retry-after': '1' });

  test.each<[string, number, (() => Response)[]]>([
    ['without retries', 0, [limited, limited]],
    ['after the last retry', 1, [() => failure(500), limited, limited]],
  ])('is waited for %s', async (_name, retries, responses) => {
    const { client, clock, sent } = scripted((_request, n) => responses[n - 1]?.() ?? empty(), {
      network: { retries },
    });
    await expect(clock.run(client.contents.list('item'))).resolves.toMatchObject({ total: 0 });
    expect(sent).toHaveLength(responses.length + 1);
  });

  test('each time is an error in the end', async () => {
    const { client, clock, sent } = scripted(limited, { network: { retries: 0 } });
    await expect(clock.run(client.contents.list('item'))).rejects.toMatchObject({ status: 429 });
    expect(sent).toHaveLength(11);
  });

  test('that another client reports through `fetch` is an error in the end, too', async () => {
    const refusal = new LuidRequestError('too many requests', { status: 429 });
    const { client, clock, sent } = scripted(() => Promise.reject(refusal), { network: { retries: 0 } });
    await expect(clock.run(client.contents.list('item'))).rejects.toBe(refusal);
    expect(sent).toHaveLength(11);
  });

  test('as the reason of an abort ends the request', async () => {
    const { client, clock, sent } = scripted(empty);
    const reason = new LuidRequestError('too many requests', { status: 429 });
    const request = client.contents.list('item', {}, { signal: AbortSignal.abort(reason) });
    await expect(clock.run(request)).rejects.toBe(reason);
    expect(sent).toHaveLength(0);
  });
});

test('a request that waits for its retry leaves its place in the queue to others', async () => {
  const { client, clock, sent } = scripted((_request, n) => (n === 1 ? failure(500) : empty()), {
    network: { concurrency: 1 },
  });
  const requests = ['first', 'second', 'third'].map((model) => client.contents.list(model));
  await clock.run(Promise.all(requests));
  const models = sent.map(({ url }) => url.searchParams.get('model'));
  expect(models).toEqual(['first', 'second', 'third', 'first']);
});

test('an error that is not retryable is reported without a delay', async () => {
  const { client, clock } = scripted(() => failure(401));
  const start = clock.now();
  await expect(clock.run(client.contents.list('item'))).rejects.toMatchObject({ status: 401 });
  expect(clock.now()).toBe(start);
});

test('delays are not all the same', async () => {
  const waits = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { client, clock, sent } = scripted((_request, n) => (n === 1 ? failure(500) : empty()));
      await clock.run(client.contents.list('item'));
      return (sent[1]?.at ?? 0) - (sent[0]?.at ?? 0);
    }),
  );
  expect(new Set(waits).size).toBeGreaterThan(10);
});

test.each([300, 301, 302, 307, 308, 400, 401, 402, 403, 404, 409, 410, 422])(
  '%i is never retried',
  async (status) => {
    const { client, clock, sent } = scripted(() => failure(status));
    await expect(clock.run(client.contents.list('item'))).rejects.toMatchObject({
      name: 'LuidRequestError',
      status,
    });
    expect(sent).toHaveLength(1);
  },
);

describe('the timeout', () => {
  const never: Script = () => new Promise<never>(() => {});

  test('is halved until the response starts', async () => {
    const { client, clock } = scripted(never, { network: { timeout: 10_000, retries: 0 } });
    const start = clock.now();
    await expect(clock.run(client.contents.list('item'))).rejects.toThrow(/no response within [\d.]+ s/);
    expect(clock.now() - start).toBe(5_000);
  });

  test('is not halved for an upload, whose file is sent first', async () => {
    const { client, clock } = scripted(never, { network: { timeout: 10_000, retries: 0 } });
    const start = clock.now();
    await expect(clock.run(client.media.upload(new Blob(['file'])))).rejects.toThrow('within 10 s');
    expect(clock.now() - start).toBe(10_000);
  });

  test('applies to the whole response', async () => {
    const { client, clock } = scripted(() => broken('drip'), { network: { timeout: 10_000, retries: 0 } });
    const start = clock.now();
    await expect(clock.run(client.contents.list('item'))).rejects.toThrow(
      'the response did not end within 10 s',
    );
    expect(clock.now() - start).toBe(10_000);
  });

  test('is retried when it is exceeded', async () => {
    const { client, clock, sent } = scripted((request, n) => (n === 1 ? never(request, n) : empty()));
    await clock.run(client.contents.list('item'));
    expect(sent).toHaveLength(2);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  test('before the start prevents the request', async () => {
    const { client, clock, sent } = scripted(empty);
    const request = client.contents.list('item', {}, { signal: AbortSignal.abort(reason) });
    await expect(clock.run(request)).rejects.toBe(reason);
    expect(sent).toHaveLength(0);
  });

  test.each<[string, Script]>([
    ['while it waits for the response', () => new Promise<never>(() => {})],
    ['while the body is read', () => broken('drip')],
    ['while it waits for a retry', () => failure(500)],
    ['during a pause', () => failure(429, { 'retry-after': '30' })],
  ])('%s rejects at once, and nothing more is sent', async (_name, script) => {
    const { client, clock, sent } = scripted(script);
    const controller = new AbortController();
    const request = client.contents.list('item', {}, { signal: controller.signal });
    request.catch(() => {});
    for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve));
    expect(sent.length).toBeGreaterThan(0);
    const before = { sent: sent.length, time: clock.now() };
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    await clock.run(clock.sleep(120_000));
    expect(sent).toHaveLength(before.sent);
  });

  test('while it waits in the queue rejects at once, and frees its place', async () => {
    let release = () => {};
    const held = new Promise<Response>((resolve) => {
      release = () => resolve(empty());
    });
    const { client, clock, sent } = scripted((_request, n) => (n === 1 ? held : empty()), {
      network: { concurrency: 1 },
    });
    const first = client.contents.list('item');
    const controller = new AbortController();
    const second = client.contents.list('item', {}, { signal: controller.signal });
    const third = client.contents.list('item');
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    release();
    await clock.run(Promise.all([first, third]));
    expect(sent).toHaveLength(2);
  });
});

describe('a `fetch` that ignores its signal', () => {
  /** A client whose responses start after 8 s and never end. */
  function ignoring() {
    const clock = simulatedClock();
    let cancelled = 0;
    const fetch = async () => {
      await clock.sleep(8_000);
      return new Response(new ReadableStream({ cancel: () => void cancelled++ }));
    };
    const { client } = scripted(empty, { clock, fetch, network: { timeout: 10_000, retries: 0 } });
    return { client, clock, cancelled: () => cancelled };
  }

  test('is cancelled when its response starts after the timeout', async () => {
    const { client, clock, cancelled } = ignoring();
    await expect(clock.run(client.contents.list('item'))).rejects.toThrow('no response within 5 s');
    await clock.run(clock.sleep(10_000));
    expect(cancelled()).toBe(1);
  });

  test('ends with the timeout even if it never responds', async () => {
    const clock = simulatedClock();
    const fetch = () => new Promise<Response>(() => {});
    const network = { timeout: 10_000, retries: 0, concurrency: 1 };
    const { client } = scripted(empty, { clock, fetch, network });
    for (let n = 0; n < 2; n++) {
      await expect(clock.run(client.contents.list('item'))).rejects.toThrow('no response within 5 s');
    }
  });

  test('is cancelled when its response starts after an abort', async () => {
    const { client, clock, cancelled } = ignoring();
    const reason = new Error('enough');
    const controller = new AbortController();
    const request = client.contents.list('item', {}, { signal: controller.signal });
    request.catch(() => {});
    await clock.run(clock.sleep(1_000));
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    await clock.run(clock.sleep(10_000));
    expect(cancelled()).toBe(1);
  });
});

describe('an error response whose body', () => {
  const cutOff = (error?: Error) =>
    new ReadableStream({
      start: (controller) => (error ? controller.error(error) : undefined),
    });

  test.each([
    ['is cut off', () => cutOff(new TypeError('terminated'))],
    ['never ends', () => cutOff()],
  ])('%s is known by its status', async (_name, body) => {
    const { client, clock, sent } = scripted(() => new Response(body(), { status: 401 }));
    await expect(clock.run(client.contents.list('item'))).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);
  });

  test('is cut off is waited for as a 429 asks', async () => {
    const { client, clock, sent } = scripted((_request, n) =>
      n === 1
        ? new Response(cutOff(new TypeError('terminated')), { status: 429, headers: { 'retry-after': '7' } })
        : empty(),
    );
    await clock.run(client.contents.list('item'));
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(7_000);
  });
});

describe('a write', () => {
  const input = { fields: { title: 'a' } };

  test.each<[string, () => Response | Error, number]>([
    ['429', () => failure(429, { 'retry-after': '1' }), 2],
    ['a refused connection', () => networkError('ECONNREFUSED'), 2],
    ['a host that is not found', () => networkError('ENOTFOUND'), 2],
    ['a reset connection', () => networkError('ECONNRESET'), 1],
    ['500', () => failure(500), 1],
    ['503', () => failure(503), 1],
    ['408', () => failure(408), 1],
    ['a body that is cut off', () => broken('cut'), 1],
    ['a response that is not JSON', () => new Response('done'), 1],
    ['a response without an id', () => Response.json({}), 1],
  ])('after %s is sent %3$i times in all', async (_name, fault, times) => {
    const script: Script = (_request, n) => (n === 1 ? fault() : Response.json({ id: 5 }));
    for (const write of [
      (c: ReturnType<typeof scripted>['client']) => c.contents.create('item', input),
      (c: ReturnType<typeof scripted>['client']) => c.contents.replace('item', 1, input),
      (c: ReturnType<typeof scripted>['client']) => c.contents.patch('item', 1, input),
      (c: ReturnType<typeof scripted>['client']) => c.contents.duplicate(1),
      (c: ReturnType<typeof scripted>['client']) => c.media.upload(new Blob(['x'])),
      (c: ReturnType<typeof scripted>['client']) => c.media.delete(1),
    ]) {
      const { client, clock, sent } = scripted(script);
      const outcome = clock.run(write(client)).catch((error: unknown) => error);
      if (times === 2) expect(await outcome).toEqual({ id: 5 });
      else expect(LuidRequestError.is(await outcome) || LuidResponseError.is(await outcome)).toBe(true);
      expect(sent).toHaveLength(times);
    }
  });

  test('that timed out is not retried, since it may have been carried out', async () => {
    const { client, clock, sent } = scripted(() => new Promise<never>(() => {}));
    await expect(clock.run(client.contents.create('item', input))).rejects.toThrow(
      /no response within [\d.]+ s/,
    );
    expect(sent).toHaveLength(1);
  });
});
