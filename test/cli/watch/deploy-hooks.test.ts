import { expect, test } from 'vitest';
import { type HookHost, urlHook } from '../../../src/cli/watch/deploy-hooks.ts';

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
