import type { MiddlewareHandler } from 'astro';
import { describe, expect, test } from 'vitest';
// Astro's own, so that pages are stored exactly as in a server.
import { AstroCache, applyCacheHeaders } from '../../../node_modules/astro/dist/core/cache/runtime/cache.js';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import { previewRequests } from '../../../src/astro/preview/preview-requests.ts';
import { neverCache } from '../../../src/astro/preview/preview-responses.ts';
import type { RouteCache } from '../../../src/astro/revalidate/cache-invalidation.ts';
import { revalidateResponses } from '../../../src/astro/revalidate/revalidate-responses.ts';
import { Revalidation } from '../../../src/astro/revalidate/revalidation.ts';
import { TestSource } from '../revalidate/test-source.ts';
import { createRequest, createSettings } from './preview-visitor.ts';

const createCache = () => new AstroCache(null as never) as RouteCache;

/** The headers with which Astro stores a response in its route cache. */
function headersFor(cache: RouteCache): Record<string, string> {
  const response = new Response();
  applyCacheHeaders(cache, response, new Request('https://site.test'));
  return Object.fromEntries(response.headers);
}

const HINT = { maxAge: 3600, tags: ['a'], etag: 'b', lastModified: new Date(0) };

describe('a response that must not be cached', () => {
  test('is not cached although it was set before, and a component sets it later', () => {
    const cache = createCache();
    cache.set(HINT);
    neverCache({ cache });
    cache.set(HINT);
    cache.set({ id: 'a', data: {}, cacheHint: HINT } as never);
    expect(headersFor(cache)).toEqual({});
  });

  test('is not cached although a middleware wraps the function that sets it', () => {
    const cache = createCache();
    neverCache({ cache });
    const { set } = cache;
    cache.set = (input) => set.call(cache, input);
    cache.set(HINT);
    neverCache({ cache });
    cache.set(HINT);
    expect(headersFor(cache)).toEqual({});
  });

  test.each([
    ['is frozen', (cache: RouteCache) => Object.freeze(cache)],
    ['has a function that cannot be replaced', keepSet],
    ['stays as it is', (cache: RouteCache) => Object.assign(cache, { set() {} })],
  ])('is an error if the cache %s', (_, change) => {
    const cache = createCache();
    cache.set(HINT);
    expect(() => neverCache({ cache: change(cache) })).toThrow();
  });

  test('is an error if the tags of the cache stay', () => {
    const cache = createCache();
    Object.defineProperty(cache, 'options', { get: () => ({ tags: ['a'] }) });
    expect(() => neverCache({ cache })).toThrow('cannot be disabled');
  });

  test('needs nothing if there is no cache, or if it is disabled', () => {
    neverCache({});
    neverCache({ cache: { enabled: false } as RouteCache });
  });
});

/** A proxy whose function `set` is always the original one. */
function keepSet(cache: RouteCache): RouteCache {
  return new Proxy(cache, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      return name === 'set' ? AstroCache.prototype.set.bind(target) : value;
    },
  });
}

describe('a page in preview', () => {
  const preview = async () => previewRequests(await createSettings());
  const revalidate = async () => {
    const sources = new LiveSources();
    sources.add(new TestSource());
    const logger = { info: fail, warn: fail, error: fail };
    return revalidateResponses({
      sources,
      revalidation: new Revalidation(sources, { logger }),
      isDev: false,
      logger,
    });
  };

  test.each([
    ['alone', [preview]],
    ['within `revalidate`', [revalidate, preview]],
    ['around `revalidate`', [preview, revalidate]],
  ])('is not cached although one of its components calls `Astro.cache.set` late: %s', async (_, all) => {
    const cache = createCache();
    const context = await createRequest('/live/a', await createSettings(), { cache });
    const handlers = await Promise.all(all.map((create) => create()));
    const render = async () => {
      cache.set(HINT);
      return new Response('draft');
    };
    await handlers.reduceRight<() => Promise<Response>>(
      (next, handle: MiddlewareHandler) => async () => (await handle(context, next)) as Response,
      render,
    )();
    cache.set(HINT);
    expect(headersFor(cache)).toEqual({});
  });

  test('is not cached if a visitor requests it who has not entered the preview', async () => {
    const cache = createCache();
    const cookies = { get: () => undefined } as never;
    const context = await createRequest('/_luid/preview/live/a', await createSettings(), { cache, cookies });
    const response = (await (await preview())(context, () => fail('rendered'))) as Response;
    cache.set(HINT);
    expect([response.status, headersFor(cache)]).toEqual([401, {}]);
  });

  test('is an error, and not rendered, if its cache cannot be disabled', async () => {
    const cache = Object.freeze(createCache());
    const context = await createRequest('/live/a', await createSettings(), { cache });
    const handle = await preview();
    await expect(handle(context, () => fail('rendered'))).rejects.toThrow();
  });
});

function fail(message: string): never {
  throw new Error(message);
}
