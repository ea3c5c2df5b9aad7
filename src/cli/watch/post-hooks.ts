import { REFRESH_PATH } from '../../astro/revalidate/refresh-handler.ts';
import { parseRetryAfter } from '../../client/http/limits/retry-delay.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';
import { checkSecretLength } from '../../space/environment/secret-length.ts';
import { type Hook, HookError } from './hook.ts';

/** Hosts whose hooks are a secret URL to POST to: the URL up to the secret, and where to create a hook. */
const HOSTS = {
  netlify: {
    base: 'https://api.netlify.com/build_hooks/',
    settings: 'Project configuration → Build & deploy → Build hooks',
  },
  vercel: {
    base: 'https://api.vercel.com/v1/integrations/deploy/',
    settings: 'Settings → Git → Deploy Hooks',
  },
  cloudflare: {
    base: 'https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/',
    settings: 'Settings → Builds → Deploy hooks',
  },
} as const;

export const HOOK_HOSTS = [...(Object.keys(HOSTS) as (keyof typeof HOSTS)[]), 'github'] as const;
export type HookHost = keyof typeof HOSTS;

const TIMEOUT_MS = 30_000;

/** A hook with a secret URL; if the host is given, only the secret part of the URL is needed. */
export function urlHook(given: string, host: HookHost | undefined, fetch = globalThis.fetch): Hook {
  const url = host && !given.includes('://') ? HOSTS[host].base + given : given;
  checkHttpUrl(
    'The hook',
    url,
    `Pass https://…, or only the secret part of the URL together with --host ${Object.keys(HOSTS).join('|')}.`,
  );
  const known = Object.values(HOSTS).find(({ base }) => url.startsWith(base)) ?? (host && HOSTS[host]);
  const refusedHint = known
    ? `Does the hook still exist? See ${known.settings}.`
    : 'Does the hook still exist, and does it accept POST requests?';
  const name = `the hook at ${new URL(url).host}`;
  return postHook(url, { name, url, refusedHint }, fetch);
}

function checkHttpUrl(what: string, url: string, hint: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new LuidConfigError(`${what} is not an http(s) URL`, { hint });
}

/** Lets a site with `revalidate: true` check for changes now. `given` is the URL of the site, or of its endpoint. */
export function refreshHook(given: string, secret: string | undefined, fetch = globalThis.fetch): Hook {
  checkHttpUrl('--refresh', given, 'Pass the URL of the site, such as https://site.example.');
  if (!secret) {
    throw new LuidConfigError('No secret for --refresh', {
      hint: 'Set LUID_REFRESH_SECRET in .env or in the environment, to the same value as on the server of the site.',
    });
  }
  checkHeaderValue('LUID_REFRESH_SECRET', secret);
  checkSecretLength('LUID_REFRESH_SECRET', secret);
  const url = new URL(given);
  // A trailing slash after the endpoint stays: sites with `trailingSlash: 'always'` need it.
  if (!/\/_luid\/refresh\/?$/.test(url.pathname)) url.pathname = url.pathname.replace(/\/*$/, REFRESH_PATH);
  const request = {
    name: `the site at ${url.host}`,
    url: url.href,
    refusedHint: 'Does the site have `revalidate: true`, and its server the same LUID_REFRESH_SECRET?',
    accepts: isRefreshed,
    // Astro rejects other types from other origins.
    headers: { 'content-type': 'application/json', 'x-luid-secret': secret },
    body: '{}',
  };
  return postHook(`refresh ${url.href}`, request, fetch);
}

/** Whether a response is that of the endpoint. A page of the site may accept a POST request too. */
function isRefreshed(body: string): boolean {
  try {
    return (JSON.parse(body) as { refreshed?: unknown } | null)?.refreshed === true;
  } catch {
    return false;
  }
}

/** The error of `fetch` for an invalid header value would contain the secret. */
function checkHeaderValue(variable: string, secret: string): void {
  if (/^[!-~]([ -~]*[!-~])?$/.test(secret)) return;
  throw new LuidConfigError(`${variable} cannot be sent as an HTTP header`, {
    hint: 'Use letters, digits and punctuation of ASCII.',
  });
}

interface GithubTarget {
  /** `owner/name`. */
  readonly repo: string;
  /** The `event_type` that workflows listen to. */
  readonly event: string;
  readonly token: string | undefined;
  /** Overrides https://api.github.com. */
  readonly apiUrl: string | undefined;
}

/** Starts workflows that run `on: repository_dispatch`. */
export function githubHook({ repo, event, token, apiUrl }: GithubTarget, fetch = globalThis.fetch): Hook {
  if (!token) {
    throw new LuidConfigError('No GitHub token', {
      hint: 'Set GITHUB_TOKEN in .env or in the environment, with write access to the contents of the repository.',
    });
  }
  checkHeaderValue('GITHUB_TOKEN', token);
  const url = `${(apiUrl || 'https://api.github.com').replace(/\/+$/, '')}/repos/${repo}/dispatches`;
  const request = {
    name: `${event} in ${repo}`,
    url,
    refusedHint: 'Check the repository name, and that GITHUB_TOKEN has write access to its contents.',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'astro-luid',
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.stringify({ event_type: event }),
  };
  return postHook(`${url} ${event}`, request, fetch);
}

interface Post {
  readonly name: string;
  readonly url: string;
  /** The hint if the target refuses the request (4xx). */
  readonly refusedHint: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Whether the body of a successful response is what the target responds with. Default: any is. */
  readonly accepts?: (body: string) => boolean;
}

function postHook(identity: string, request: Post, fetch: typeof globalThis.fetch): Hook {
  return { name: request.name, identity, fire: (signal) => post(request, fetch, signal) };
}

async function post(
  { name, url, refusedHint, headers = {}, body = '', accepts }: Post,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
) {
  let response: Response;
  let isAccepted = true;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      // A followed redirect may turn the POST into a GET, which succeeds without starting a build.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.ok && accepts) isAccepted = accepts(await response.text());
    else await response.body?.cancel();
  } catch (cause) {
    signal.throwIfAborted();
    const reason = innermostMessage(cause).replaceAll(url, '***');
    throw new HookError(`No response from ${name}: ${printable(reason, 200)}`, {
      hint: 'Check that the host is reachable from this machine.',
    });
  }
  const { ok, status } = response;
  if (ok && isAccepted) return;
  if (ok) {
    throw new HookError(`${name} responded with ${status}, but not as ${REFRESH_PATH} does`, {
      status,
      hint: 'Is it the URL of a site with `revalidate: true`, including its `base`?',
      isRefused: true,
    });
  }
  throw new HookError(`${name} responded with ${status}`, {
    status,
    hint: hintFor(status, refusedHint),
    isRefused: status < 500 && status !== 408 && status !== 425 && status !== 429,
    retryAfter: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
  });
}

function hintFor(status: number, refusedHint: string): string {
  if (status >= 500)
    return 'The hook is correct, but the host failed. If it keeps failing, see the status page of the host.';
  if (status === 429) return 'The host rate-limits its hooks: raise --every or --settle.';
  if (status < 400) return 'The hook redirects, and redirects are not followed: use the target URL.';
  return refusedHint;
}

/** `fetch failed` is not helpful: the innermost cause is. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message || error.name;
}
