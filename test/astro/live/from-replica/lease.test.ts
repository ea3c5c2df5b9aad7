import { createStorage, type Storage } from 'unstorage';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Lease } from '../../../../src/astro/live/check/lease.ts';
import { openSigner } from '../../../../src/replica/content/web-crypto.ts';

const INTERVAL = 10_000;
const HOUR = 3_600_000;
const KEY = 'live:site';
const signer = await openSigner('key', 'lease');

let storage: Storage;
let now: number;

beforeEach(() => {
  storage = createStorage();
  now = 1_000_000;
});

function leaseOf(
  owner: string,
  options: { clock?: () => number; wait?: () => Promise<void>; interval?: number; key?: string } = {},
) {
  const { clock = () => now, wait = async () => {}, interval = INTERVAL, key = KEY } = options;
  return new Lease({ storage, key, signer, owner, interval: () => interval, now: clock, wait });
}

/** Makes a change while the lease is being kept, as far as it gets before that is written. */
async function whileKept(lease: Lease, change: () => Promise<void>): Promise<void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = vi.spyOn(storage, 'setItem').mockImplementationOnce(async (...item) => {
    held.mockRestore();
    await released;
    await storage.setItem(...item);
  });
  const changes = [lease.keep(), change()];
  await new Promise(setImmediate);
  release();
  await Promise.all(changes);
}

