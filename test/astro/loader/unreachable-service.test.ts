import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const RETRIES = 2;
/** A request that is retried once, because the response may be too large; then one with all retries. */
const ATTEMPTS = 2 + 1 + RETRIES;
/** The first request of all, a count. */
const FIRST_ATTEMPTS = 1 + RETRIES;

/** What `fetch` throws if there is no connection. */
const noConnection = (code: string) => () =>
  Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));

/** A site in two languages whose service can be replaced by something else. */
function openSite() {
  const site = openTestSite({ article: { title: field.text({ title: true }) } }, [
    { id: 1, model: 'article', published: { ja: { title: 'Tea' }, en: { title: 'Tea' } } },
  ]);
  let respond: typeof fetch = site.service.fetch;
  let attempts = 0;
  async function load(langs: readonly string[], { dev = false, space = {} } = {}) {
    attempts = 0;
    const network = { retries: RETRIES, requestsPerMinute: Number.POSITIVE_INFINITY };
    const options: typeof fetch = (...request) => {
      attempts += 1;
      return respond(...request);
    };
    return site.build(
      { articles: { model: 'article', ...(langs.length > 0 && { langs }) } },
      { space: { network, fetch: options, ...space }, context: dev ? { watcher: {} as never } : {} },
    );
  }
  return {
    attempts: () => attempts,
    /** From now on, this responds instead of the service. */
    replaceService: (replacement: typeof fetch) => {
      respond = replacement;
    },
    buildMainLanguage: () => load([]),
    build: (space?: object) => load(['ja', 'en'], { space }),
    startDev: () => load(['ja', 'en'], { dev: true }),
  };
}

const count = (lines: readonly string[], text: string) => lines.filter((line) => line.includes(text)).length;

describe.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])(
  'without a connection (%s)',
  (code) => {
    test('a dev server uses the cached content of all languages after one attempt', async () => {
      const site = openSite();
      await site.build();
      site.replaceService(noConnection(code));
      const lines = await site.startDev();
      expect(site.attempts()).toBe(1);
      expect(count(lines, 'Service unavailable; using cached content')).toBe(2);
      expect(count(lines, '[GET]')).toBe(1);
      expect(count(lines, 'articles (ja, en): 2 entries, none changed')).toBe(1);
    });

    test('a dev server without cached content retries', async () => {
      const site = openSite();
      site.replaceService(noConnection(code));
      expect(count(await site.startDev(), '[GET]')).toBe(1);
      expect(site.attempts()).toBe(FIRST_ATTEMPTS);
    });

    test('a build retries, although there is cached content', async () => {
      const site = openSite();
      await site.build();
      site.replaceService(noConnection(code));
      expect(count(await site.build(), 'There is cached content')).toBe(1);
      expect(site.attempts()).toBe(ATTEMPTS);
    });

    test('a build that may use the cached content retries, once for all languages', async () => {
      const site = openSite();
      await site.build();
      site.replaceService(noConnection(code));
      const lines = await site.build({ onError: 'stale' });
      expect(count(lines, 'articles (ja, en): 2 entries, none changed')).toBe(1);
      expect(site.attempts()).toBe(ATTEMPTS);
    });
  },
);

test('a dev server retries a service that fails, once for all languages', async () => {
  const site = openSite();
  await site.build();
  site.replaceService(async () => new Response('', { status: 503 }));
  const lines = await site.startDev();
  expect(count(lines, 'articles (ja, en): 2 entries, none changed')).toBe(1);
  expect(site.attempts()).toBe(ATTEMPTS);
});

test('a language without cached content is requested, although the main language is used from the cache', async () => {
  const site = openSite();
  await site.buildMainLanguage();
  site.replaceService(noConnection('ECONNREFUSED'));
  expect(count(await site.startDev(), 'lang=en')).toBe(1);
  expect(site.attempts()).toBe(1 + FIRST_ATTEMPTS);
});
