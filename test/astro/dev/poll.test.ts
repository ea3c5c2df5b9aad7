import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clearCollectionStatuses, setCollectionStatus } from '../../../src/astro/collection-status.ts';
import { loadedFingerprint } from '../../../src/astro/dev/loaded-fingerprint.ts';
import { poll } from '../../../src/astro/dev/poll.ts';
import luid from '../../../src/astro/integration/integration.ts';
import type { ConnectedSpace } from '../../../src/space/space.ts';
import { liveSpace } from '../live/live-space.ts';

/** Polls through a script, a look each, and gives what happened. */
async function watch(
  script: readonly (string | Error)[],
  onChange: (at: number) => Promise<void> = async () => {},
  isRestart = false,
  isStale: (() => boolean) | undefined = undefined,
) {
  const events: string[] = [];
  const closing = new AbortController();
  let looks = 0;
  await poll({
    interval: 10_000,
    readFingerprint: async () => {
      const found = script[looks++];
      if (looks === script.length) closing.abort();
      if (found instanceof Error) throw found;
      return found ?? '';
    },
    onChange: async () => {
      events.push(`change ${looks}`);
      await onChange(looks);
    },
    logger: {
      info: (message) => events.push(`info ${message}`),
      warn: (message) => events.push(`warn ${message}`),
    },
    signal: closing.signal,
    isRestart,
    isStale,
    clock: {
      sleep: async (milliseconds) => {
        events.push(`sleep ${milliseconds / 1000}`);
      },
    },
  });
  return events;
}

describe('the poller', () => {
  test('looks at once, then after each interval, and tells only changes', async () => {
    expect(await watch(['a', 'a', 'b', 'b', 'a', 'end'])).toEqual([
      ...['sleep 10', 'sleep 10', 'change 3', 'sleep 10', 'sleep 10', 'change 5', 'sleep 10'],
      'sleep 10',
    ]);
  });

  test('takes its first look for a change where nothing else is loaded at the start', async () => {
    expect(await watch(['a', 'a', 'end'], async () => {}, true)).toEqual([
      ...['sleep 10', 'change 1', 'sleep 10', 'sleep 10', 'sleep 10'],
    ]);
  });

  test('takes a look for a change as long as what is loaded is known to be old', async () => {
    let isStale = true;
    const load = async (at: number) => {
      isStale = at < 4;
    };
    const down = new Error('down');
    const events = await watch([down, 'a', 'a', 'a', 'a', 'end'], load, false, () => isStale);
    expect(events.filter((event) => event.startsWith('change'))).toEqual(['change 2', 'change 4']);
  });

  test('loads less and less often while every load ends with old content', async () => {
    const looks = Array.from({ length: 40 }, () => 'a');
    const events = await watch(
      looks,
      async () => {},
      false,
      () => true,
    );
    const changes = events.filter((event) => event.startsWith('change'));
    expect(changes).toEqual(['change 1', 'change 3', 'change 7', 'change 15', 'change 31']);
    expect(events.filter((event) => event.startsWith('warn'))).toEqual([]);
  });

  test('warns once of a service that is down, asks less and less often, and tells when it is back', async () => {
    const down = new Error('down');
    const events = await watch(['a', ...Array.from({ length: 7 }, () => down), 'a', 'a', 'end']);
    expect(events).toEqual([
      'sleep 10',
      'warn Cannot check for changes, will retry: down',
      ...[20, 40, 80, 160, 300, 300, 300].map((seconds) => `sleep ${seconds}`),
      'info Checking for changes works again',
      ...['sleep 10', 'sleep 10', 'sleep 10'],
    ]);
  });

  test('sees a change that was made while the service was down', async () => {
    const events = await watch(['a', new Error('down'), 'b', 'end']);
    expect(events).toContain('change 3');
  });

  test('tries a refresh again that failed, less and less often, and warns once', async () => {
    const changes = ['b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b'];
    const events = await watch(['a', ...changes, 'end'], async (at) => {
      if (at < 9) throw new Error('it does not fit');
    });
    expect(events.filter((event) => !event.startsWith('sleep'))).toEqual([
      'change 2',
      'warn Cannot load the changes, will retry: it does not fit',
      ...['change 4', 'change 8'],
    ]);
  });

  test('does not wait with the next change where a refresh failed, and takes none for what was before', async () => {
    const events = await watch(['a', 'b', 'a', 'a', 'end'], async (at) => {
      if (at === 2) throw new Error('it does not fit');
    });
    expect(events.filter((event) => event.startsWith('change'))).toEqual(['change 2', 'change 3']);
  });

  test('ends at once when the server closes, also while it waits', async () => {
    const closing = new AbortController();
    const logger = { info: () => {}, warn: () => {} };
    let looked = () => {};
    const first = new Promise<void>((resolve) => {
      looked = resolve;
    });
    const look = async () => {
      looked();
      return 'a';
    };
    const ended = poll({
      interval: 3_600_000,
      readFingerprint: look,
      onChange: async () => {},
      logger,
      signal: closing.signal,
    });
    await first;
    closing.abort();
    await ended;
  });
});

