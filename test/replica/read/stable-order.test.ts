import { expect, test } from 'vitest';
import { createStableOrder, type ReadInOrder } from '../../../src/replica/read/stable-order.ts';
import { LuidRequestError } from '../../../src/shared/errors.ts';

const page = (total: number) => ({ total, offset: 0, limit: 100, data: [] });
const refusal = new LuidRequestError('400', { status: 400 });

/** Requests that are answered by hand. */
function openRequests() {
  const requests: { order: string; resolve: (total: number) => void; reject: (error: unknown) => void }[] =
    [];
  const read: ReadInOrder = (order, { signal, onPermanentError } = {}) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      const refuse = (error: unknown) => {
        onPermanentError?.(error);
        reject(error);
      };
      requests.push({ order, resolve: (total) => resolve(page(total)), reject: refuse });
    });
  const orders = () => requests.map(({ order }) => order);
  const answer = async (index: number, result: number | Error) => {
    if (typeof result === 'number') requests[index]?.resolve(result);
    else requests[index]?.reject(result);
    await new Promise(setImmediate);
  };
  return { read, orders, answer };
}

test('pages are read by id, all at once', async () => {
  const { read, orders, answer } = openRequests();
  const stop = new AbortController();
  const readPage = createStableOrder(stop);
  const pages = Promise.all([readPage('t', read), readPage('t', read)]);
  expect(orders()).toEqual(['t,_id', 't,_id']);
  await answer(1, 1);
  await answer(0, 0);
  expect((await pages).map(({ total }) => total)).toEqual([0, 1]);
});

test('after a 400 all pages are read without _id', async () => {
  const { read, orders, answer } = openRequests();
  const stop = new AbortController();
  const readPage = createStableOrder(stop);
  const pages = Promise.all([readPage('t', read), readPage('t', read)]);
  await answer(1, refusal);
  const later = readPage('t', read);
  expect(orders()).toEqual(['t,_id', 't,_id', 't', 't', 't']);
  for (const index of [2, 3, 4]) await answer(index, index);
  const totals = [...(await pages), await later].map(({ total }) => total);
  expect(totals.sort()).toEqual([2, 3, 4]);
  expect(stop.signal.aborted).toBe(false);
});

test('if such a page is rejected too, its error ends the read', async () => {
  const { read, orders, answer } = openRequests();
  const stop = new AbortController();
  const page = createStableOrder(stop)('t', read);
  page.catch(() => {});
  await answer(0, refusal);
  const other = new LuidRequestError('other', { status: 400 });
  await answer(1, other);
  expect(orders()).toEqual(['t,_id', 't']);
  await expect(page).rejects.toBe(other);
});

test.each([
  ['a 400 after a page by id was read', refusal, true],
  ['another error', new LuidRequestError('401', { status: 401 }), false],
])('%s is an error at once', async (_, error, wasRead) => {
  const { read, orders, answer } = openRequests();
  const stop = new AbortController();
  const readPage = createStableOrder(stop);
  const first = readPage('t', read);
  first.catch(() => {});
  if (wasRead) await answer(0, 1);
  const second = wasRead ? readPage('t', read) : first;
  const failed = expect(second).rejects.toBe(error);
  await answer(wasRead ? 1 : 0, error);
  await failed;
  expect(stop.signal.reason).toBe(error);
  expect(orders()).not.toContain('t');
});
