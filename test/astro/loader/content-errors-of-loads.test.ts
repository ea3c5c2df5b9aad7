import { expect, test } from 'vitest';
import { ContentErrorsOfLoads } from '../../../src/astro/loader/content-errors-of-loads.ts';
import { LuidContentError } from '../../../src/index.ts';

const failing = (message: string, hint: string) => async () => {
  throw new LuidContentError(message, { hint, model: 'article', id: 1 });
};

test('loads that run at the same time fail with one error, after all have ended', async () => {
  const errors = new ContentErrorsOfLoads();
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasFailed = false;
  const first = errors.collect('articles', failing('one item', 'Correct it')).catch((error: unknown) => {
    hasFailed = true;
    return error;
  });
  const second = errors.collect('events', async () => {
    await promise;
    throw new LuidContentError('events: two items', { hint: 'Correct it' });
  });
  const third = errors.collect('authors', () => promise);
  await new Promise(setImmediate);
  expect(hasFailed).toBe(false);
  resolve();
  const message = '2 collections cannot be loaded:\narticles: one item\nevents: two items\n  → Correct it';
  expect(await first).toMatchObject({ message, model: 'article', id: 1 });
  await expect(second).rejects.toThrow(message);
  await expect(third).resolves.toBeUndefined();
});

test('another error is thrown at once, and is not part of it', async () => {
  const errors = new ContentErrorsOfLoads();
  const { promise, resolve } = Promise.withResolvers<void>();
  const pending = errors.collect('slow', () => promise);
  await expect(
    errors.collect('articles', async () => {
      throw new Error('disk');
    }),
  ).rejects.toThrow('disk');
  resolve();
  await pending;
});

test('the next loads start anew', async () => {
  const errors = new ContentErrorsOfLoads();
  await expect(errors.collect('articles', failing('one', 'Correct it'))).rejects.toThrow('one');
  await expect(errors.collect('events', failing('two', 'Correct it'))).rejects.toThrow(/^two/);
});
