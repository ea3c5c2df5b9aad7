import { createStorage } from 'unstorage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveHost } from '../../../../src/astro/live/check/live-host.ts';
import { LiveReplica } from '../../../../src/astro/live/check/live-replica.ts';
import { openHost as openNodeHost } from '../../../../src/astro/live/check/node-host.ts';
import { openHost as openStorageHost } from '../../../../src/astro/live/check/storage-host.ts';
import type { VersionState } from '../../../../src/astro/live/check/version-state.ts';
import { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import type { LiveSource } from '../../../../src/astro/live/live-sources.ts';
import { withOneVersion } from '../../../../src/astro/revalidate/revalidate-responses.ts';
import { createEmulator, type Emulator } from '../../../../src/emulator/index.ts';
import { defineSpace } from '../../../../src/index.ts';
import type { RunningSpace } from '../../../../src/space/space.ts';
import { MODELS, seedOf } from '../../../support/emulated-space.ts';

const logger = { info: () => {}, warn: () => {} } as never;
const PERMANENT = { isPreview: false };
let service: Emulator;
let beforeRequest: () => Promise<void>;
let space: RunningSpace;
let open: LiveReplica[];

beforeEach(() => {
  service = createEmulator(seedOf(40), { origin: 'http://concurrent-loads.test', rateLimit: false });
  beforeRequest = async () => {};
  open = [];
  space = defineSpace({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    models: MODELS,
    languages: { main: 'ja', sub: ['en'] },
    cache: { storage: createStorage() },
    network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0 },
    fetch: async (...request: Parameters<typeof fetch>) => {
      await beforeRequest();
      return service.fetch(...(request as [Request]));
    },
  } as never) as unknown as RunningSpace;
});

afterEach(() => {
  for (const replica of open) replica.close();
});

function openReplica(openHost: () => Promise<LiveHost>, refresh: number): LiveReplica {
  const replica = new LiveReplica({
    space,
    source: {} as LiveSource,
    openHost,
    maxAge: Number.POSITIVE_INFINITY,
    verifyAfter: Number.POSITIVE_INFINITY,
    label: 'Content',
    logger: { info() {}, warn() {} },
    everyTag: () => [],
    findChange: async () => ({ tags: ['changed'], added: 0, changed: 1, removed: 0 }),
  });
  replica.require(refresh, [], PERMANENT);
  open.push(replica);
  return replica;
}

const titleIn = ({ content }: VersionState) => (content.main.get(2) as unknown as { title: string }).title;

/** Something that waits until it is released, and when it was reached. */
function gate() {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const pass = () => {
    reached.resolve();
    return released.promise;
  };
  return { pass, reached: reached.promise, release: released.resolve };
}

test('loads of one request that run at once see the same version, also if the first of them finds a new one', async () => {
  const writer = openReplica(() => openNodeHost(space as never, false, logger), 1e9);
  await writer.current();
  // Without a timer: a check is due with each request.
  const reader = openReplica(() => openStorageHost(space as never, false, logger), 0);
  await reader.current();
  service.contents.edit(2, { title: 'edited' });
  await writer.refresh();
  await withOneVersion({}, async (versions) => {
    const states = await Promise.all([reader.current(), reader.current(), reader.current()]);
    expect(new Set(states).size).toBe(1);
    expect([...versions.values()]).toMatchObject([{ version: states[0].number }]);
  });
  expect(titleIn(await reader.current())).toBe('edited');
});

test('a language that is first needed during the first sync is read after it, and nobody gets an error', async () => {
  const replica = openReplica(() => openNodeHost(space as never, false, logger), 1e9);
  const { pass, reached, release } = gate();
  beforeRequest = pass;
  const main = replica.current([]);
  await reached;
  replica.require(1e9, ['en'], PERMANENT);
  const english = replica.current(['en']);
  release();
  expect(titleIn(await main)).toBe('item 2');
  expect((await english).hasLangs(['en'])).toBe(true);
});

test('a source that is replaced while it opens does not go on checking', async () => {
  const { pass, reached, release } = gate();
  let isClosed = false;
  const opened = {
    version: 0,
    tagsSince: () => [],
    refresh: async () => ({ tags: [], added: 0, changed: 0, removed: 0 }),
    onChange: () => () => {},
    close: () => {
      isClosed = true;
    },
    reopen: () => {},
  };
  const source: LazyLiveSource = new LazyLiveSource(async () => {
    await pass();
    source.attach(opened);
    return opened;
  });
  const refreshed = source.refresh();
  await reached;
  source.close();
  release();
  await refreshed;
  expect(isClosed).toBe(true);
});
