import { expect, test } from 'vitest';
import { InvalidatedContent } from '../../../../src/astro/live/check/invalidated-content.ts';

/** A storage whose writes end when they are told to, and are then recorded. */
function slowStorage() {
  const written: string[] = [];
  const pending: (() => void)[] = [];
  return {
    written,
    pending,
    getItem: async () => written.at(-1) ?? null,
    setItem: (_: string, value: unknown) =>
      new Promise<void>((resolve) => {
        pending.push(() => {
          written.push(String(value));
          resolve();
        });
      }),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('the content that was confirmed last is stored last, however long a write takes', async () => {
  const storage = slowStorage();
  const content = new InvalidatedContent(storage as never, 'space');
  content.confirm('1');
  content.confirm('2');
  await settle();
  expect(storage.pending).toHaveLength(1);
  storage.pending[0]?.();
  await settle();
  storage.pending[1]?.();
  await settle();
  expect(storage.written).toEqual(['1', '2']);
});

test('what is stored is not stored again', async () => {
  const storage = slowStorage();
  const content = new InvalidatedContent(storage as never, 'space');
  storage.written.push('1');
  expect([await content.mayHaveOlderPages('1'), await content.mayHaveOlderPages('2')]).toEqual([false, true]);
  content.confirm('1');
  await settle();
  expect(storage.pending).toEqual([]);
});

test('a write that fails does not keep the next one from being stored', async () => {
  const written: unknown[] = [];
  const content = new InvalidatedContent(
    {
      getItem: async () => null,
      setItem: async (_: string, value: unknown) => {
        written.push(value);
        if (value === '1') throw new Error('full');
      },
    } as never,
    'space',
  );
  content.confirm('1');
  content.confirm('2');
  await settle();
  expect(written).toEqual(['1', '2']);
});
