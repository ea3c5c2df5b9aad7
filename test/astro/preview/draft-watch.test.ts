import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import { DraftWatch } from '../../../src/astro/preview/draft-watch.ts';
import { until } from '../../support/until.ts';
import { TestSource } from '../revalidate/test-source.ts';

/** A watch with a clock that the test controls, and a service whose content has a name. */
function setUp() {
  let content = 'a';
  let failure: Error | undefined;
  let sleeping: { wake: () => void; milliseconds: number } | undefined;
  const read = vi.fn(async () => {
    if (failure) throw failure;
    return content;
  });
  const warnings: string[] = [];
  const sources = new LiveSources();
  const watch = new DraftWatch({
    sources,
    interval: 2000,
    clock: {
      sleep: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const sleep = { wake: resolve, milliseconds };
          sleeping = sleep;
          signal?.addEventListener('abort', () => {
            if (sleeping === sleep) sleeping = undefined;
            reject(signal.reason);
          });
        }),
    },
    logger: { warn: (message) => warnings.push(message) },
  });
  return {
    watch,
    read,
    sources,
    warnings,
    edit: (next: string) => {
      content = next;
    },
    fail: (error: Error | undefined) => {
      failure = error;
    },
    /** Lets the next read wait until its result is passed. */
    holdRead() {
      const held = Promise.withResolvers<string>();
      read.mockImplementationOnce(() => held.promise);
      return held.resolve;
    },
    delay: () => sleeping?.milliseconds,
    /** Lets the time of the next check come, or waits for the one that is running. */
    async tick() {
      const next = sleeping;
      sleeping = undefined;
      next?.wake();
      await until(() => sleeping !== undefined);
    },
  };
}

test('changes are reported to all open previews, with one check for all of them', async () => {
  const { watch, read, edit, tick } = setUp();
  await watch.beforeShowing('space', read);
  const listeners = [vi.fn(), vi.fn(), vi.fn()];
  for (const listener of listeners) watch.subscribe(listener);
  await tick();
  for (const listener of listeners) expect(listener).not.toHaveBeenCalled();
  edit('b');
  await tick();
  await tick();
  for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1);
  expect(read).toHaveBeenCalledTimes(4);
});

test('a change between the page and its first check is reported', async () => {
  const { watch, read, edit, tick, delay } = setUp();
  await watch.beforeShowing('space', read);
  edit('b');
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
  expect(delay()).toBe(2000);
});

