import { afterEach, expect, test } from 'vitest';
import { findWaitUntil } from '../../../src/astro/revalidate/wait-until.ts';

const VERCEL = Symbol.for('@vercel/request-context');
const shared = globalThis as { [VERCEL]?: unknown };
afterEach(() => {
  delete shared[VERCEL];
});

class Context {
  readonly work: unknown[] = [];
  waitUntil(promise: Promise<unknown>): void {
    this.work.push(promise);
  }
}

test('the context of Cloudflare and Netlify is that of the request', () => {
  const [cloudflare, netlify] = [new Context(), new Context()];
  const work = Promise.resolve();
  findWaitUntil({ cfContext: cloudflare })?.(work);
  findWaitUntil({ netlify: { context: netlify } })?.(work);
  expect([cloudflare.work, netlify.work]).toEqual([[work], [work]]);
});

test('the context of Vercel is found for each request', () => {
  const contexts = [new Context(), new Context()];
  let current = 0;
  shared[VERCEL] = { get: () => contexts[current] };
  const work = Promise.resolve();
  findWaitUntil({})?.(work);
  current = 1;
  findWaitUntil({})?.(work);
  expect(contexts.map((context) => context.work)).toEqual([[work], [work]]);
});

test('other servers need none', () => {
  expect(findWaitUntil({})).toBeUndefined();
  expect(findWaitUntil({ netlify: {}, cfContext: { waitUntil: true } })).toBeUndefined();
  shared[VERCEL] = { get: () => undefined };
  expect(findWaitUntil({})).toBeUndefined();
});
