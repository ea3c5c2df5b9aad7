import { describe, expect, test } from 'vitest';
import { handleRefresh, hashSecret } from '../../../src/astro/revalidate/refresh-handler.ts';
import { githubHook, type HookHost, refreshHook, urlHook } from '../../../src/cli/watch/post-hooks.ts';

const { signal } = new AbortController();

/** The name of a hook, and the requests it sends. */
async function fireHook(given: string, host?: HookHost) {
  const requests: Request[] = [];
  const hook = urlHook(given, host, async (...request) => {
    requests.push(new Request(...request));
    return new Response('{}', { status: 201 });
  });
  await hook.fire(signal);
  return { name: hook.name, sent: requests.map(({ method, url }) => `${method} ${url}`) };
}

test.each<[HookHost, string, string]>([
  ['netlify', '5f1e', 'https://api.netlify.com/build_hooks/5f1e'],
  ['vercel', 'prj_1/abc', 'https://api.vercel.com/v1/integrations/deploy/prj_1/abc'],
  ['cloudflare', 'a-b-c', 'https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/a-b-c'],
])('%s: accepts the secret part of the URL, or the whole URL', async (host, secret, url) => {
  const sent = [`POST ${url}`];
  expect((await fireHook(secret, host)).sent).toEqual(sent);
  expect((await fireHook(url, host)).sent).toEqual(sent);
  expect(await fireHook(url)).toEqual({ name: `the hook at ${new URL(url).host}`, sent });
});

test('the error for a refusal says where to look, without the secret', async () => {
  const hook = urlHook('5f1e', 'netlify', async () => new Response('', { status: 404 }));
  const error = await hook.fire(signal).catch((reason: Error) => reason);
  expect(String(error)).toMatch(/the hook at api\.netlify\.com responded with 404\n.*Build hooks/);
  expect(String(error)).not.toContain('5f1e');
});

test('reports the Retry-After of the target', async () => {
  const headers = { 'retry-after': '120' };
  const hook = urlHook('http://a.test/x', undefined, async () => new Response('', { status: 429, headers }));
  await expect(hook.fire(signal)).rejects.toMatchObject({
    status: 429,
    retryAfter: 120_000,
    isRefused: false,
  });
});

test('a network error does not show the URL', async () => {
  const hook = urlHook('http://a.test/secret', undefined, async (url) => {
    throw new TypeError('fetch failed', { cause: new Error(`cannot reach ${url}`) });
  });
  await expect(hook.fire(signal)).rejects.toThrow('No response from the hook at a.test: cannot reach ***');
});

test.each(['ghp_1\nghp_2', 'ghp_1\0ghp_2', 'ghp_1ä', 'ghp_1 '])(
  'the GitHub token %j is an error that does not contain it',
  (token) => {
    const target = { repo: 'a/b', event: 'content', token, apiUrl: undefined };
    expect(() => githubHook(target)).toThrow('GITHUB_TOKEN cannot be sent as an HTTP header');
    expect(() => githubHook(target)).not.toThrow(/ghp_1/);
  },
);

describe('--refresh', () => {
  async function refresh(given: string, response = Response.json({ refreshed: true })) {
    const requests: Request[] = [];
    const hook = refreshHook(given, 'open sesame, little door', async (...request) => {
      requests.push(new Request(...request));
      return response;
    });
    const failure = await hook.fire(signal).then(
      () => undefined,
      (error: Error) => error,
    );
    return { hook, sent: requests[0], failure };
  }

  test.each([
    ['https://site.test', 'https://site.test/_luid/refresh'],
    ['https://site.test/', 'https://site.test/_luid/refresh'],
    ['https://site.test/base', 'https://site.test/base/_luid/refresh'],
    ['https://site.test/base/', 'https://site.test/base/_luid/refresh'],
    ['https://site.test/base/_luid/refresh', 'https://site.test/base/_luid/refresh'],
    ['https://site.test/_luid/refresh/', 'https://site.test/_luid/refresh/'],
  ])('%s is a POST with the secret to %s', async (given, url) => {
    const { hook, sent, failure } = await refresh(given);
    expect(failure).toBeUndefined();
    expect([sent?.method, sent?.url]).toEqual(['POST', url]);
    expect(sent?.headers.get('x-luid-secret')).toBe('open sesame, little door');
    // Others are rejected by Astro's protection against forms of other sites.
    expect(sent?.headers.get('content-type')).toBe('application/json');
    expect(hook.name).toBe('the site at site.test');
    expect(hook.name + hook.identity).not.toContain('sesame');
  });

  test.each(['<html>a page</html>', '', 'null', '{}', '{"refreshed":false}'])(
    'a response that is not of the endpoint is a refusal: %j',
    async (body) => {
      const { failure } = await refresh('https://site.test', new Response(body));
      expect(failure).toMatchObject({ status: 200, isRefused: true });
      expect(failure?.message).toMatch(/responded with 200, but not as \/_luid\/refresh does\n.*`base`/);
    },
  );

  test('the response of the endpoint is accepted', async () => {
    const handler = {
      findSecretHash: async () => hashSecret('open sesame, little door'),
      refresh: async () => ({ changed: [] }),
      logger: { error: () => {} },
    };
    const headers = { 'x-luid-secret': 'open sesame, little door' };
    const request = new Request('https://site.test/_luid/refresh', { method: 'POST', headers });
    const { failure } = await refresh('https://site.test', await handleRefresh(request, handler));
    expect(failure).toBeUndefined();
  });

  test('a refusal names what to check, and may be temporary', async () => {
    const wrong = await refresh('https://site.test', new Response('', { status: 401 }));
    expect(wrong.failure).toMatchObject({ status: 401, isRefused: true });
    expect(wrong.failure?.message).toMatch(
      /the site at site\.test responded with 401\n.*LUID_REFRESH_SECRET/,
    );
    expect(wrong.failure?.message).not.toContain('sesame');
    const headers = { 'retry-after': '7' };
    const limited = await refresh('https://site.test', new Response('', { status: 429, headers }));
    expect(limited.failure).toMatchObject({ isRefused: false, retryAfter: 7000 });
  });

  test.each([
    ['site.test', 'x', '--refresh is not an http(s) URL'],
    ['ftp://site.test', 'x', '--refresh is not an http(s) URL'],
    ['https://site.test', undefined, 'No secret for --refresh'],
    ['https://site.test', '', 'No secret for --refresh'],
    ['https://site.test', 'a\nb', 'LUID_REFRESH_SECRET cannot be sent as an HTTP header'],
    ['https://site.test', 'ä', 'LUID_REFRESH_SECRET cannot be sent as an HTTP header'],
    ['https://site.test', ' a', 'LUID_REFRESH_SECRET cannot be sent as an HTTP header'],
    ['https://site.test', '15 characters..', 'LUID_REFRESH_SECRET is too short'],
  ])('%s with the secret %j is an error', (given, secret, message) => {
    expect(() => refreshHook(given, secret)).toThrow(message);
  });
});
