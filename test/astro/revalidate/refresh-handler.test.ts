import { expect, test } from 'vitest';
import { RateLimit } from '../../../src/astro/revalidate/rate-limit.ts';
import { handleRefresh, hashSecret } from '../../../src/astro/revalidate/refresh-handler.ts';

async function* noBody() {}

/** An endpoint that allows 3 wrong secrets per minute. */
function endpoint() {
  const options = {
    findSecretHash: async () => hashSecret('open sesame'),
    refresh: async () => ({}),
    refusals: new RateLimit({ max: 3, window: 60_000, now: () => 0 }),
    logger: { error: () => {} },
  };
  return async (headers: Record<string, string> = {}) => {
    const request = { method: 'POST', header: (name: string) => headers[name], body: noBody };
    const response = await handleRefresh(request, options);
    return [response.status, response.headers['retry-after']];
  };
}

test('too many wrong secrets are refused with 429 and Retry-After', async () => {
  const send = endpoint();
  for (let n = 0; n < 3; n += 1) expect(await send({ 'x-luid-secret': `${n}` })).toEqual([401, undefined]);
  expect(await send({ 'x-luid-secret': 'wrong' })).toEqual([429, '60']);
  expect(await send({ authorization: 'Bearer wrong' })).toEqual([429, '60']);
});

test('the secret is accepted, however many wrong ones were sent', async () => {
  const send = endpoint();
  for (let n = 0; n < 10; n += 1) await send({ 'x-luid-secret': `${n}` });
  expect(await send({ 'x-luid-secret': 'open sesame' })).toEqual([200, undefined]);
});

test('requests without a secret count for nothing', async () => {
  const send = endpoint();
  for (let n = 0; n < 10; n += 1) expect(await send()).toEqual([401, undefined]);
  expect(await send({ 'x-luid-secret': 'wrong' })).toEqual([401, undefined]);
});
