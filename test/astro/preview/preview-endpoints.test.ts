import type { APIContext } from 'astro';
import { describe, expect, test, vi } from 'vitest';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import { DraftWatch } from '../../../src/astro/preview/draft-watch.ts';
import { setCookie } from '../../../src/astro/preview/preview-cookie.ts';
import { createEnter, createEvents, createExit } from '../../../src/astro/preview/preview-endpoints.ts';
import { decodePath } from '../../../src/astro/preview/preview-paths.ts';
import type { PreviewSettings } from '../../../src/astro/preview/preview-settings.ts';
import { hashOfSecret } from '../../../src/astro/preview/preview-token.ts';
import { createRoute, createSettings, createTwin } from './preview-visitor.ts';

function settingsOf(base = '/', hasTrailingSlash = false): Promise<PreviewSettings> {
  const end = hasTrailingSlash ? '\\/$' : '\\/?$';
  const patterns = ['お知らせ\\/([^/]+?)', 'news\\/([^/]+?)', 'x\\/([^/]+?)-([^/]+?)'];
  const routes = patterns.flatMap((pattern) => createTwin(`^\\/${pattern}${end}`));
  return createSettings({ base, hasTrailingSlash, routes });
}

/** Where a visitor is redirected to who enters the preview of a page. */
async function enter(to: string, base?: string, hasTrailingSlash?: boolean) {
  const settings = await settingsOf(base, hasTrailingSlash);
  const url = new URL(`https://site.test/_luid/preview?secret=secret&to=${encodeURIComponent(to)}`);
  const response = await createEnter(settings)({ url, cookies: { set() {} } } as unknown as APIContext);
  return [response.status, decodePath(response.headers.get('location') ?? '')];
}

test.each([
  ['/news/a', '/'],
  ['/news/あ', '/'],
  ['/お知らせ/a', '/'],
  ['/%E3%81%8A%E7%9F%A5%E3%82%89%E3%81%9B/a?b=c', '/'],
  ['/docs/お知らせ/a', '/docs'],
  ['/x/1-2', '/'],
])('the prerendered page %s, with base %s, is shown by its twin', async (to, base) => {
  const path = decodeURI(to);
  const twin = base === '/' ? `/_luid/preview${path}` : path.replace(base, `${base}/_luid/preview`);
  expect(await enter(to, base)).toEqual([303, twin]);
});

test('other pages are shown where they are', async () => {
  expect(await enter('/お知らせ')).toEqual([303, '/お知らせ']);
  expect(await enter('/other/a')).toEqual([303, '/other/a']);
});

test('with a route cache, pages are shown below the preview, and endpoints where they are', async () => {
  const routes = [createRoute('^\\/live\\/?$'), createRoute('^\\/feed\\.xml$', { isPage: false })];
  const handle = createEnter(await createSettings({ routes }));
  const locationOf = async (to: string) => {
    const url = new URL(`https://site.test/_luid/preview?secret=secret&to=${to}`);
    const cache = { enabled: true, set() {}, options: {} };
    const { headers } = await handle({ url, cookies: { set() {} }, cache } as unknown as APIContext);
    return headers.get('location');
  };
  expect(await locationOf('/live')).toBe('/_luid/preview/live');
  expect(await locationOf('/feed.xml')).toBe('/feed.xml');
});

test('a path whose encoding is not valid is compared as it is', async () => {
  expect(await enter('/news/%E3%81')).toEqual([303, '/_luid/preview/news/%E3%81']);
  expect(await enter('/other/%E3%81')).toEqual([303, '/other/%E3%81']);
});

test.each([
  ['/news/a', '/_luid/preview/news/a/'],
  ['/news/a/', '/_luid/preview/news/a/'],
  ['/news/a?b=c/d#e', '/_luid/preview/news/a/?b=c/d#e'],
  ['/news/a#b', '/_luid/preview/news/a/#b'],
  // Astro finds no page there.
  ['/news/a.html', '/news/a.html'],
  ['/news/v1.2-beta', '/_luid/preview/news/v1.2-beta/'],
  ['/other', '/other'],
])("with trailingSlash: 'always', %s is shown at %s", async (to, location) => {
  expect(await enter(to, '/', true)).toEqual([303, location]);
});

