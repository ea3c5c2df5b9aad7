import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SegmentWriter } from '../../../src/replica/store/segments/segment-writer.ts';

/** So many characters may wait to be written. */
const MOST = 32 * 2 ** 20;

/** A writer whose writes end when the test says so. */
function open() {
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  const writer = new SegmentWriter((hash, body) => {
    started.push(`${hash} ${body.length}`);
    const write = Promise.withResolvers<void>();
    running.set(hash, write);
    return write.promise;
  });
  return {
    writer,
    started,
    finish: async (hash: string) => {
      running.get(hash)?.resolve();
      await setImmediate();
    },
    fail: async (hash: string, message: string) => {
      running.get(hash)?.reject(new Error(message));
      await setImmediate();
    },
  };
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await setImmediate();
  return settled;
}

describe('a writer of segments', () => {
  test('writes while others are made, and ends when all are written', async () => {
    const { writer, started, finish } = open();
    await writer.set('a', 'x');
    await writer.set('b', 'xyz');
    await setImmediate();
    expect(started).toEqual(['a 1', 'b 3']);
    const end = writer.end();
    await finish('a');
    expect(await isSettled(end)).toBe(false);
    await finish('b');
    expect(await isSettled(end)).toBe(true);
    await end;
  });

  test('ends at once if nothing is written', async () => {
    await expect(open().writer.end()).resolves.toBeUndefined();
  });

  test('writes up to eight in parallel', async () => {
    const { writer, started, finish } = open();
    for (let n = 1; n <= 10; n++) await writer.set(`s${n}`, 'x');
    await setImmediate();
    expect(started).toHaveLength(8);
    await finish('s1');
    expect(started).toHaveLength(9);
  });

  test('waits while too much is in memory, until some of it is written', async () => {
    const { writer, finish } = open();
    await writer.set('a', 'x');
    expect(await isSettled(writer.set('b', 'x'.repeat(MOST - 1)))).toBe(true);
    const waiting = writer.set('c', 'x');
    expect(await isSettled(waiting)).toBe(false);
    await finish('a');
    expect(await isSettled(waiting)).toBe(true);
    expect(await isSettled(writer.set('d', 'x'))).toBe(false);
  });
});

describe('a segment that cannot be written', () => {
  test('is an error at the end: the first of them, after the others are written', async () => {
    const { writer, fail, finish } = open();
    for (const hash of ['a', 'b', 'c']) await writer.set(hash, 'x');
    await setImmediate();
    await fail('b', 'first');
    await fail('a', 'second');
    const end = writer.end();
    expect(await isSettled(end)).toBe(false);
    await finish('c');
    await expect(end).rejects.toEqual(new Error('first'));
  });

  test('is the last one that is tried', async () => {
    const { writer, started, fail } = open();
    await writer.set('a', 'x');
    await setImmediate();
    await fail('a', 'full');
    await writer.set('b', 'x');
    await expect(writer.end()).rejects.toEqual(new Error('full'));
    expect(started).toEqual(['a 1']);
  });

  test('no longer counts as being in memory', async () => {
    const { writer, fail } = open();
    const waiting = writer.set('a', 'x'.repeat(MOST + 1));
    expect(await isSettled(waiting)).toBe(false);
    await fail('a', 'full');
    expect(await isSettled(waiting)).toBe(true);
  });
});
