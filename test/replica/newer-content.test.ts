import { createStorage, type Storage } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { openSnapshotReader } from '../../src/replica/content/snapshot-reader.ts';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { holdBefore } from './held-storage.ts';
import { readStored } from './read-stored.ts';

/** A random part of a name may let the right one win by chance. */
const TIES = 5;
const HOUR = 3_600_000;

type Change = (space: EmulatedSpace) => void;
const edit: Change = ({ service }) => service.contents.edit(2, { title: 'newer' });
const CHANGES: [string, Change][] = [
  ['an edit', edit],
  [
    'another edit in the same second',
    (space) => {
      edit(space);
      space.service.contents.edit(2, { title: 'newest' });
    },
  ],
  ['the end of what was changed last, so that times go back', ({ service }) => service.contents.archive(6)],
  ['a discarded draft, so that times go back', ({ service }) => service.contents.discardDraft(10)],
];

interface Two {
  readonly step: 'commit' | 'write';
  /** Milliseconds that the clock of the older one is ahead. */
  readonly skew?: number;
  readonly fetchOfOlder?: (space: EmulatedSpace) => typeof fetch;
}

/** Two syncs that start from the same stored content: one has read the service before a change, the other after it. */
async function readBeforeAndAfter(change: Change, { step, skew = 0, fetchOfOlder }: Two) {
  const space = openEmulatedSpace(seedOf(160));
  const apiKey = 'drafts';
  const storage = createStorage();
  const sync = (own: Storage = storage, options = {}) =>
    space.sync({ cache: { storage: own }, apiKey, concurrency: 1, ...options });
  await sync();
  space.service.clock.advance(60_000);
  space.service.contents.edit(6, { title: 'changed before' });
  space.service.contents.saveDraft(10, { title: 'a draft' });
  space.service.clock.advance(60_000);
  const [slow, fast] = [holdBefore(step, storage), holdBefore(step, storage)];
  const older = sync(slow.storage, { skew, ...(fetchOfOlder && { fetch: fetchOfOlder(space) }) });
  await slow.reached;
  space.service.clock.advance(10);
  change(space);
  const newer = sync(fast.storage);
  await fast.reached;
  const reader = await openSnapshotReader(storage, MODELS, {
    baseUrl: space.service.baseUrl,
    apiKey,
    space: undefined,
    lang: undefined,
  });
  const itemsOf = async (syncing: ReturnType<typeof sync>) =>
    Object.fromEntries(await (await syncing).items());
  return {
    space,
    sync: () => itemsOf(sync()),
    older: { release: slow.release, done: older },
    newer: { release: fast.release, done: newer },
    offline: () => itemsOf(sync(storage, { offline: true })),
    /** What a server that only reads the storage shows. */
    async served() {
      const manifest = await reader.load();
      const replica = manifest && (await readStored(MODELS, reader, manifest, undefined));
      return Object.fromEntries([...(replica?.values() ?? [])].map((item) => [item._id, item]));
    },
    shown: async () => Object.fromEntries(await readFromService(space, MODELS, apiKey)),
  };
}

const other = (one: 'older' | 'newer') => (one === 'older' ? 'newer' : 'older');

describe.each(CHANGES)('of two syncs on one storage, what was read after %s is stored', (_, change) => {
  test.each(['older', 'newer'] as const)('if the %s one commits first', async (first) => {
    const both = await readBeforeAndAfter(change, { step: 'commit' });
    both[first].release();
    await both[first].done;
    both[other(first)].release();
    await both[other(first)].done;
    expect(await both.offline()).toEqual(await both.shown());
  });

  test.each(['older', 'newer'] as const)(
    'if both commit the same generation, and the %s one writes first',
    async (first) => {
      for (let n = 0; n < TIES; n++) {
        const both = await readBeforeAndAfter(change, { step: 'write' });
        both[first].release();
        await both[first].done;
        both[other(first)].release();
        await both[other(first)].done;
        expect(await both.offline()).toEqual(await both.shown());
      }
    },
  );

  test('if both commit the same generation at the same time', async () => {
    for (let n = 0; n < TIES; n++) {
      const both = await readBeforeAndAfter(change, { step: 'write' });
      both.older.release();
      both.newer.release();
      await Promise.all([both.older.done, both.newer.done]);
      expect(await both.offline()).toEqual(await both.shown());
    }
  });

  test('if the clock of the older one is ahead', async () => {
    const both = await readBeforeAndAfter(change, { step: 'write', skew: HOUR });
    both.newer.release();
    await both.newer.done;
    both.older.release();
    await both.older.done;
    expect(await both.offline()).toEqual(await both.shown());
  });
});

describe('between two commits of one generation', () => {
  test('a reader takes over the newer content after it has seen the older', async () => {
    const both = await readBeforeAndAfter(edit, { step: 'write' });
    both.older.release();
    await both.older.done;
    expect((await both.served())[2]).toMatchObject({ title: 'item 2' });
    both.newer.release();
    await both.newer.done;
    expect(await both.served()).toEqual(await both.shown());
  });

  test('a reader that has seen the newer content does not go back to the older', async () => {
    for (let n = 0; n < TIES; n++) {
      const checking = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      let isCommitting = false;
      const fetchOfOlder =
        ({ service }: EmulatedSpace): typeof fetch =>
        async (...request) => {
          if (isCommitting) {
            checking.resolve();
            await goOn.promise;
          }
          return service.fetch(...(request as [Request]));
        };
      const both = await readBeforeAndAfter(edit, { step: 'write', fetchOfOlder });
      both.newer.release();
      await both.newer.done;
      expect(await both.served()).toEqual(await both.shown());
      isCommitting = true;
      both.older.release();
      // It has stored the older content, and asks the service what is newer.
      await checking.promise;
      expect(await both.served()).toEqual(await both.shown());
      goOn.resolve();
      await both.older.done;
      expect(await both.served()).toEqual(await both.shown());
    }
  });

  test('a sync goes on from the older content, and nothing is lost', async () => {
    const both = await readBeforeAndAfter(edit, { step: 'write' });
    both.older.release();
    await both.older.done;
    expect(await both.sync()).toEqual(await both.shown());
    both.space.service.clock.advance(10);
    both.space.service.contents.archive(6);
    both.newer.release();
    await both.newer.done;
    expect(await both.served()).toEqual(await both.shown());
    expect(await both.offline()).toEqual(await both.shown());
  });
});

test('two syncs that found the same content make no more requests', async () => {
  const both = await readBeforeAndAfter(() => {}, { step: 'write' });
  both.space.service.clearLog();
  both.older.release();
  both.newer.release();
  await Promise.all([both.older.done, both.newer.done]);
  expect(both.space.service.log).toHaveLength(0);
});

test('two syncs that found other content make three requests more', async () => {
  const both = await readBeforeAndAfter(edit, { step: 'commit' });
  both.newer.release();
  await both.newer.done;
  both.space.service.clearLog();
  both.older.release();
  await both.older.done;
  // The heads, and what the other one has read one by one.
  expect(both.space.service.log).toHaveLength(3);
});