describe('a lease', () => {
  test('has one owner, which keeps it by renewing it', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    expect(await a.acquire('1')).toEqual({ isOwner: true });
    for (let n = 0; n < 20; n++) {
      now += INTERVAL;
      expect(await b.acquire('1')).toMatchObject({ isOwner: false });
      expect(await a.acquire('1')).toEqual({ isOwner: true });
      await a.renew('1', now);
    }
  });

  test('is taken over when its owner has not renewed it for two and a half intervals', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    await a.renew('1', now);
    expect(await b.acquire('1')).toMatchObject({ isOwner: false });
    now += 2.5 * INTERVAL;
    expect(await b.acquire('1')).toMatchObject({ isOwner: false });
    now += 1;
    expect(await b.acquire('1')).toEqual({ isOwner: true });
    expect(await a.acquire('1')).toMatchObject({ isOwner: false });
  });

  test('is not lost while a long check keeps it', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    for (let n = 0; n < 10; n++) {
      now += INTERVAL;
      await a.keep();
      expect(await b.acquire('1')).toMatchObject({ isOwner: false });
    }
  });

  test('of an owner that ended during the first check is taken over after seconds, however long the interval is', async () => {
    const [a, b] = [leaseOf('a', { interval: HOUR }), leaseOf('b', { interval: HOUR })];
    await a.acquire('');
    expect(await b.acquire('')).toMatchObject({ isOwner: false });
    now += 12_501;
    expect(await b.acquire('')).toEqual({ isOwner: true });
  });

  test('is not lost while the first check keeps it, also if the clock of its owner is behind', async () => {
    const [a, b] = [
      leaseOf('a', { interval: HOUR, clock: () => now - 60_000 }),
      leaseOf('b', { interval: HOUR }),
    ];
    await a.acquire('');
    for (let n = 0; n < 10; n++) {
      expect(await b.acquire('')).toMatchObject({ isOwner: false });
      now += a.keepInterval;
      await a.keep();
    }
    await a.renew('1', now);
    await b.acquire('');
    // From then on it is kept by the checks.
    now += HOUR;
    expect(await b.acquire('')).toMatchObject({ isOwner: false });
  });

  test('is what the last change made of it, also if an earlier one is still being written', async () => {
    const lease = leaseOf('a');
    await lease.acquire('old');
    await whileKept(lease, () => lease.renew('new', now));
    expect(await storage.getItem(KEY)).toMatchObject({ content: 'new', checkedAt: now });
    await whileKept(lease, () => lease.release());
    expect(await storage.getItem(KEY)).toBeNull();
  });

  test('of an owner that stopped long ago is taken over at once', async () => {
    await leaseOf('a').acquire('1');
    now += 2.5 * INTERVAL + 5001;
    expect(await leaseOf('b').acquire('1')).toEqual({ isOwner: true });
  });

  test('has one owner if several take it at once', async () => {
    const written: (() => void)[] = [];
    // All of them write before any reads again.
    const wait = () =>
      new Promise<void>((resolve) => {
        written.push(resolve);
        if (written.length === 8) for (const go of written) go();
      });
    const states = await Promise.all(
      Array.from({ length: 8 }, (_, n) => leaseOf(`server ${n}`, { wait }).acquire('')),
    );
    expect(states.filter(({ isOwner }) => isOwner)).toHaveLength(1);
  });

  test('that two took over at once remains with one', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    // Both believe to have it.
    await storage.removeItem(KEY);
    await b.acquire('1');
    expect(await a.acquire('1')).toMatchObject({ isOwner: false });
    await a.renew('2', now);
    expect(await b.acquire('1')).toEqual({ isOwner: true });
    expect(await storage.getItem(KEY)).toMatchObject({ owner: 'b', content: '1' });
  });

  test('confirms the content only after a check that succeeded', async () => {
    const [a, b, c] = [leaseOf('a'), leaseOf('b'), leaseOf('c')];
    await a.acquire('1');
    expect(await b.acquire('1')).toMatchObject({ confirmedAt: undefined });
    const checkedAt = now;
    await a.renew('1', checkedAt);
    now += 1000;
    expect(await b.acquire('1')).toMatchObject({ confirmedAt: checkedAt });
    // Written, but not checked.
    await a.acquire('1');
    await a.keep();
    now += 3 * INTERVAL;
    expect(await b.acquire('1')).toMatchObject({ confirmedAt: checkedAt });
    // Neither by the next owner.
    now += 3 * INTERVAL;
    expect(await c.acquire('1')).toEqual({ isOwner: true });
    expect(await b.acquire('1')).toMatchObject({ isOwner: false, confirmedAt: undefined });
    await c.renew('1', now);
    expect(await b.acquire('1')).toMatchObject({ isOwner: false, confirmedAt: now });
  });

  test('confirms nothing by the time at which a record is read, if the storage was not reachable before', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    await a.renew('1', now);
    await b.acquire('1');
    const lastRead = now;
    now += INTERVAL / 10;
    await a.renew('2', now);
    // Then neither the owner nor this server reaches the storage for some time.
    now += 2 * INTERVAL;
    expect(await b.acquire('1')).toEqual({ isOwner: false, confirmedAt: lastRead, content: '2' });
  });

  test('of a storage that was restored from an older copy is free', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    await a.renew('1', now);
    const copy = await storage.getItem(KEY);
    now += INTERVAL;
    await a.renew('2', now);
    await b.acquire('2');
    now += INTERVAL / 2;
    await storage.setItem(KEY, copy as never);
    expect(await b.acquire('2')).toEqual({ isOwner: true });
    expect(await storage.getItem(KEY)).toMatchObject({ owner: 'b', content: '2', checkedAt: null });
    // And so is that of a storage that was emptied, for servers that knew one.
    await storage.removeItem(KEY);
    await leaseOf('c').acquire('0');
    expect(await a.acquire('2')).toEqual({ isOwner: true });
  });

  test('confirms by the clock of the server that reads it, once it has seen a check', async () => {
    const [behind, b] = [leaseOf('a', { clock: () => now - 4000 }), leaseOf('b')];
    for (let n = 0; n < 3; n++) {
      await behind.acquire('1');
      const start = now;
      // How long the check takes.
      now += 300;
      await b.acquire('1');
      await behind.renew('1', start - 4000);
      expect(await b.acquire('1')).toMatchObject({
        isOwner: false,
        confirmedAt: n === 0 ? start - 4000 : start,
      });
      now += INTERVAL;
    }
  });

  test('names the content that was checked last', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    await a.renew('2', now);
    expect(await b.acquire('1')).toMatchObject({ content: '2' });
    await a.acquire('3');
    expect(await b.acquire('1')).toMatchObject({ content: '2' });
  });

  test('can be released, by its owner only', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    await b.release();
    expect(await b.acquire('1')).toMatchObject({ isOwner: false });
    await a.release();
    expect(await b.acquire('1')).toEqual({ isOwner: true });
  });

  test('is taken over from an owner that cannot check', async () => {
    const [a, b] = [leaseOf('a'), leaseOf('b')];
    await a.acquire('1');
    await b.takeOver('2', now);
    expect(await a.acquire('1')).toEqual({ isOwner: false, confirmedAt: now, content: '2' });
  });

  test.each([
    'text',
    7,
    [],
    {},
    { owner: 'a' },
    { owner: 'a', count: 'x', at: 1, checkedAt: null, content: '' },
    { owner: 'a', count: 1, at: 1, checkedAt: 'x', content: '' },
    { owner: 1, count: 1, at: 1, checkedAt: 1, content: '' },
  ])('is free if what is stored is not a lease: %j', async (value) => {
    await storage.setItem(KEY, value as never);
    expect(await leaseOf('b').acquire('1')).toEqual({ isOwner: true });
    expect(await storage.getItem(KEY)).toMatchObject({ owner: 'b', count: 1 });
  });

  describe('that others have written who can write to the storage, but have no key', () => {
    type Stored = Record<string, unknown>;
    const stored = async () => (await storage.getItem(KEY)) as Stored;
    const store = (record: Stored) => storage.setItem(KEY, record as never);

    /** The records of an owner, one per interval, which checks content that changes each time. */
    async function capture(count: number, clock = () => now): Promise<Stored[]> {
      const owner = leaseOf('a', { clock });
      const records: Stored[] = [];
      for (let n = 1; n <= count; n++) {
        await owner.acquire(`content ${n}`);
        await owner.renew(`content ${n}`, clock());
        records.push(await stored());
        now += INTERVAL;
      }
      return records;
    }

    test.each<[string, (record: Stored) => Stored]>([
      ['no signature', ({ signature: _, ...record }) => record],
      ['a signature that is not text', (record) => ({ ...record, signature: 1 })],
      ['the signature of another record', (record) => ({ ...record, content: 'old' })],
      ['another owner', (record) => ({ ...record, owner: 'x' })],
      ['another count', (record) => ({ ...record, count: 1000 })],
      ['another time', (record) => ({ ...record, at: now + 1 })],
      ['another check', (record) => ({ ...record, checkedAt: now + 1 })],
    ])('with %s counts as none', async (_, forge) => {
      const [record = {}] = await capture(1);
      now -= INTERVAL;
      await store(record);
      expect(await leaseOf('b').acquire('1')).toMatchObject({ isOwner: false });
      await store(forge(record));
      expect(await leaseOf('b').acquire('1')).toEqual({ isOwner: true });
    });

    test('with the record of other content counts as none', async () => {
      await leaseOf('a', { key: 'live:other' }).acquire('1');
      await storage.setItem(KEY, await storage.getItem('live:other'));
      expect(await leaseOf('b').acquire('1')).toEqual({ isOwner: true });
    });

    test('counts as none if a newer one was seen, in whatever order old ones are written', async () => {
      const [server, records] = [leaseOf('b'), await capture(6)];
      now -= INTERVAL;
      await store(records[5] as Stored);
      expect(await server.acquire('x')).toMatchObject({ content: 'content 6' });
      for (const record of records.slice(0, 5)) {
        await store(record);
        expect(await server.acquire('x')).toEqual({ isOwner: true });
      }
    });

    test('does not become that of the next owner, or of its own owner', async () => {
      const owner = leaseOf('a');
      await owner.acquire('old');
      await owner.renew('old', now);
      const old = await stored();
      await owner.renew('new', now);
      await store(old);
      await owner.keep();
      expect(await stored()).toEqual(old);
      await owner.acquire('new');
      expect(await stored()).toMatchObject({ content: 'new', checkedAt: null });
      await store(old);
      now += HOUR;
      await leaseOf('b').acquire('new');
      expect(await stored()).toMatchObject({ owner: 'b', content: 'new', checkedAt: null });
    });

    test.each([31_000, -31_000])('is lost if its time differs by %d ms from now', async (skew) => {
      await leaseOf('a', { clock: () => now + skew }).acquire('1');
      expect(await leaseOf('b').acquire('1')).toEqual({ isOwner: true });
      await storage.removeItem(KEY);
      await leaseOf('d', { clock: () => now + skew - Math.sign(skew) * 1000 }).acquire('1');
      expect(await leaseOf('b').acquire('1')).toMatchObject({ isOwner: false });
    });

    test.each([
      ['right', 0],
      ['an hour ahead', HOUR],
      ['an hour behind', -HOUR],
    ])('is lost by a server that starts later, if the clock of its owner was %s', async (_, skew) => {
      const records = await capture(6, () => now + skew);
      now += HOUR;
      for (const record of records) {
        await store(record);
        const isNow = Math.abs(Number(record.at) - now) <= 30_000;
        expect(await leaseOf('b').acquire('x')).toMatchObject({ isOwner: !isNow });
      }
      // However often they are written, that ends.
      now += 31_000 + 6 * INTERVAL;
      for (const record of records) {
        await store(record);
        expect(await leaseOf('c').acquire('x')).toEqual({ isOwner: true });
      }
    });
  });

  test('throws if the storage fails', async () => {
    const fail = async () => {
      throw new Error('not reachable');
    };
    storage = { ...storage, getItem: fail, setItem: fail } as never;
    const lease = leaseOf('a');
    await expect(lease.acquire('1')).rejects.toThrow('not reachable');
    await expect(lease.renew('1', now)).rejects.toThrow('not reachable');
  });
});
