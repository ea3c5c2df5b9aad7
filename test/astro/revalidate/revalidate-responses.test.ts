import type { APIContext } from 'astro';
import memoryProvider from 'astro/cache/memory';
import { beforeEach, describe, expect, test } from 'vitest';
// Astro's own, so that pages are stored exactly as in a server.
import { AstroCache, applyCacheHeaders } from '../../../node_modules/astro/dist/core/cache/runtime/cache.js';
import { ANY_TAG, liveSources } from '../../../src/astro/live/live-sources.ts';
import type { RouteCache } from '../../../src/astro/revalidate/cache-invalidation.ts';
import { revalidateResponses } from '../../../src/astro/revalidate/revalidate-responses.ts';
import { Revalidation } from '../../../src/astro/revalidate/revalidation.ts';
import { TestSchedule } from './test-schedule.ts';
import { TestSource } from './test-source.ts';

const sources = liveSources();
let source: TestSource;
let timers: TestSchedule;
let lines: string[];
let provider: ReturnType<typeof memoryProvider>;
let middleware: ReturnType<typeof createMiddleware>;
/** What a page is rendered from, by its tag. */
let content: Record<string, string>;

function createMiddleware(isDev = false) {
  const ownLines = lines;
  const log = (line: string) => void ownLines.push(line);
  const logger = { info: log, warn: log, error: log };
  const revalidation = new Revalidation(sources, { schedule: timers.schedule, logger });
  return revalidateResponses({ sources, revalidation, isDev, logger });
}

beforeEach(() => {
  for (const old of sources.all()) sources.delete(old);
  source = new TestSource();
  sources.add(source);
  timers = new TestSchedule();
  lines = [];
  provider = memoryProvider({});
  middleware = createMiddleware();
  content = { a: 'old', b: 'old' };
});

/** Changes what the pages with a tag show. */
function edit(tag: string): void {
  content[tag] = 'new';
  source.change(tag);
}

/** A live loader: the first load of a request decides which version it sees. */
function load(tag: string): string {
  const versions = sources.currentRequest();
  if (!versions) throw new Error('There is no request');
  const pinned = versions.get(source) ?? { version: source.version, content: { ...content } };
  versions.set(source, pinned);
  return (pinned as { content: typeof content }).content[tag] ?? '';
}

interface Steps {
  /** Instead of setting the cache in the frontmatter of the page. */
  frontmatter?: (cache: RouteCache) => void;
  /** While the page is rendered, after its content was loaded. */
  rendering?: () => void;
  /** After the middleware has returned, before the page is stored. */
  returned?: (cache: RouteCache) => void;
  isPreview?: boolean;
  /** What the adapter adds. */
  locals?: object;
}

/** Requests a page as Astro does: the provider, the middleware, then the page with the same tag as its name. */
async function request(
  tag: string,
  { frontmatter, rendering, returned, isPreview = false, ...more }: Steps = {},
) {
  const request = new Request(`http://site.test/${tag}`);
  const cache = new AstroCache(provider) as RouteCache;
  const locals = { luid: { preview: isPreview }, ...more.locals };
  const context = { request, cache, locals, routePattern: `/${tag}`, isPrerendered: false } as never;
  const render = async () => {
    const shown = load(tag);
    if (frontmatter) frontmatter(cache);
    else cache.set({ maxAge: 3600, tags: [tag] });
    rendering?.();
    return new Response(shown);
  };
  const logger = console as never;
  const response = await provider.onRequest?.({ request, url: new URL(request.url), logger }, async () => {
    const rendered = (await middleware(context, render)) as Response;
    returned?.(cache);
    // The invalidation of that change, which comes too early for this page.
    await new Promise((resolve) => setImmediate(resolve));
    applyCacheHeaders(cache, rendered, request);
    return rendered;
  });
  return `${response?.headers.get('x-astro-cache') ?? 'uncached'} ${await response?.text()}`;
}

/** What a provider calls when its store is slow. */
function storeSlowly(): { store(): Promise<void> } {
  const { onRequest } = provider;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pending: Promise<unknown>[] = [];
  provider = {
    ...provider,
    async onRequest(context, next) {
      const response = await next();
      const stored = response.clone();
      const later = opened.then(() => onRequest?.(context, async () => stored));
      pending.push(later);
      return response;
    },
  };
  return {
    async store() {
      open();
      await Promise.all(pending);
      provider = { ...provider, ...(onRequest && { onRequest }) };
    },
  };
}

