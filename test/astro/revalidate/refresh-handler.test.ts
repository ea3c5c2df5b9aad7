import { expect, test } from 'vitest';
import { handleRefresh, hashSecret } from '../../../src/astro/revalidate/refresh-handler.ts';
import { createSlidingWindow } from '../../../src/client/http/limits/sliding-window.ts';

/** An endpoint that allows 3 wrong secrets per minute. */
function endpoint(more: object = {}) {
  const options = {
    findSecretHash: async () => hashSecret('open sesame, little door'),
    refresh: async () => ({}),
    refusals: createSlidingWindow(3, 60_000, () => 0),
    logger: { error: () => {} },
    ...more,
  };
  return async (headers: Record<string, string> = {}) => {
    const request = new Request('http://site.test/_luid/refresh', { method: 'POST', headers });
    const response = await handleRefresh(request, options);
    return [response.status, response.headers.get('retry-after')];
  };
}

test('too many wrong secrets are refused with 429 and Retry-After', async () => {
  const send = endpoint();
  for (let n = 0; n < 3; n += 1) expect(await send({ 'x-luid-secret': `${n}` })).toEqual([401, null]);
  expect(await send({ 'x-luid-secret': 'wrong' })).toEqual([429, '60']);
  expect(await send({ authorization: 'Bearer wrong' })).toEqual([429, '60']);
});

test('the secret is accepted, however many wrong ones were sent', async () => {
  const send = endpoint();
  for (let n = 0; n < 10; n += 1) await send({ 'x-luid-secret': `${n}` });
  expect(await send({ 'x-luid-secret': 'open sesame, little door' })).toEqual([200, null]);
});

test('requests without a secret count for nothing', async () => {
  const send = endpoint();
  for (let n = 0; n < 10; n += 1) expect(await send()).toEqual([401, null]);
  expect(await send({ 'x-luid-secret': 'wrong' })).toEqual([401, null]);
});

test('the secret is accepted in the configured header, and in the usual ones', async () => {
  const send = endpoint({ header: 'X-Webhook-Secret' });
  const secret = 'open sesame, little door';
  expect(await send({ 'x-webhook-secret': secret })).toEqual([200, null]);
  expect(await send({ 'x-luid-secret': secret })).toEqual([200, null]);
  expect(await send({ authorization: `Bearer ${secret}` })).toEqual([200, null]);
  expect(await send({ 'x-webhook-secret': 'wrong' })).toEqual([401, null]);
});

test('the body of an event is passed on, whatever it is', async () => {
  const bodies: string[] = [];
  const options = {
    findSecretHash: async () => hashSecret('open sesame, little door'),
    refresh: async (body: string) => {
      bodies.push(body);
      return {};
    },
    logger: { error: () => {} },
  };
  for (const body of ['{"model":"記事"}', 'no json', '']) {
    const headers = { 'x-luid-secret': 'open sesame, little door' };
    await handleRefresh(
      new Request('http://site.test/_luid/refresh', { method: 'POST', headers, body }),
      options,
    );
  }
  expect(bodies).toEqual(['{"model":"記事"}', 'no json', '']);
});
