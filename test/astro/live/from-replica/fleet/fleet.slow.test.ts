import { createStorage } from 'unstorage';
import { afterEach, describe, expect, test } from 'vitest';
import type { LazyLiveSource } from '../../../../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../../../../src/astro/live/live-sources.ts';
import { type RunningEmulator, startEmulator } from '../../../../../src/emulator/index.ts';
import { seedOf } from '../../../../support/emulated-space.ts';
import { type SeededRandom, seededRandom } from '../../../../support/seeded-random.ts';
import { until } from '../../../../support/until.ts';
import { loadAll, openFleetSpace, type Shown } from './fleet-space.ts';
import { LiveServer } from './live-server.ts';
import type { LiveServerOptions } from './live-server-child.ts';
import { isRedisInstalled, RedisServer } from './redis-server.ts';

/** `npm run test:long` makes more runs. */
const RUNS = Number(process.env.LUID_RUNS ?? 3);
const SEED = Number(process.env.LUID_SEED ?? 20_261_116);
const REFRESH = 1000;
/** Milliseconds between two edits of the time that content shows. */
const BEAT = 150;
/** How long a sync and reading from Redis may take. */
const TOLERANCE = 4000;
/** Items are authors, articles, pages and events in turn. */
const [AUTHOR, ARTICLE, EVENT] = [1, 2, 4];

if (!isRedisInstalled) console.log('No redis-server is installed, so several live servers are not tested.');