describe('cached pages', () => {
  test('with a changed tag are rendered again, and no others', async () => {
    expect([await request('a'), await request('b')]).toEqual(['MISS old', 'MISS old']);
    expect([await request('a'), await request('b')]).toEqual(['HIT old', 'HIT old']);
    edit('a');
    expect([await request('a'), await request('b')]).toEqual(['MISS new', 'HIT old']);
    expect(await request('a')).toBe('HIT new');
    expect(lines).toEqual(['[astro-luid] 1 item changed: 1 cache tag invalidated']);
  });

  test('are not invalidated again when nothing changed after they were rendered', async () => {
    await request('a');
    await timers.end(0);
    await timers.end(1000);
    expect(lines).toEqual([]);
    expect(timers.delays).toEqual([]);
    expect(await request('a')).toBe('HIT old');
  });

  test('are revalidated when a source changes that was added later', async () => {
    await request('a');
    const late = new TestSource();
    sources.add(late);
    late.change('a');
    expect(await request('a')).toBe('MISS old');
  });

  test('of an earlier process are revalidated when the first request comes after the change', async () => {
    await request('a');
    middleware = createMiddleware();
    edit('b');
    await request('b');
    expect(lines.at(-1)).toBe('[astro-luid] 1 cache tag invalidated');
  });
});

test('changes before the first request that are not known any more are not sent to the cache as a tag', async () => {
  source.change(ANY_TAG, 'b');
  await request('a');
  expect(lines).toEqual(['[astro-luid] 1 cache tag invalidated']);
});

describe('a change', () => {
  test('while a page is rendered keeps the page out of the cache', async () => {
    expect(await request('a', { rendering: () => edit('a') })).toBe('uncached old');
    expect(await request('a')).toBe('MISS new');
  });

  test('of something else while a page is rendered does not keep it out of the cache', async () => {
    expect(await request('a', { rendering: () => edit('b') })).toBe('MISS old');
    expect(await request('a')).toBe('HIT old');
  });

  test('after a page is rendered and before it is stored is found in the next task', async () => {
    expect(await request('a', { returned: () => edit('a') })).toBe('MISS old');
    await timers.end(0);
    expect(await request('a')).toBe('MISS new');
  });

  test('before a slow store is found a second later', async () => {
    const slow = storeSlowly();
    await request('a', { returned: () => edit('a') });
    await timers.end(0);
    await slow.store();
    expect(await request('a')).toBe('HIT old');
    await timers.end(1000);
    expect(await request('a')).toBe('MISS new');
  });
});

describe('in a cache outside of the process', () => {
  beforeEach(() => {
    sources.hasOutsideCache = true;
    return () => {
      sources.hasOutsideCache = false;
    };
  });
  const many = Array.from({ length: 60 }, (_, index) => `luid:entry:e${index}`);

  test('a page with many tags has those of its collections, and keeps everything else', async () => {
    let stored: unknown;
    await request('a', {
      frontmatter: (cache) => cache.set({ maxAge: 3600, swr: 60, tags: [...many, 'luid:entries:c', 'own'] }),
      returned: ({ options }) => {
        stored = options;
      },
    });
    expect(stored).toEqual({ maxAge: 3600, swr: 60, tags: ['luid:lists:c', 'own'] });
  });

  test('a change before such a page is stored is found by these tags', async () => {
    const frontmatter = (cache: RouteCache) => cache.set({ maxAge: 3600, tags: [...many, 'luid:entries:c'] });
    const change = () => {
      content.a = 'new';
      source.change('luid:entry:e1', 'luid:lists:c');
    };
    expect(await request('a', { frontmatter, returned: change })).toBe('MISS old');
    await timers.end(0);
    expect(await request('a', { frontmatter })).toBe('MISS new');
  });
});