test('a page is told of a change although another page was shown with it before the preview of the first opened', async () => {
  const { watch, read, edit, tick } = setUp();
  await watch.beforeShowing('space', read);
  edit('b');
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('many pages with different content are told once, whichever of it is current', async () => {
  const { watch, read, edit, tick } = setUp();
  for (const content of ['b', 'c', 'd', 'a']) {
    edit(content);
    await watch.beforeShowing('space', read);
  }
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a page that is shown while a check runs is compared by the next check', async () => {
  const { watch, read, edit, tick, holdRead } = setUp();
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  const answer = holdRead();
  watch.subscribe(listener);
  // This page shows a, its preview opens after the check has found b.
  await watch.beforeShowing('space', read);
  edit('b');
  answer('b');
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
  const later = vi.fn();
  watch.subscribe(later);
  await tick();
  await tick();
  expect(later).toHaveBeenCalledTimes(1);
});

test('a page that is shown before the only preview closes is told of a change after that', async () => {
  const { watch, read, edit, tick } = setUp();
  await watch.beforeShowing('space', read);
  const close = watch.subscribe(() => {});
  await tick();
  await watch.beforeShowing('space', read);
  close();
  edit('b');
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a change that is found when the only preview has closed is reported to the next one', async () => {
  const { watch, read, edit, tick, holdRead } = setUp();
  await watch.beforeShowing('space', read);
  const answer = holdRead();
  const close = watch.subscribe(() => {});
  close();
  edit('b');
  answer('b');
  await setImmediate();
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('nothing is checked while no preview is open, and what changed meanwhile is not reported to the next', async () => {
  const { watch, read, edit, tick, delay } = setUp();
  await watch.beforeShowing('space', read);
  const close = watch.subscribe(() => {});
  await tick();
  close();
  expect(delay()).toBeUndefined();
  edit('b');
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  expect(listener).not.toHaveBeenCalled();
});

test('failures are logged once, and checks become rarer until one succeeds', async () => {
  const { watch, read, fail, edit, tick, delay, warnings } = setUp();
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  fail(new Error('down'));
  watch.subscribe(listener);
  const delays: (number | undefined)[] = [];
  for (let n = 0; n < 7; n++) {
    await tick();
    delays.push(delay());
  }
  expect(delays).toEqual([4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(warnings).toEqual(['[astro-luid] Cannot check for changed drafts, will retry: down']);
  fail(undefined);
  edit('b');
  await tick();
  expect(delay()).toBe(2000);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a change is reported although another space cannot be checked at the same time', async () => {
  const { watch, read, fail, tick, delay } = setUp();
  let other = '1';
  await watch.beforeShowing('other', async () => other);
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  other = '2';
  fail(new Error('down'));
  await tick();
  expect(delay()).toBe(4000);
  fail(undefined);
  await tick();
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a preview that is opened while the last check of another one ends starts no second series of checks', async () => {
  const { watch, read, tick, holdRead } = setUp();
  await watch.beforeShowing('space', read);
  const answer = holdRead();
  const close = watch.subscribe(() => {});
  close();
  watch.subscribe(() => {});
  answer('a');
  await tick();
  const before = read.mock.calls.length;
  await tick();
  await tick();
  expect(read).toHaveBeenCalledTimes(before + 2);
});

test('a page is shown although the drafts cannot be checked, and the first check that succeeds counts as a change', async () => {
  const { watch, read, fail, tick, warnings } = setUp();
  fail(new Error('down'));
  await watch.beforeShowing('space', read);
  expect(warnings).toHaveLength(1);
  const listener = vi.fn();
  fail(undefined);
  watch.subscribe(listener);
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('changes of live content are reported as they are found', () => {
  const { watch, sources } = setUp();
  let report = () => {};
  sources.add({
    version: 1,
    tagsSince: () => [],
    refresh: async () => ({ tags: [], added: 0, changed: 0, removed: 0 }),
    onChange(listener) {
      report = () => listener({ tags: ['x'], added: 0, changed: 1, removed: 0 });
      return () => {};
    },
  });
  const listener = vi.fn();
  watch.subscribe(listener);
  report();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('an event is followed by a check at once, without waiting for the interval', async () => {
  const { watch, read, edit, sources, tick } = setUp();
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  watch.subscribe(listener);
  await tick();
  edit('b');
  sources.reportEvent();
  await until(() => listener.mock.calls.length > 0);
  await tick();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('an event refreshes drafts that only previews show, if they are in use', async () => {
  const { watch, read, sources } = setUp();
  const [used, unused] = [new TestSource(), new TestSource()];
  for (const source of [used, unused]) {
    source.isForPreviews = true;
    sources.add(source);
  }
  used.change('a');
  await watch.beforeShowing('space', read);
  const listener = vi.fn();
  const end = watch.subscribe(listener);
  used.found.push({ tags: ['a'], added: 0, changed: 1, removed: 0 });
  sources.reportEvent();
  await until(() => listener.mock.calls.length > 0);
  expect([used.refreshes, used.options, unused.refreshes]).toEqual([1, { isAfterEvent: true }, 0]);
  end();
});

test('an event costs nothing while no preview is open', async () => {
  const { watch, read, sources } = setUp();
  await watch.beforeShowing('space', read);
  sources.reportEvent();
  await setImmediate();
  expect(read).toHaveBeenCalledTimes(1);
});