describe.skipIf(!isRedisInstalled)('several servers on one Redis', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  async function startFleet(size: number, options: Partial<LiveServerOptions> = {}) {
    const redis = new RedisServer();
    opened.push(redis);
    await redis.start();
    const service = await startEmulator(seedOf(160), {
      rateLimit: false,
      // Otherwise a restored item that is balanced by one that was removed is seen by a full read only.
      assumptions: { restoreTouchesUpdatedAt: true },
    });
    opened.push(service);
    const start = () => {
      const server = new LiveServer({
        baseUrl: service.baseUrl,
        redisPath: redis.path,
        refresh: REFRESH,
        ...options,
      });
      opened.push({ close: () => server.kill() });
      return server;
    };
    return { redis, service, start, servers: Array.from({ length: size }, start) };
  }

  /** What the service contains now, as a server that has nothing stored shows it. */
  async function expectedOf({ baseUrl }: RunningEmulator): Promise<Shown> {
    const known = new Set(liveSources().all());
    const { loaders } = openFleetSpace({ baseUrl, storage: createStorage(), refresh: '1h' });
    const { shown } = await loadAll(loaders);
    for (const source of liveSources().all()) if (!known.has(source)) (source as LazyLiveSource).close();
    // As it arrives from another process.
    return JSON.parse(JSON.stringify(shown)) as Shown;
  }

  /** `undefined` also for an error, which a page gets while a sync is late. */
  async function titleOf(server: LiveServer, id: number): Promise<string | undefined> {
    const shown = await server.read();
    if ('error' in shown) return undefined;
    return (shown.content.articles?.[id] as { data: { title: string } } | undefined)?.data.title;
  }

  test('started at once, they sync once, and all show the content', async () => {
    const { service, servers } = await startFleet(4);
    service.latency = 50;
    const shown = await Promise.all(servers.map((server) => server.read()));
    const requests = service.log.length;
    service.latency = 0;
    const content = await expectedOf(service);
    for (const one of shown) expect(one).toEqual({ content });
    service.clearLog();
    await expectedOf(service);
    // One cold sync, and the first check of its owner.
    expect(requests).toBeLessThan(1.5 * service.log.length + 4);
  });

  test('an edit is visible in all of them, whenever it is made', async () => {
    const { service, servers } = await startFleet(4);
    await Promise.all(servers.map((server) => server.read()));
    const delays: number[] = [];
    for (let round = 0; round < 8; round++) {
      // At any time within the interval.
      await pause((round * REFRESH) / 8);
      const start = Date.now();
      service.contents.edit(ARTICLE, { title: `edit ${round}` });
      await Promise.all(
        servers.map((server) => until(async () => (await titleOf(server, ARTICLE)) === `edit ${round}`, 20)),
      );
      delays.push(Date.now() - start);
    }
    console.log(
      `visible in all 4 servers after ${delays.join(', ')} ms, with a refresh interval of ${REFRESH} ms`,
    );
  });

  test('eight servers need at most one and a half times the requests of one', async () => {
    // At the same time, so that both have a machine of the same speed.
    const fleets = [await startFleet(1), await startFleet(8)];
    const servers = fleets.flatMap((fleet) => fleet.servers);
    await Promise.all(servers.map((server) => server.read()));
    for (const { service } of fleets) service.clearLog();
    let edits = 0;
    const start = Date.now();
    await until(() => {
      if (Date.now() - start > edits * 3000) {
        edits += 1;
        for (const { service } of fleets) service.contents.edit(ARTICLE, { title: `edit ${edits}` });
      }
      return Date.now() - start > 15 * REFRESH && Number(fleets[0]?.service.log.length) > 10;
    });
    const [one = 0, eight = 0] = fleets.map(({ service }) => service.log.length);
    const intervals = Math.round((Date.now() - start) / REFRESH);
    console.log(`${one} requests of 1 server, ${eight} of 8, in ${intervals} intervals`);
    for (const server of servers)
      await until(async () => (await titleOf(server, ARTICLE))?.startsWith('edit'));
    expect(eight).toBeLessThanOrEqual(1.5 * one);
  });

  test(`all are right after random faults, and report exactly what changed, in ${RUNS} runs`, {
    timeout: 36_000_000,
  }, async () => {
    console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these again`);
    const stale = 4000;
    const fleet = await startFleet(3, { isBusy: true, stale, heartbeat: AUTHOR, timeout: 1500 });
    const totals = { changes: 0, requests: 0, errors: 0, oldest: 0, slowest: 0, late: 0 };
    // The time may be edited late on a machine with a high load.
    let [edited, longestGap] = [Date.now(), 0];
    const beat = setInterval(() => {
      longestGap = Math.max(longestGap, Date.now() - edited - BEAT);
      edited = Date.now();
      fleet.service.contents.edit(AUTHOR, { name: String(edited) });
    }, BEAT);
    opened.push({ close: async () => clearInterval(beat) });
    for (let run = 0; run < RUNS; run++) {
      const random = seededRandom(`${SEED} ${run}`);
      const steps: string[] = [];
      longestGap = 0;
      const own = { oldest: 0, late: 0 };
      const message = () => `run ${run} of seed ${SEED} after\n${steps.join('\n')}`;
      for (let step = 3 + random(4); step > 0; step--) {
        steps.push(await disturb(fleet, random));
        for (let edits = random(4); edits > 0; edits--) edit(fleet.service, random, run);
        await pause(random(900));
      }
      // Everything is available again, and nothing is edited any more but the time.
      fleet.service.faults.clear();
      fleet.service.latency = 0;
      if (!fleet.redis.isRunning) await fleet.redis.start({ isEmpty: random(2) === 0 });
      const content = withoutTime(await expectedOf(fleet.service));
      const start = Date.now();
      let shown: unknown[] = [];
      const isRight = async () => {
        const results = await Promise.all(fleet.servers.map((server) => server.read()));
        shown = results.map((one) => ('error' in one ? one : withoutTime(one.content)));
        return shown.every((one) => JSON.stringify(one) === JSON.stringify(content));
      };
      await until(isRight).catch(() => {
        for (const one of shown) expect(one, message()).toEqual(content);
      });
      totals.slowest = Math.max(totals.slowest, Date.now() - start);
      for (const server of fleet.servers) {
        const { problems, changes, requests, errors, oldest, late } = await server.audit();
        expect(problems, message()).toEqual([]);
        totals.changes += changes;
        totals.requests += requests;
        totals.errors += errors;
        own.oldest = Math.max(own.oldest, oldest);
        own.late = Math.max(own.late, late);
      }
      totals.oldest = Math.max(totals.oldest, own.oldest);
      totals.late = Math.max(totals.late, own.late, longestGap);
      // Timers are late on a machine with a high load, and the steps of a sync are each as late.
      const lateness = 10 * Math.max(longestGap, own.late);
      expect(own.oldest - BEAT - longestGap, message()).toBeLessThan(stale + TOLERANCE + lateness);
      if (run % 10 === 9) console.log(`${run + 1} runs: ${JSON.stringify(totals)}`);
    }
    console.log(`${RUNS} runs, stale after ${stale} ms: ${JSON.stringify(totals)}`);
    expect(totals.changes).toBeGreaterThan(RUNS);
  });

  async function disturb(
    { redis, service, servers, start }: Awaited<ReturnType<typeof startFleet>>,
    random: SeededRandom,
  ): Promise<string> {
    const actions: Record<string, () => unknown> = {
      nothing: () => {},
      'service: down': () => service.faults.add({ kind: { status: 503 }, times: 1 + random(20) }),
      'service: unreachable': () => service.faults.add({ kind: 'reset', times: 1 + random(20) }),
      'service: stalls': () => service.faults.add({ kind: 'stall', times: 1 + random(3) }),
      'service: cut': () => service.faults.add({ kind: 'cut', times: 1 + random(5) }),
      'service: 429': () =>
        service.faults.add({ kind: { status: 429, retryAfter: 1 }, times: 1 + random(3) }),
      'service: slow': () => {
        service.latency = random(400);
      },
      'service: fine': () => {
        service.faults.clear();
        service.latency = 0;
      },
      'redis: killed': () => redis.kill(),
      'redis: back': () => redis.isRunning || redis.start(),
      'redis: emptied': async () => {
        await redis.kill();
        await redis.start({ isEmpty: true });
      },
      'server: killed and another one started': async () => {
        const index = random(servers.length);
        // Most of the time is spent in syncs if these are slow.
        service.latency = 100;
        await pause(random(1000));
        await servers[index]?.kill();
        servers[index] = start();
      },
    };
    const names = Object.keys(actions);
    const name = names[random(names.length)] as string;
    await actions[name]?.();
    return name;
  }
});

function withoutTime(shown: Shown): Shown {
  const { [AUTHOR]: _, ...authors } = shown.authors ?? {};
  return { ...shown, authors };
}

function edit({ contents }: RunningEmulator, random: SeededRandom, run: number): void {
  // Not the author that shows the time.
  const id = 2 + random(159);
  const titled = id % 4 === AUTHOR ? 'name' : 'title';
  const { archived } = contents.get(id);
  const what = random(5);
  if (archived) contents.restore(id);
  else if (what === 0) contents.archive(id);
  else if (what === 1 && run % 10 === 0)
    contents.create({ model: 'event', published: { ja: { title: `new ${run}` } } });
  else if (what === 2 && id % 4 === ARTICLE) contents.edit(id, { author: 5 + 4 * random(39) });
  else contents.edit(id, { [titled]: `edit ${run} ${id % 4 === EVENT}` });
}

/** Part of a history, not of an assertion. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