describe('the heads that are polled', () => {
  test('are two requests, which the CDN answers from then on', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    const first = await loadedFingerprint(space, {});
    expect(emulator.log).toHaveLength(2);
    expect(await loadedFingerprint(space, {})).toBe(first);
    expect(emulator.log.slice(2).map(({ cdn }) => cdn)).toEqual(['hit', 'hit']);
  });

  test('differ after an edit', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    const before = await loadedFingerprint(space, {});
    emulator.contents.edit(101, { title: 'Another' });
    expect(await loadedFingerprint(space, {})).not.toBe(before);
  });

  test('§5 are those of the key that is used: a draft saved once more shows where drafts are loaded', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    setCollectionStatus({ collection: 'articles', model: 'article', drafts: true, entries: 3, loadedAt: 0 });
    const before = await loadedFingerprint(space, {});
    emulator.contents.saveDraft(103, { title: 'Night train' });
    expect(await loadedFingerprint(space, {})).not.toBe(before);
    clearCollectionStatuses();
  });

  test('are found with a key for drafts alone, before anything is loaded', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace({ apiKey: '' });
    await loadedFingerprint(space, {});
    expect(emulator.log.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('are asked for in the languages that are loaded', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    const langs = [undefined, 'en'];
    setCollectionStatus({
      collection: 'articles',
      model: 'article',
      drafts: false,
      langs,
      entries: 3,
      loadedAt: 0,
    });
    await loadedFingerprint(space, {});
    expect(emulator.log.map(({ query }) => query.includes('lang=en'))).toEqual(
      expect.arrayContaining([true, false]),
    );
    expect(emulator.log).toHaveLength(4);
    clearCollectionStatuses();
  });
});

describe('astro dev', () => {
  /** Runs the hooks of the integration as a dev server does; gives what ends it. */
  function startDev(space: ConnectedSpace, variables: string): () => void {
    const folder = mkdtempSync(join(tmpdir(), 'astro-luid-poll-'));
    writeFileSync(join(folder, '.env'), variables);
    const logger = { info() {}, warn() {} };
    const { hooks } = luid(space, { poll: 1 });
    hooks['astro:config:setup']?.({
      config: { root: pathToFileURL(`${folder}/`), image: {} },
      command: 'dev',
      isRestart: false,
      updateConfig() {},
      addDevToolbarApp() {},
      logger,
    } as never);
    hooks['astro:server:setup']?.({
      server: { middlewares: { use() {} }, httpServer: null },
      toolbar: { on() {}, send() {} },
      refreshContent: async () => {},
      logger,
    } as never);
    rmSync(folder, { recursive: true });
    return () => hooks['astro:server:done']?.({ logger } as never);
  }

  test('does not poll where LUID_OFFLINE is on in .env', async () => {
    clearCollectionStatuses();
    const offline = liveSpace();
    const online = liveSpace();
    let requests = 0;
    offline.emulator.beforeRequest = () => {
      requests += 1;
    };
    const asked = new Promise<void>((resolve) => {
      online.emulator.beforeRequest = () => resolve();
    });
    const ends = [
      startDev(offline.space, 'LUID_OFFLINE=true\n'),
      startDev(online.space, 'LUID_OFFLINE=false\n'),
    ];
    // It was started later, so whatever the other would have requested is under way before.
    await asked;
    for (const end of ends) end();
    expect(requests).toBe(0);
  });

  test('refuses a value of LUID_OFFLINE that is neither on nor off', () => {
    expect(() => startDev(liveSpace().space, 'LUID_OFFLINE=ture\n')).toThrow("LUID_OFFLINE is 'ture'");
  });
});
