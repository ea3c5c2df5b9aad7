import { describe, expect, test } from 'vitest';
import { poll } from '../../../src/astro/dev/poll.ts';

/** Polls once for each result of the script, and returns what happened. */
async function pollThrough(
  script: readonly (string | Error)[],
  onChange: (at: number) => Promise<void> = async () => {},
  isRestart = false,
  isStale: (() => boolean) | undefined = undefined,
) {
  const events: string[] = [];
  const closing = new AbortController();
  let checks = 0;
  await poll({
    interval: 10_000,
    readFingerprint: async () => {
      const found = script[checks++];
      if (checks === script.length) closing.abort();
      if (found instanceof Error) throw found;
      return found ?? '';
    },
    onChange: async () => {
      events.push(`change ${checks}`);
      await onChange(checks);
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

describe('polling', () => {
  test('checks immediately, then after each interval, and reports only changes', async () => {
    expect(await pollThrough(['a', 'a', 'b', 'b', 'a', 'end'])).toEqual([
      ...['sleep 10', 'sleep 10', 'change 3', 'sleep 10', 'sleep 10', 'change 5', 'sleep 10'],
      'sleep 10',
    ]);
  });

  test('reports its first check as a change after a restart', async () => {
    expect(await pollThrough(['a', 'a', 'end'], async () => {}, true)).toEqual([
      ...['sleep 10', 'change 1', 'sleep 10', 'sleep 10', 'sleep 10'],
    ]);
  });

  test('reports a change that was made before its first check that succeeds', async () => {
    const events = await pollThrough([new Error('503'), 'b', 'b', 'b']);
    expect(events.filter((event) => event.startsWith('change'))).toEqual(['change 2']);
  });

  test('reports a check as a change while the loaded content is stale', async () => {
    let isStale = true;
    const load = async (at: number) => {
      isStale = at < 4;
    };
    const down = new Error('down');
    const events = await pollThrough([down, 'a', 'a', 'a', 'a', 'end'], load, false, () => isStale);
    expect(events.filter((event) => event.startsWith('change'))).toEqual(['change 2', 'change 4']);
  });

  test('loads with a growing delay while every load ends with stale content', async () => {
    const results = Array.from({ length: 40 }, () => 'a');
    const events = await pollThrough(
      results,
      async () => {},
      false,
      () => true,
    );
    const changes = events.filter((event) => event.startsWith('change'));
    expect(changes).toEqual(['change 1', 'change 3', 'change 7', 'change 15', 'change 31']);
    expect(events.filter((event) => event.startsWith('warn'))).toEqual([]);
  });

  test('warns once if the service is down, retries with a growing delay, and logs the recovery', async () => {
    const down = new Error('down');
    const events = await pollThrough(['a', ...Array.from({ length: 7 }, () => down), 'a', 'a', 'end']);
    expect(events).toEqual([
      'sleep 10',
      'warn Cannot check for changes, will retry: down',
      ...[20, 40, 80, 160, 300, 300, 300].map((seconds) => `sleep ${seconds}`),
      'info Checking for changes works again',
      ...['sleep 10', 'sleep 10', 'sleep 10'],
    ]);
  });

  test('reports a change that was made while the service was down', async () => {
    const events = await pollThrough(['a', new Error('down'), 'b', 'end']);
    expect(events).toContain('change 3');
  });

  test('retries a failed refresh with a growing delay, and warns once', async () => {
    const changes = ['b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b'];
    const events = await pollThrough(['a', ...changes, 'end'], async (at) => {
      if (at < 9) throw new Error('it does not fit');
    });
    expect(events.filter((event) => !event.startsWith('sleep'))).toEqual([
      'change 2',
      'warn Cannot load the changes, will retry: it does not fit',
      ...['change 4', 'change 8'],
    ]);
  });

  test('loads the next change at once after a failed refresh, also one back to the previous content', async () => {
    const events = await pollThrough(['a', 'b', 'a', 'a', 'end'], async (at) => {
      if (at === 2) throw new Error('it does not fit');
    });
    expect(events.filter((event) => event.startsWith('change'))).toEqual(['change 2', 'change 3']);
  });

  test('stops at once when the server closes, also during a delay', async () => {
    const closing = new AbortController();
    const logger = { info: () => {}, warn: () => {} };
    let checked = () => {};
    const first = new Promise<void>((resolve) => {
      checked = resolve;
    });
    const readFingerprint = async () => {
      checked();
      return 'a';
    };
    const ended = poll({
      interval: 3_600_000,
      readFingerprint,
      onChange: async () => {},
      logger,
      signal: closing.signal,
    });
    await first;
    closing.abort();
    await ended;
  });
});