describe('the secret of the preview', () => {
  async function visitor() {
    const handle = createEnter(await settingsOf());
    return (query: string) => {
      const url = new URL(`https://site.test/_luid/preview${query}`);
      return handle({ url, cookies: { set() {} } } as unknown as APIContext);
    };
  }

  test('100 wrong ones per minute are refused with 401, more with 429 and Retry-After', async () => {
    const visit = await visitor();
    for (let n = 0; n < 100; n += 1) expect((await visit(`?secret=${n}`)).status).toBe(401);
    const { status, headers } = await visit('?secret=wrong');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  test('lets an editor in, however many wrong ones were sent', async () => {
    const visit = await visitor();
    for (let n = 0; n < 110; n += 1) await visit(`?secret=${n}`);
    expect((await visit('?secret=secret')).status).toBe(303);
    expect((await visit('?secret=wrong')).status).toBe(429);
  });

  test('requests without one count for nothing', async () => {
    const visit = await visitor();
    for (let n = 0; n < 110; n += 1) expect((await visit('')).status).toBe(401);
    expect((await visit('?secret=wrong')).status).toBe(401);
  });
});

describe('the exit of the preview', () => {
  async function exit(headers: Record<string, string>) {
    const url = new URL('https://site.test/_luid/preview-exit');
    const deleted: string[] = [];
    const cookies = { delete: (name: string) => deleted.push(name) };
    const context = { request: new Request(url, { headers }), url, cookies } as unknown as APIContext;
    const { status } = await createExit(await settingsOf())(context);
    return { status, deleted: deleted.length };
  }

  test('removes the cookie', async () => {
    expect(await exit({})).toEqual({ status: 303, deleted: 1 });
  });

  test.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'Prefetch'],
  ])('does not if a browser prefetches it with %s: %s', async (name, value) => {
    expect(await exit({ [name]: value })).toEqual({ status: 503, deleted: 0 });
  });
});

describe('an event stream ends when its visitor leaves', () => {
  /** Requests the events of a preview. */
  async function openEvents(maxAge = 60) {
    const settings = { ...(await settingsOf()), maxAge };
    const hash = await hashOfSecret('secret');
    const url = new URL('https://site.test/_luid/preview-events');
    let value = '';
    const cookies = {
      get: () => ({ value }),
      set: (_: string, token: string) => {
        value = token;
      },
    } as unknown as APIContext['cookies'];
    await setCookie(cookies, url, hash, settings);
    const watch = new DraftWatch({ sources: new LiveSources(), interval: 2000 });
    const visitor = new AbortController();
    const request = new Request(url, { signal: visitor.signal });
    const response = createEvents(settings, () => watch)({ request, cookies } as APIContext);
    return { watch, leave: () => visitor.abort(), response };
  }

  test('while it is open', async () => {
    const { watch, leave, response } = await openEvents();
    const { body } = await response;
    expect(watch.size).toBe(1);
    leave();
    expect(watch.size).toBe(0);
    expect(await new Response(body).text()).toBe('retry: 2000\n\n');
  });

  test.each([
    [60, 0],
    // Longer than timers of Node can be.
    [400 * 86_400, 1],
  ])('or when the preview of %i seconds ends: after a minute, %i are open', async (maxAge, open) => {
    vi.useFakeTimers();
    try {
      const { watch, leave, response } = await openEvents(maxAge);
      await response;
      expect(watch.size).toBe(1);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(watch.size).toBe(open);
      leave();
    } finally {
      vi.useRealTimers();
    }
  });

  test('while the cookie is being verified', async () => {
    const { watch, leave, response } = await openEvents();
    leave();
    const { body } = await response;
    expect(watch.size).toBe(0);
    expect(await new Response(body).text()).toBe('');
  });
});
