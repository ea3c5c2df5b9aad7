import { createStorage, type Storage } from 'unstorage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import {
  advance,
  closeLiveServers,
  type LiveServer,
  openLiveService,
  startLiveServer,
} from '../support/live-servers.ts';
import { until } from '../support/until.ts';

const REFRESH = 10_000;
const HOUR = 3_600_000;

let service: Emulator;
let storage: Storage;
/** How often servers have looked which of them checks. */
let leaseReads: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 2) });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  service = openLiveService();
  storage = createStorage();
  leaseReads = 0;
  const read = storage.getItem.bind(storage);
  storage.getItem = (async (key: string) => {
    if (isLease(key)) leaseReads += 1;
    return read(key);
  }) as typeof storage.getItem;
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  closeLiveServers();
});

const start = (options = {}) => startLiveServer(service, storage, { refresh: REFRESH, ...options });

type Copy = ReadonlyMap<string, unknown>;
const isLease = (key: string) => key.startsWith('live:');

/** What someone reads who can read and write the storage, and has no key. */
async function copyOf(from: Storage): Promise<Copy> {
  const keys = await from.getKeys();
  const items = keys.map(async (key) => [
    key,
    await (isLease(key) ? from.getItem(key) : from.getItemRaw(key)),
  ]);
  return new Map((await Promise.all(items)) as [string, unknown][]);
}

/** Restores manifests and segments as they were. */
async function restore(copy: Copy): Promise<void> {
  for (const key of await storage.getKeys()) {
    if (!copy.has(key) && !isLease(key)) await storage.removeItem(key);
  }
  for (const [key, value] of copy) if (!isLease(key)) await storage.setItemRaw(key, value);
}

const leaseIn = (copy: Copy) => [...copy].find(([key]) => isLease(key)) as [string, Record<string, unknown>];

/** An old copy of the storage, and two servers that show newer content. */
async function openServers() {
  const servers = [start(), start()];
  for (const server of servers) await server.title();
  await servers[0]?.source.refresh();
  const old = await copyOf(storage);
  advance(HOUR);
  service.contents.edit(2, { title: 'newer' });
  for (const server of servers) await server.source.refresh();
  return { servers, old };
}

/**
 * Attacks before every request of a page, for as long as a server that was started meanwhile shows old content: at most
 * ten minutes by the clock of the servers. Those that show newer content must never go back.
 */
async function showNewer(servers: readonly LiveServer[], attack: () => Promise<void>): Promise<void> {
  const end = Date.now() + 10 * 60_000;
  await attack();
  const started = start();
  expect(await started.title()).toBe('item 2');
  await until(async () => {
    await attack();
    advance(REFRESH / 10);
    for (const server of servers) expect(await server.title()).toBe('newer');
    if (Date.now() > end) throw new Error('A server shows old content after ten minutes');
    return (await started.title()) === 'newer';
  }, 10);
  for (const server of [...servers, started]) expect(await server.isStale()).toBe(false);
}

describe('someone who can write to the storage but has no key cannot make servers show old content', () => {
  test('by restoring it', async () => {
    const { servers, old } = await openServers();
    await showNewer(servers, () => restore(old));
  });

  test('by restoring it, with a lease that confirms it', async () => {
    const { servers, old } = await openServers();
    const [key, captured] = leaseIn(old);
    let count = 1000;
    await showNewer(servers, async () => {
      await restore(old);
      const now = { at: Date.now(), checkedAt: Date.now() };
      await storage.setItem(key, { ...captured, owner: 'attacker', count: ++count, ...now } as never);
    });
  });

  test('by restoring it, with the leases that confirmed it', async () => {
    const records: unknown[] = [];
    const spy = vi.spyOn(storage, 'setItem').mockImplementation(async (key, value) => {
      if (isLease(key)) records.push(value);
      return storage.setItemRaw(key, JSON.stringify(value));
    });
    const { servers, old } = await openServers();
    spy.mockRestore();
    const [key] = leaseIn(old);
    expect(records.length).toBeGreaterThan(3);
    let turn = 0;
    await showNewer(servers, async () => {
      await restore(old);
      await storage.setItem(key, records[turn++ % records.length] as never);
    });
  });
});

describe('whatever another server confirms, a server checks itself after verify.maxAge', () => {
  test.each([
    ['of published content, by default after a day', {}, 24 * HOUR],
    ['as configured', { verify: { maxAge: '1h' } }, HOUR],
  ])('%s', async (_, options, maxAge) => {
    const refresh = HOUR / 10;
    const [owner, other] = [start({ refresh, ...options }), start({ refresh, ...options })];
    await owner.title();
    const startedAt = Date.now();
    await other.title();
    // The owner has a copy that never changes, as behind a CDN that is not purged.
    while (Date.now() + refresh < startedAt + maxAge) {
      advance(refresh);
      await owner.source.refresh();
      const before = leaseReads;
      await until(async () => (await other.title()) && leaseReads > before, 1);
    }
    expect(other.requests()).toBe(0);
    advance(refresh);
    await owner.source.refresh();
    await until(async () => (await other.title()) && other.requests() > 0, 1);
  });
});
