import { describe, expect, test } from 'vitest';
import { createClient } from '../../../../src/client/index.ts';
import { seededFractions } from '../../../support/seeded-random.ts';
import { empty, failure, networkError, type Sent, scripted, simulatedClock } from '../../scripted-service.ts';

/** The largest number of requests in any 60 seconds. */
function busiestMinute(sent: readonly Sent[]): number {
  const times = sent.map(({ at }) => at).sort((a, b) => a - b);
  let start = 0;
  let most = 0;
  for (const [end, at] of times.entries()) {
    while (at - (times[start] ?? 0) >= 60_000) start++;
    most = Math.max(most, end - start + 1);
  }
  return most;
}

test('1,000 reads at 600 per minute, with a fault in every fifth response, succeed within the limits', async () => {
  const next = seededFractions(7);
  const pauses: { from: number; to: number }[] = [];
  const service = scripted(
    async (request) => {
      await service.clock.sleep(20 + next() * 200);
      if (next() >= 0.2) return empty();
      const faults = [
        () => failure(500),
        () => failure(503),
        () => networkError(),
        () => new Response('{"total":'),
        () => {
          const seconds = 1 + Math.floor(next() * 10);
          pauses.push({ from: service.clock.now(), to: service.clock.now() + seconds * 1000 });
          return failure(429, { 'retry-after': String(seconds) });
        },
      ];
      expect(request.method).toBe('GET');
      return faults[Math.floor(next() * faults.length)]?.() ?? empty();
    },
    { network: { retries: 20 } },
  );
  const { client, clock, sent } = service;

  const pages = await clock.run(
    Promise.all(Array.from({ length: 1000 }, () => client.contents.list('item'))),
  );

  expect(pages).toHaveLength(1000);
  expect(sent.length).toBeGreaterThan(1100);
  expect(busiestMinute(sent)).toBeLessThanOrEqual(600);
  expect(busiestMinute(sent)).toBeGreaterThan(300);
  expect(pauses.length).toBeGreaterThan(10);
  for (const { from, to } of pauses) {
    expect(sent.filter(({ at }) => at > from && at < to)).toEqual([]);
  }
});

test('600 reads are sent per minute, and not fewer', async () => {
  const { client, clock, sent } = scripted(empty);
  const start = clock.now();
  await clock.run(Promise.all(Array.from({ length: 1800 }, () => client.contents.list('item'))));
  expect(busiestMinute(sent)).toBe(600);
  expect(clock.now() - start).toBeLessThanOrEqual(2 * 61_000);
});

test('§8 30 writes are sent per minute, without delaying reads', async () => {
  const { client, clock, sent } = scripted(({ method }) =>
    method === 'GET' ? empty() : Response.json({ id: 1 }),
  );
  const start = clock.now();
  const writes = Array.from({ length: 100 }, () => client.contents.create('item', { fields: {} }));
  const reads = Array.from({ length: 100 }, () => client.contents.list('item'));
  await clock.run(Promise.all(reads));
  expect(clock.now()).toBe(start);
  await clock.run(Promise.all(writes));
  expect(busiestMinute(sent.filter(({ method }) => method === 'POST'))).toBe(30);
});

test('requestsPerMinute sets another limit, or no limit', async () => {
  const slow = scripted(empty, { network: { requestsPerMinute: 60 } });
  await slow.clock.run(Promise.all(Array.from({ length: 150 }, () => slow.client.contents.list('item'))));
  expect(busiestMinute(slow.sent)).toBe(60);
  const fast = scripted(empty, { network: { requestsPerMinute: Number.POSITIVE_INFINITY } });
  const start = fast.clock.now();
  await fast.clock.run(Promise.all(Array.from({ length: 2000 }, () => fast.client.contents.list('item'))));
  expect(fast.clock.now()).toBe(start);
});

