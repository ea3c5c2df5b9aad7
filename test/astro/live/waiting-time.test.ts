import { beforeAll, expect, test } from 'vitest';
import { defineSpace, field, LuidRequestError } from '../../../src/index.ts';
import { failure, type Script, scripted, simulatedClock } from '../../client/scripted-service.ts';

const TIME = '2026-01-01T00:00:00Z';
const ITEM = {
  _id: 1,
  _model: 'note',
  _created_at: TIME,
  _updated_at: TIME,
  _status: 'published',
  title: 'A',
};
let spaces = 0;

/** A live collection of a service that follows a script, on a simulated clock. */
function liveNotes(respond: (n: number, signal: AbortSignal) => Promise<Response> | Response, network = {}) {
  const clock = simulatedClock();
  let sent = 0;
  const space = defineSpace({
    baseUrl: `https://live-${++spaces}.example/v1`,
    apiKey: 'secret-key',
    // Without it, it would be looked up, which takes real time.
    apiKeyHeader: 'x-service-api-key',
    models: { note: { title: field.text() } },
    network,
    fetch: async (_url, init) => respond(++sent, init?.signal as AbortSignal),
    clock,
  });
  const live = space.liveLoader('note', { from: 'service' });
  const start = clock.now();
  const load = () => live.loadEntry({ filter: { id: '1' }, collection: 'notes' });
  return {
    load,
    /** The error of one page, and the seconds until it was there. */
    async failed() {
      const result = await clock.run(load());
      const error = result && 'error' in result ? result.error : undefined;
      expect(error).toBeInstanceOf(LuidRequestError);
      return { message: String(error?.message), seconds: (clock.now() - start) / 1000 };
    },
    clock,
    sent: () => sent,
  };
}

// The code of live collections is loaded by the first use, which takes real time.
beforeAll(async () => {
  await liveNotes(() => Response.json(ITEM)).load();
});

/** Never responds. */
const stall = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('a page waits for 30 seconds at most if the service refuses every request with a 429', async () => {
  const { failed, sent } = liveNotes(() => failure(429));
  const { message, seconds } = await failed();
  expect(seconds).toBe(30);
  expect(message).toMatch(/: 429 .*\n {2}→ All users of a key share one limit/s);
  expect(sent()).toBeGreaterThan(2);
});

test('a page waits for 30 seconds at most if the service does not respond, and says so', async () => {
  const { message, seconds } = await liveNotes((_n, signal) => stall(signal)).failed();
  expect(seconds).toBe(30);
  expect(message).toContain('no response within 15 s');
});

test('a response that does not end is reported as such', async () => {
  const { message, seconds } = await liveNotes(() => new Response(new ReadableStream())).failed();
  expect(seconds).toBe(30);
  expect(message).toContain('the response did not end within 30 s');
});

test('network.timeout is the longest time, retries included', async () => {
  const { seconds } = await liveNotes(() => failure(503), { timeout: 1000, retries: 100 }).failed();
  expect(seconds).toBe(1);
});

test('a request that cannot be sent in time, because others use up the rate limit, says so', async () => {
  const { load, clock, sent } = liveNotes(() => Response.json(ITEM), { requestsPerMinute: 2 });
  const results = await clock.run(Promise.all([load(), load(), load()]));
  expect(sent()).toBe(2);
  expect(results.map((result) => result && 'error' in result && String(result.error))).toEqual([
    false,
    false,
    expect.stringContaining(
      'not sent within 30 s, because other requests of the key use up its rate limit\n  → Serve pages from a copy',
    ),
  ]);
});

test('a page that the service answers after some errors is served', async () => {
  const { load, clock } = liveNotes((n) => (n < 4 ? failure(500) : Response.json(ITEM)));
  expect(await clock.run(load())).toMatchObject({ data: { title: 'A' } });
  expect(clock.now()).toBeLessThan(Date.UTC(2026, 0, 1) + 30_000);
});

test('a client that no visitor waits for is patient', async () => {
  const respond: Script = (_request, n) => (n < 9 ? failure(429) : Response.json(ITEM));
  const { client, clock } = scripted(respond);
  expect(await clock.run(client.contents.get(1))).toMatchObject({ title: 'A' });
  expect(clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 1) + 60_000);
});
