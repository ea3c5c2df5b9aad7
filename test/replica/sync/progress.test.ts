import { expect, test } from 'vitest';
import { createConnection } from '../../../src/client/http/connection.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { openReplica } from '../../../src/replica/open-replica.ts';
import { simulatedClock } from '../../client/scripted-service.ts';
import { MODELS, seedOf } from '../../support/emulated-space.ts';

let spaces = 0;

/** A space, and a sync of it on a simulated clock, within so many requests a minute. Gives the lines of its log. */
function open(items: number, requestsPerMinute: number) {
  const service = createEmulator(seedOf(items), {
    origin: `http://progress-${++spaces}.test`,
    rateLimit: false,
  });
  const clock = simulatedClock();
  const found = createConnection({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    fetch: service.fetch,
    clock,
    network: { requestsPerMinute },
  });
  const sync = async () => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const replica = openReplica({
      connect: async () => found,
      models: MODELS,
      cache: false,
      cacheDir: '',
      maxAge: 0,
      logger: { info: log, warn: log },
    });
    await clock.run(replica);
    return lines;
  };
  return { service, sync };
}

test('a long read logs its progress, speed and remaining time every few seconds', async () => {
  const lines = await open(8_000, 20).sync();
  const said = lines.map((line) =>
    /^([\d,]+) of ([\d,]+) items \((\d+) %\), ([\d,]+) per second, about (\d+) s left$/.exec(line),
  );
  const steps = said.flatMap((match) =>
    match ? [match.slice(1).map((n) => Number(n.replace(',', '')))] : [],
  );
  expect(steps.length).toBeGreaterThan(2);
  for (const [items = 0, total = 0, percent, rate = 0, left] of steps) {
    expect(percent).toBe(Math.floor((100 * items) / total));
    // The rate is rounded for people, so what is left follows from it roughly.
    expect(left).toBeGreaterThanOrEqual(Math.floor((total - items) / (rate + 1)));
    expect(left).toBeLessThanOrEqual(Math.ceil((total - items) / Math.max(1, rate - 1)));
  }
  const items = steps.map(([count]) => count);
  expect(items).toEqual([...items].sort((a = 0, b = 0) => a - b));
});

test('the last line lists items, changes, requests, CDN hits, retries and waiting time', async () => {
  const { service, sync } = open(3_000, Number.POSITIVE_INFINITY);
  service.faults.add({ kind: { status: 503 } });
  service.faults.add({ kind: { status: 429, retryAfter: 7 } });
  const [first] = (await sync()).slice(-1);
  expect(first).toMatch(
    /^3,000 items, 3,000 added; \d+ requests \(0 from the CDN\), 2 retries, (7|8|9)\.\d s waited$/,
  );
  const [second] = (await sync()).slice(-1);
  expect(second).toMatch(/^3,000 items, 3,000 added; \d+ requests \((?!0 )\d+ from the CDN\)$/);
});

test('the time of requests that wait in parallel counts once', async () => {
  const { service, sync } = open(3_000, Number.POSITIVE_INFINITY);
  const inParallel = ({ query }: { query: URLSearchParams }) => query.get('order') === '_created_at,_id';
  service.faults.add({ kind: { status: 429, retryAfter: 20 }, times: 8, match: inParallel });
  const [line = ''] = (await sync()).slice(-1);
  expect(line).toMatch(/, 8 retries, /);
  expect(Number(/([\d.]+) s waited/.exec(line)?.[1])).toBeLessThan(8 * 20);
});