describe('a page that only components cache', () => {
  const inComponent = (cache: RouteCache) => cache.set({ maxAge: 3600, tags: ['a'] });
  const page = { frontmatter() {}, returned: inComponent };

  test('is not cached, because components that set more tags may follow', async () => {
    expect([await request('a', page), await request('a', page)]).toEqual(['uncached old', 'uncached old']);
  });

  test('is named in one warning', async () => {
    await request('a', page);
    await request('a', page);
    expect(lines).toEqual([
      expect.stringMatching(/^\[astro-luid\] \/a is not cached: .* in the frontmatter/),
    ]);
  });

  test('is not named in a preview, which is never cached, nor if it turns caching off', async () => {
    await request('a', { ...page, isPreview: true });
    await request('a', { ...page, returned: (cache) => cache.set(false) });
    expect(lines).toEqual([]);
  });

  test('can set the cache after a rewrite, within the same request', async () => {
    const cache = new AstroCache(provider) as RouteCache;
    const context = { cache, locals: {}, isPrerendered: false } as unknown as APIContext;
    await middleware(context, async () => {
      const rewritten = (await middleware(context, async () => new Response())) as Response;
      inComponent(cache);
      return rewritten;
    });
    expect(cache.tags).toEqual(['a']);
  });

  test('can set the cache at any time on a site without live content', async () => {
    sources.delete(source);
    expect(await request('a', page)).toBe('MISS old');
  });
});

describe('one request', () => {
  test('sees one version, in everything that it starts', async () => {
    const seen: string[] = [];
    const newContext = () => ({ isPrerendered: false, locals: {} }) as APIContext;
    await middleware(newContext(), async () => {
      seen.push(load('a'));
      edit('a');
      await new Promise((resolve) => setTimeout(resolve));
      seen.push(await Promise.resolve().then(() => load('a')));
      return new Response();
    });
    expect(seen).toEqual(['old', 'old']);
    await middleware(newContext(), async () => {
      seen.push(load('a'));
      return new Response();
    });
    expect(seen.at(-1)).toBe('new');
    expect(sources.currentRequest()).toBeUndefined();
  });

  test('keeps its version when a rewrite runs the middleware again', async () => {
    const context = { isPrerendered: false, locals: {} } as APIContext;
    await middleware(context, async () => {
      const before = load('a');
      edit('a');
      await middleware(context, async () => {
        expect(load('a')).toBe(before);
        return new Response();
      });
      return new Response();
    });
  });
});

test('a request that inherits the versions of an earlier one sees the current content', async () => {
  const shown: string[] = [];
  const page = async () => {
    shown.push(load('a'));
    return new Response();
  };
  const newContext = () => ({ isPrerendered: false, locals: {} }) as APIContext;
  await middleware(newContext(), async () => {
    await page();
    edit('a');
    // As in Deno, where what an earlier request has imported keeps its context.
    await middleware(newContext(), page);
    return page();
  });
  expect(shown).toEqual(['old', 'new', 'old']);
});

describe('on a host that freezes a function after its response', () => {
  test.each(['the check', 'storing the page'])('it runs until all is done, if %s ends last', async (last) => {
    let endCheck = () => {};
    const checking = new Promise<void>((resolve) => {
      endCheck = () => {
        edit('a');
        resolve();
      };
    });
    Object.assign(source, { settled: () => checking });
    const work: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
    await request('a', { locals: { netlify: { context: { waitUntil } } } });
    let isFrozen = false;
    void Promise.all(work).then(() => {
      isFrozen = true;
    });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await timers.end(0);
    const steps = [() => timers.end(1000), async () => endCheck()];
    for (const step of last === 'the check' ? steps : steps.reverse()) {
      expect(isFrozen).toBe(false);
      await step();
      await settle();
    }
    expect(isFrozen).toBe(true);
    expect(lines[0]).toBe('[astro-luid] 1 item changed: 1 cache tag invalidated');
  });
});

describe('without the route cache', () => {
  const next = async () => new Response('page');
  const without = (cache?: object) => ({ isPrerendered: false, locals: {}, cache }) as unknown as APIContext;

  test('pages work, and one log line explains how to cache them', async () => {
    for (let times = 0; times < 3; times += 1) {
      const response = (await middleware(without({ enabled: false }), next)) as Response;
      expect(await response.text()).toBe('page');
    }
    edit('a');
    expect(lines).toEqual([expect.stringMatching(/none is cached.*cache: \{ provider: memoryCache\(\) \}/)]);
  });

  test('nothing is logged if there is no such thing, in dev and for prerendered pages', async () => {
    await middleware(without(), next);
    await createMiddleware(true)(without({ enabled: false }), next);
    const prerendered = {
      isPrerendered: true,
      locals: {},
      cache: { enabled: false },
    } as unknown as APIContext;
    await middleware(prerendered, next);
    expect(lines).toEqual([]);
  });
});
