import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStorage, type Driver, type Storage } from 'unstorage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator, startEmulator } from '../../../../src/emulator/index.ts';
import { defineSpace } from '../../../../src/index.ts';
import { MODELS, seedOf } from '../../../support/emulated-space.ts';
import { until as untilTrue } from '../../../support/until.ts';
import type { AnyLiveLoader } from './fleet/fleet-space.ts';

const REFRESH = 10_000;
const DAY = 24 * 3600 * 1000;
let service: Emulator;
let values: Map<string, unknown>;
let isStorageDown: boolean;
/** What the storage lists, if it does not list yet what was stored since. */
let oldKeys: string[] | undefined;
/** How often a server asked which of them checks. */
let leaseReads: number;
let infos: string[];
let warnings: string[];
let count = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 2) });
  service = createEmulator(seedOf(40), {
    origin: `http://live-${++count}.test`,
    rateLimit: false,
    clock: () => Date.now(),
  });
  values = new Map();
  isStorageDown = false;
  oldKeys = undefined;
  leaseReads = 0;
  infos = [];
  warnings = [];
  vi.spyOn(console, 'info').mockImplementation((line) => infos.push(String(line)));
  vi.spyOn(console, 'warn').mockImplementation((line) => warnings.push(String(line)));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
});

function openStorage(beforeWrite: (key: string) => Promise<void> = async () => {}): Storage {
  const use = async <T>(action: () => T): Promise<T> => {
    if (isStorageDown) throw new Error('storage down');
    return action();
  };
  const driver: Driver = {
    name: 'test',
    hasItem: (key) => use(() => values.has(key)),
    getItem: (key) =>
      use(() => {
        leaseReads += 1;
        return (values.get(key) ?? null) as string | null;
      }),
    getItemRaw: (key) => use(() => values.get(key) ?? null),
    setItem: (key, value) => use(() => void values.set(key, value)),
    async setItemRaw(key, value) {
      await beforeWrite(key);
      await use(() => void values.set(key, value));
    },
    removeItem: (key) => use(() => void values.delete(key)),
    getKeys: () => use(() => oldKeys ?? [...values.keys()]),
  };
  return createStorage({ driver });
}

const advance = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const until = (isTrue: () => unknown) => untilTrue(isTrue, 10);

interface Options {
  readonly fetch?: typeof fetch;
  readonly onError?: unknown;
  readonly verify?: unknown;
  readonly lang?: string;
  readonly refresh?: number;
  readonly beforeWrite?: (key: string) => Promise<void>;
}

/** A server: what it shows by `title`, with the tags of the entry. */
function startServer({
  fetch = service.fetch,
  lang,
  refresh = REFRESH,
  beforeWrite,
  ...options
}: Options = {}) {
  const known = new Set(liveSources().all());
  const space = defineSpace({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    models: MODELS,
    languages: { main: 'ja', sub: ['en'] },
    cache: { storage: openStorage(beforeWrite) },
    network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0, concurrency: 1 },
    fetch,
    ...options,
  } as never);
  const loader = space.liveLoader(
    'article' as never,
    { refresh, ...(lang && { lang }) } as never,
  ) as AnyLiveLoader;
  const source = liveSources()
    .all()
    .find((one) => !known.has(one)) as LazyLiveSource;
  const load = async (id = '2') => {
    const result = await loader.loadEntry({ filter: { id }, collection: 'articles' } as never);
    if (!result) return { title: undefined, tags: [] as readonly string[] };
    if ('error' in result) return { title: String(result.error), tags: [] as readonly string[] };
    return { title: (result.data as { title: string }).title, tags: result.cacheHint?.tags ?? [] };
  };
  const title = async (id?: string) => (await load(id)).title;
  return { load, title, source, shows: (text: string) => until(async () => (await title()) === text) };
}

type Server = ReturnType<typeof startServer>;

/** A fetch that waits until it is released. */
function heldFetch() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const requests: string[] = [];
  const { fetch: send } = service;
  const held = async (...request: Parameters<typeof fetch>) => {
    requests.push(String(request[0]));
    await released;
    return send(...(request as [Request]));
  };
  return { fetch: held as typeof fetch, requests, release };
}

/** Lets a server wait when it writes a part of the storage. */
function heldWrites(part: ':segment:' | ':manifest:') {
  let released: Promise<void> | undefined;
  const state = { release: () => {}, isWaiting: false };
  const hold = () => {
    released = new Promise((resolve) => {
      state.release = resolve;
    });
  };
  const beforeWrite = async (key: string) => {
    if (!released || !key.includes(part)) return;
    state.isWaiting = true;
    await released;
  };
  return { state, hold, beforeWrite };
}