test('at most 16 requests are sent in parallel', async () => {
  let now = 0;
  let most = 0;
  const service = scripted(async () => {
    most = Math.max(most, ++now);
    await service.clock.sleep(50);
    now--;
    return empty();
  });
  await service.clock.run(
    Promise.all(Array.from({ length: 100 }, () => service.client.contents.list('item'))),
  );
  expect(most).toBe(16);
});

test('all clients with one key share its limits', async () => {
  const clock = simulatedClock();
  const sent: number[] = [];
  const fetch = async () => {
    sent.push(clock.now());
    return empty();
  };
  const options = { baseUrl: 'https://shared.example/v1', apiKey: 'shared', fetch, clock };
  const clients = [
    createClient(options),
    createClient({ ...options, baseUrl: 'https://shared.example/v1/' }),
  ];
  await clock.run(Promise.all(Array.from({ length: 700 }, (_, n) => clients[n % 2]?.contents.list('item'))));
  expect(sent.filter((at) => at === sent[0])).toHaveLength(600);
});

describe('§7 a 429', () => {
  /** Milliseconds between a request that got a 429 with this header, and the next one. */
  async function waited(retryAfter: string | undefined): Promise<number> {
    const { client, clock, sent } = scripted((_request, n) =>
      n === 1 ? failure(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }) : empty(),
    );
    await clock.run(client.contents.list('item'));
    return (sent[1]?.at ?? 0) - (sent[0]?.at ?? 0);
  }

  test.each([
    ['in seconds', '7', 7_000],
    ['in fractions of a second', '0.5', 500],
    ['of zero', '0', 0],
    ['as a date', new Date(Date.UTC(2026, 0, 1) + 9_000).toUTCString(), 9_000],
    ['as a date in the past', new Date(0).toUTCString(), 0],
    ['of a day', '86400', 60_000],
    ['as a date in 2100', 'Fri, 31 Dec 2100 00:00:00 GMT', 60_000],
    ['that is not a time', 'soon', 2_000],
    ['that is negative', '-5', 2_000],
    ['that is empty', '', 2_000],
    ['that is missing', undefined, 2_000],
  ])('with a retry-after %s', async (_name, header, wait) => {
    expect(await waited(header)).toBe(wait);
  });

  test.each(['0', new Date(0).toUTCString()])(
    'with a retry-after of %s each time is waited for longer and longer',
    async (header) => {
      const { client, clock, sent } = scripted((_request, n) =>
        n <= 5 ? failure(429, { 'retry-after': header }) : empty(),
      );
      await clock.run(client.contents.list('item'));
      const times = sent.map(({ at }) => at);
      const pauses = times.slice(1).map((at, index) => at - (times[index] as number));
      expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
    },
  );

  test('does not consume retries', async () => {
    const { client, clock, sent } = scripted(
      (_request, n) => (n <= 8 ? failure(429, { 'retry-after': '1' }) : empty()),
      { network: { retries: 2 } },
    );
    await clock.run(client.contents.list('item'));
    expect(sent).toHaveLength(9);
  });

  test('without end becomes an error after 10 retries', async () => {
    const { client, clock, sent } = scripted(() => failure(429, { 'retry-after': '1' }));
    await expect(clock.run(client.contents.list('item'))).rejects.toThrow(/429[\s\S]*send fewer requests/);
    expect(sent).toHaveLength(11);
  });
});

test('a clock that is set back delays nothing for longer than the limit does', async () => {
  const HOUR = 3_600_000;
  const clock = simulatedClock();
  let setBack = 0;
  const client = createClient({
    baseUrl: 'https://set-back.example/v1',
    apiKey: 'key',
    fetch: async () => empty(),
    network: { requestsPerMinute: 10 },
    clock: { now: () => clock.now() - setBack, sleep: clock.sleep },
  });
  for (let n = 0; n < 10; n++) await clock.run(client.contents.list('item'));
  setBack = HOUR;
  const start = clock.now();
  await clock.run(client.contents.list('item'));
  expect(clock.now() - start).toBeLessThanOrEqual(61_000);
  expect(clock.now() - start).toBeGreaterThan(50_000);
});
