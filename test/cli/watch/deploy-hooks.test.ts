import { expect, test } from 'vitest';
import { type HookHost, urlHook } from '../../../src/cli/watch/deploy-hooks.ts';

const { signal } = new AbortController();

/** Where a hook posts to, and how. */
async function called(given: string, host?: HookHost) {
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
])('%s: what is secret of the address is enough, and all of it works, too', async (host, secret, url) => {
  const sent = [`POST ${url}`];
  expect((await called(secret, host)).sent).toEqual(sent);
  expect((await called(url, host)).sent).toEqual(sent);
  expect(await called(url)).toEqual({ name: `the hook at ${new URL(url).host}`, sent });
});

test('what a refusal says names where to look, and no secret', async () => {
  const hook = urlHook('5f1e', 'netlify', async () => new Response('', { status: 404 }));
  const error = await hook.fire(signal).catch((reason: Error) => reason);
  expect(String(error)).toMatch(/the hook at api\.netlify\.com responded with 404\n.*Build hooks/);
  expect(String(error)).not.toContain('5f1e');
});

test('a target that asks to wait is waited for', async () => {
  const headers = { 'retry-after': '120' };
  const hook = urlHook('http://a.test/x', undefined, async () => new Response('', { status: 429, headers }));
  await expect(hook.fire(signal)).rejects.toMatchObject({ status: 429, wait: 120_000, isRefused: false });
});

test('a failure of the network shows no address', async () => {
  const hook = urlHook('http://a.test/secret', undefined, async (url) => {
    throw new TypeError('fetch failed', { cause: new Error(`cannot reach ${url}`) });
  });
  await expect(hook.fire(signal)).rejects.toThrow('No response from the hook at a.test: cannot reach ***');
});