describe('a live replica', () => {
  test('starts from the cache without waiting for the service', async () => {
    expect(await startServer().title()).toBe('item 2');
    const { fetch, requests, release } = heldFetch();
    const server = startServer({ fetch });
    expect(await server.title()).toBe('item 2');
    expect(infos.at(-1)).toMatch(/^\[astro-luid\] Content: 40 items from the cache, \d+ s old$/);
    service.contents.edit(2, { title: 'new' });
    // Another one checks, so this one needs no requests until that is gone.
    advance(6 * REFRESH);
    await until(async () => {
      await server.title();
      return requests.length > 0;
    });
    expect(await server.title()).toBe('item 2');
    release();
    await server.shows('new');
  });

  test('reads everything at a cold start, once for all requests', async () => {
    const first = startServer();
    const titles = await Promise.all(Array.from({ length: 50 }, () => first.title()));
    expect(new Set(titles)).toEqual(new Set(['item 2']));
    const requests = service.log.length;
    expect(infos).toEqual(['[astro-luid] Content: 40 items from the service']);
    values.clear();
    service.clearLog();
    await startServer().title();
    expect(requests).toBe(service.log.length);
  });

  test('waits only seconds for a server that was killed during its cold start', async () => {
    const refresh = 3600_000;
    const { fetch, requests, release } = heldFetch();
    const killed = startServer({ fetch, refresh });
    const ended = killed.title();
    await until(() => requests.length > 0);
    const left = new Map(values);
    release();
    await ended;
    killed.source.close();
    values = left;
    leaseReads = 0;
    const shown = startServer({ refresh }).title();
    await until(() => leaseReads > 1);
    advance(13_000);
    expect(await shown).toBe('item 2');
  });

  test('keeps its lease every few seconds during a cold start, however rarely it checks', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { fetch, requests, release } = heldFetch();
    const shown = startServer({ fetch, refresh: 3600_000 }).title();
    await until(() => requests.length > 0);
    const lease = () => JSON.stringify([...values].find(([key]) => key.startsWith('live:')));
    const first = lease();
    const [keep] = timers.mock.calls.find(([, delay]) => delay === 5000) ?? [];
    keep?.();
    await until(() => lease() !== first);
    release();
    await shown;
  });

  test('reports the error of a cold start, and tries again', async () => {
    const server = startServer();
    const repair = service.faults.add({ kind: { status: 503 }, times: 1000 });
    expect(await server.title()).toMatch('503');
    repair();
    expect(await server.title()).toBe('item 2');
  });

  test('never lets a request wait for a check', async () => {
    let { fetch, requests, release } = heldFetch();
    release();
    const server = startServer({ fetch: (...request) => fetch(...request) });
    expect(await server.title()).toBe('item 2');
    ({ fetch, requests, release } = heldFetch());
    service.contents.edit(2, { title: 'new' });
    advance(REFRESH);
    for (let n = 0; n < 20; n++) expect(await server.title()).toBe('item 2');
    await until(() => requests.length === 1);
    // One check, however long it takes.
    for (let n = 0; n < 5; n++) {
      advance(REFRESH);
      expect(await server.title()).toBe('item 2');
    }
    expect(requests).toHaveLength(1);
    release();
    await server.shows('new');
  });

  test('goes on while the service is down, and logs when that begins and ends', async () => {
    const server = startServer();
    await server.title();
    const fail = service.faults.add({ kind: { status: 503 }, times: 1000 });
    service.contents.edit(2, { title: 'new' });
    for (let n = 0; n < 5; n++) {
      const before = service.log.length;
      advance(1.1 * REFRESH);
      expect(await server.title()).toBe('item 2');
      await until(() => service.log.length > before);
    }
    await until(async () => (await server.load()).tags.includes('luid:stale'));
    expect((await server.load()).tags.some((tag) => /^luid:confirmed:\d+$/.test(tag))).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /Content: cannot check for changes, serving content that is \d+ s old: .*503/,
    );
    fail();
    advance(1.1 * REFRESH);
    await server.shows('new');
    await until(() => infos.at(-1)?.endsWith('Content: checking for changes works again'));
    expect((await server.load()).tags).not.toContain('luid:stale');
    expect(warnings).toHaveLength(1);
  });

  test.each([
    ['{ stale }', { onError: { stale: '1h' } }, 3600_000],
    ["'stale'", { onError: 'stale' }, Number.POSITIVE_INFINITY],
    ['the default', {}, DAY],
    ['the default and verify.maxAge', { verify: { maxAge: '2h' } }, 2 * 3600_000],
  ])('fails when content is older than %s allows, and not before', async (_, options, maxAge) => {
    const server = startServer(options);
    await server.title();
    const confirmedAt = Date.now();
    service.faults.add({ kind: 'reset', times: 1000 });
    advance(1.1 * REFRESH);
    await until(async () => (await server.load()).tags.includes('luid:stale'));
    vi.setSystemTime(confirmedAt + Math.min(maxAge, 1000 * DAY));
    expect(await server.title()).toBe('item 2');
    advance(1);
    const title = await server.title();
    if (maxAge === Number.POSITIVE_INFINITY) expect(title).toBe('item 2');
    else expect(title).toMatch('and the service cannot be reached');
    service.faults.clear();
    advance(1.1 * REFRESH);
    await server.shows('item 2');
    await until(() => infos.at(-1)?.endsWith('Content: checking for changes works again'));
  });

  test('without any content logs why, once for each reason, and starts when it can', async () => {
    service.faults.add({ kind: { status: 401 }, times: 1000 });
    const server = startServer();
    for (let n = 0; n < 3; n++) expect(await server.title()).toMatch('401');
    expect(warnings).toEqual([
      expect.stringMatching(/^\[astro-luid\] Content: cannot be loaded: .*401[\s\S]*→ /),
    ]);
    service.faults.clear();
    expect(await server.title()).toBe('item 2');
    expect(warnings).toHaveLength(1);
    expect(infos).toEqual(['[astro-luid] Content: 40 items from the service']);
  });

  test('waits for the check if what is stored is older than allowed', async () => {
    await startServer().title();
    advance(2 * DAY);
    service.contents.edit(2, { title: 'new' });
    expect(await startServer().title()).toBe('new');
    advance(2 * DAY);
    service.faults.add({ kind: 'reset', times: 1000 });
    expect(await startServer().title()).toMatch(
      /^LuidError: The content is \d+ [hd] old, and the service cannot be reached/,
    );
  });

  test('goes on after a 429', async () => {
    const server = startServer();
    await server.title();
    service.faults.add({ kind: { status: 429, retryAfter: 1 }, times: 2 });
    service.contents.edit(2, { title: 'new' });
    // Requests are answered while the client waits as long as the service demands.
    await until(async () => {
      advance(500);
      const title = await server.title();
      expect(['item 2', 'new']).toContain(title);
      return title === 'new';
    });
    expect(service.log.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });

  test('repairs damaged segments of the storage', async () => {
    await startServer().title();
    for (const key of values.keys()) if (key.includes(':segment:')) values.set(key, '[{"_id":2}]');
    expect(await startServer().title()).toBe('item 2');
    isStorageDown = true;
    const next = startServer();
    expect(await next.title()).toBe('item 2');
    isStorageDown = false;
    values.delete([...values.keys()].find((key) => key.includes(':segment:')) ?? '');
    expect(await startServer().title()).toBe('item 2');
  });

  test('goes on while the storage is down, and reads only what changed', async () => {
    const server = startServer();
    await server.title();
    isStorageDown = true;
    service.contents.edit(2, { title: 'new' });
    advance(1.1 * REFRESH);
    service.clearLog();
    await server.shows('new');
    const requests = service.log.length;
    service.clearLog();
    values.clear();
    isStorageDown = false;
    await startServer().title();
    expect(requests).toBeLessThanOrEqual(service.log.length);
  });

  test('agrees with another server after the storage was down, whatever it had stored meanwhile', async () => {
    const [a, b] = [startServer(), startServer()];
    await a.title();
    await b.title();
    // No check is running any more.
    await b.source.refresh();
    isStorageDown = true;
    service.contents.edit(2, { title: 'first' });
    advance(1.1 * REFRESH);
    await b.shows('first');
    service.contents.edit(2, { title: 'second' });
    await a.shows('second');
    isStorageDown = false;
    const requests = service.log.length;
    // `b` follows `a`, which found nothing new.
    await until(async () => {
      advance(1.1 * REFRESH);
      await a.title();
      return (await b.title()) === 'second';
    });
    expect(service.log.length).toBeGreaterThan(requests);
  });

  test('never goes back to content that another server stores later, but read earlier', async () => {
    let isReachable = true;
    const fetchOfA = async (...request: Parameters<typeof fetch>) => {
      if (!isReachable) throw new TypeError('not reachable');
      return service.fetch(...(request as [Request]));
    };
    const [a, b] = [startServer({ fetch: fetchOfA as typeof fetch }), startServer()];
    await a.title();
    await b.title();
    isStorageDown = true;
    for (const title of ['first', 'second', 'third']) {
      service.contents.edit(2, { title });
      advance(1000);
      await a.source.refresh();
    }
    isReachable = false;
    service.contents.edit(2, { title: 'newest' });
    await b.source.refresh();
    isStorageDown = false;
    const reachesStorage = async (action: () => Promise<unknown>) => {
      leaseReads = 0;
      await until(async () => {
        await action();
        return leaseReads > 0;
      });
    };
    await reachesStorage(() => b.source.refresh());
    await reachesStorage(() => expect(a.source.refresh()).rejects.toThrow(/no response/i));
    expect([...values.values()].some((value) => String(value).includes('third'))).toBe(true);
    const changes: unknown[] = [];
    b.source.onChange((change) => changes.push(change));
    advance(1.1 * REFRESH);
    await reachesStorage(b.title);
    await b.source.refresh();
    expect(await b.title()).toBe('newest');
    expect(changes).toEqual([]);
  });

  test('checks the languages that no other server checks', async () => {
    service.contents.edit(2, { title: 'English' }, { lang: 'en' });
    const main = startServer();
    expect(await main.title()).toBe('item 2');
    const english = startServer({ lang: 'en' });
    expect(await english.title()).toBe('English');
    service.contents.edit(2, { title: 'changed' }, { lang: 'en' });
    advance(1.1 * REFRESH);
    await main.title();
    await english.shows('changed');
  });

  test('does not confirm content that another server could not check', async () => {
    const [a, b] = [startServer({ onError: { stale: '2min' } }), startServer({ onError: { stale: '2min' } })];
    await a.title();
    await b.title();
    service.faults.add({ kind: 'reset', times: 100_000 });
    await until(async () => {
      advance(REFRESH);
      const titles = [await a.title(), await b.title()];
      return titles.every((title) => title?.includes('the service cannot be reached'));
    });
  });

  test('looks now when it is asked to, and reports what changed', async () => {
    const server = startServer();
    await server.title();
    service.contents.edit(2, { title: 'new' });
    const [one, two] = await Promise.all([server.source.refresh(), server.source.refresh()]);
    expect(one).toMatchObject({ added: 0, changed: 1, removed: 0 });
    expect(two).toMatchObject({ changed: 0 });
    expect(await server.title()).toBe('new');
  });

  test('shows an edit after a refresh, also if another server stores first what it read before the edit', async () => {
    const [early, late] = [heldWrites(':manifest:'), heldWrites(':segment:')];
    const [a, b] = [early, late].map(({ beforeWrite }) => startServer({ beforeWrite })) as [Server, Server];
    await a.title();
    await b.title();
    early.hold();
    service.contents.edit(4, { title: 'before' });
    const checking = a.source.refresh();
    await until(() => early.state.isWaiting);
    late.hold();
    service.contents.edit(2, { title: 'new' });
    const refreshing = b.source.refresh();
    await until(() => late.state.isWaiting);
    early.state.release();
    await checking;
    late.state.release();
    expect(await refreshing).toMatchObject({ changed: 2 });
    expect(await b.title()).toBe('new');
  });

  test('with a storage that lists late what is stored, shows an edit at once, and nothing else when it is listed', async () => {
    const server = startServer();
    await server.title();
    oldKeys = [...values.keys()];
    service.contents.edit(2, { title: 'new' });
    expect(await server.source.refresh()).toMatchObject({ changed: 1 });
    expect(await server.title()).toBe('new');
    expect(await server.source.refresh()).toMatchObject({ changed: 0, tags: [] });
    oldKeys = undefined;
    expect(await server.source.refresh()).toMatchObject({ changed: 0, tags: [] });
    expect(await server.title()).toBe('new');
  });

  test('takes over what another server stores after the clock of both was set back', async () => {
    const [a, b] = [startServer(), startServer()];
    await a.title();
    await b.title();
    await b.source.refresh();
    advance(-DAY);
    service.contents.edit(2, { title: 'new' });
    await until(async () => {
      advance(REFRESH);
      const titles = [await a.title(), await b.title()];
      return titles.every((title) => title === 'new');
    });
  });

  test('takes over what another server stores if what it started from was stored before the clock was set back', async () => {
    const a = startServer();
    await a.title();
    advance(-DAY);
    const b = startServer();
    await b.title();
    service.contents.edit(2, { title: 'new' });
    await until(async () => {
      advance(REFRESH);
      // Keeps the lease.
      await a.source.refresh();
      return (await b.title()) === 'new';
    });
  });

  test('leaves nothing behind that keeps a process alive', async () => {
    const running = await startEmulator(seedOf(40), { rateLimit: false });
    const dir = mkdtempSync(join(tmpdir(), 'astro-luid-live-'));
    try {
      const path = fileURLToPath(new URL('one-entry-server-child.ts', import.meta.url));
      const child = spawn(process.execPath, [path, JSON.stringify({ baseUrl: running.baseUrl, dir })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [port] = await once(child.stdout, 'data');
      const ended = once(child, 'exit');
      const response = await fetch(`http://127.0.0.1:${String(port).trim()}`);
      expect(await response.json()).toMatchObject({ id: '2', data: { title: 'item 2' } });
      expect(await ended).toEqual([0, null]);
    } finally {
      await running.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
