import type { APIContext, AstroCookies } from 'astro';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import { DraftWatch } from '../../../src/astro/preview/draft-watch.ts';
import { previewEnd } from '../../../src/astro/preview/preview-cookie.ts';
import { createEnter, createEvents, createExit } from '../../../src/astro/preview/preview-endpoints.ts';
import { decodePath } from '../../../src/astro/preview/preview-paths.ts';
import type { PreviewSettings } from '../../../src/astro/preview/preview-settings.ts';
import { publicKeyOf } from '../../../src/astro/preview/preview-token.ts';
import { createRequest, createRoute, createSettings, createTwin, SECRET } from './preview-visitor.ts';

function settingsOf(base = '/', hasTrailingSlash = false): Promise<PreviewSettings> {
  const end = hasTrailingSlash ? '\\/$' : '\\/?$';
  const patterns = ['お知らせ\\/([^/]+?)', 'news\\/([^/]+?)', 'x\\/([^/]+?)-([^/]+?)'];
  const routes = patterns.flatMap((pattern) => createTwin(`^\\/${pattern}${end}`));
  return createSettings({ base, hasTrailingSlash, routes });
}

/** A visitor without a cookie. */
function visitorOf(url: URL, headers: Record<string, string> = {}, set: AstroCookies['set'] = () => {}) {
  return { url, request: new Request(url, { headers }), cookies: { set } } as unknown as APIContext;
}

/** Where a visitor is redirected to who enters the preview of a page. */
async function enter(to: string, base?: string, hasTrailingSlash?: boolean) {
  const settings = await settingsOf(base, hasTrailingSlash);
  const url = new URL(`https://site.test/_luid/preview?secret=${SECRET}&to=${encodeURIComponent(to)}`);
  const response = await createEnter(settings)(visitorOf(url));
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
    const url = new URL(`https://site.test/_luid/preview?secret=${SECRET}&to=${to}`);
    const cache = { enabled: true, set() {}, options: {} };
    const { headers } = await handle({ ...visitorOf(url), cache } as unknown as APIContext);
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
      return handle(visitorOf(url));
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
    expect((await visit(`?secret=${SECRET}`)).status).toBe(303);
    expect((await visit('?secret=wrong')).status).toBe(429);
  });

  test('requests without one count for nothing', async () => {
    const visit = await visitor();
    for (let n = 0; n < 110; n += 1) expect((await visit('')).status).toBe(401);
    expect((await visit('?secret=wrong')).status).toBe(401);
  });
});

describe('a secret in the environment', () => {
  const enterWith = async (secret: string) => {
    vi.stubEnv('LUID_PREVIEW_SECRET', secret);
    const settings = await createSettings({ publicKey: undefined });
    const visited = new URL(`https://site.test/_luid/preview?secret=${secret}`);
    return createEnter(settings)(visitorOf(visited));
  };
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('is one if it has 16 characters', async () => {
    expect((await enterWith('x'.repeat(16))).status).toBe(303);
  });

  test('is none if it has fewer, and the page says what to do', async () => {
    const response = await enterWith('x'.repeat(15));
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(
      'set LUID_PREVIEW_SECRET, or `preview: { secret }`, to at least 16 characters, such as the output of `openssl rand -hex 32`',
    );
  });

  test('and too short makes no cookie valid', async () => {
    const secret = 'x'.repeat(15);
    vi.stubEnv('LUID_PREVIEW_SECRET', secret);
    const settings = await createSettings({ publicKey: await publicKeyOf(secret) });
    const context = await createRequest('/live/a', settings, { secret });
    expect(await previewEnd(context.cookies, settings)).toBeGreaterThan(0);
    expect(await previewEnd(context.cookies, { ...settings, publicKey: undefined })).toBeUndefined();
  });
});

describe('the cookie of the preview', () => {
  /** Whether it is sent by HTTPS only. */
  async function isSecure(origin: string, headers: Record<string, string>): Promise<unknown> {
    const set = vi.fn();
    const url = new URL(`${origin}/_luid/preview?secret=${SECRET}`);
    await createEnter(await settingsOf())(visitorOf(url, headers, set));
    expect(set).toHaveBeenCalledOnce();
    return set.mock.calls[0]?.[2].secure;
  }

  test.each([
    ['https://site.test', {}],
    ['http://localhost:4321', { 'x-forwarded-proto': 'https' }],
    ['http://localhost:4321', { 'x-forwarded-proto': 'HTTPS, http' }],
    ['https://site.test', { 'x-forwarded-proto': 'http' }],
  ])('is secure at %s with the headers %j', async (origin, headers) => {
    expect(await isSecure(origin, headers as Record<string, string>)).toBe(true);
  });

  test.each([
    ['http://localhost:4321', {}],
    ['http://localhost:4321', { 'x-forwarded-proto': 'http' }],
    ['http://localhost:4321', { 'x-forwarded-proto': 'http, https' }],
    ['http://localhost:4321', { 'x-forwarded-proto': 'httpsx' }],
  ])(
    'is not secure at %s with the headers %j, where browsers would not store it',
    async (origin, headers) => {
      expect(await isSecure(origin, headers as Record<string, string>)).toBe(false);
    },
  );
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

test('a server that cannot compare drafts has no event stream, so the bar polls the page', async () => {
  const settings = await settingsOf();
  const { url, cookies } = await createRequest('/_luid/preview-events', settings);
  const events = createEvents(settings, undefined, async () => false);
  const response = await events({ request: new Request(url), cookies } as APIContext);
  // A browser does not connect again.
  expect(response.status).toBe(204);
});

describe('an event stream ends when its visitor leaves', () => {
  /** Requests the events of a preview. */
  async function openEvents(maxAge = 60, method = 'GET') {
    const settings = { ...(await settingsOf()), maxAge };
    const { url, cookies } = await createRequest('/_luid/preview-events', settings);
    const sources = new LiveSources();
    const watch = new DraftWatch({ sources, interval: 2000 });
    const visitor = new AbortController();
    const request = new Request(url, { method, signal: visitor.signal });
    const response = createEvents(
      settings,
      () => watch,
      async () => true,
    )({ request, cookies } as APIContext);
    return { sources, leave: () => visitor.abort(), response };
  }

  test('while it is open', async () => {
    const { sources, leave, response } = await openEvents();
    const { body } = await response;
    expect(sources.openPreviews).toBe(1);
    leave();
    expect(sources.openPreviews).toBe(0);
    expect(await new Response(body).text()).toBe('retry: 2000\n\n');
  });

  test.each([
    [60, 0],
    // Longer than timers of Node can be.
    [400 * 86_400, 1],
  ])('or when the preview of %i seconds ends: after a minute, %i are open', async (maxAge, open) => {
    vi.useFakeTimers();
    try {
      const { sources, leave, response } = await openEvents(maxAge);
      await response;
      expect(sources.openPreviews).toBe(1);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sources.openPreviews).toBe(open);
      leave();
    } finally {
      vi.useRealTimers();
    }
  });

  test('at once after a HEAD request, whose response nobody reads', async () => {
    const { sources, response } = await openEvents(60, 'HEAD');
    expect([(await response).status, sources.openPreviews]).toEqual([200, 0]);
  });

  test('while the cookie is being verified', async () => {
    const { sources, leave, response } = await openEvents();
    leave();
    const { body } = await response;
    expect(sources.openPreviews).toBe(0);
    expect(await new Response(body).text()).toBe('');
  });
});
