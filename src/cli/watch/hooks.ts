import { spawn } from 'node:child_process';
import { parseRetryAfter } from '../../client/http/retry-delay.ts';
import { LuidConfigError, LuidError } from '../../errors.ts';
import { printable } from '../../printable.ts';

/** What is called when content has changed. */
export interface Hook {
  /** What people are told that it is. No secret. */
  readonly name: string;
  /** Tells one target from another. It may be a secret: only for hashing. */
  readonly identity: string;
  /** Resolves once the target has taken it; throws `HookFailed` if it has not, or nobody can tell. */
  fire(signal: AbortSignal): Promise<void>;
}

export class HookFailed extends LuidError {
  /** Nothing here can change by itself soon: the address or a secret is wrong. */
  readonly isRefused: boolean;
  /** Milliseconds that the target asks to wait. */
  readonly wait: number | undefined;

  constructor(
    message: string,
    {
      isRefused = false,
      wait,
      ...details
    }: ConstructorParameters<typeof LuidError>[1] & { isRefused?: boolean; wait?: number | undefined },
  ) {
    super(message, details);
    this.isRefused = isRefused;
    this.wait = wait;
  }
}

/** Hosts whose hooks are a secret address to POST to: what stands before the secret, and where to make one. */
const HOSTS = {
  netlify: {
    base: 'https://api.netlify.com/build_hooks/',
    where: 'Project configuration → Build & deploy → Build hooks',
  },
  vercel: {
    base: 'https://api.vercel.com/v1/integrations/deploy/',
    where: 'Settings → Git → Deploy Hooks',
  },
  cloudflare: {
    base: 'https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/',
    where: 'Settings → Builds → Deploy hooks',
  },
} as const;

export const HOOK_HOSTS = [...(Object.keys(HOSTS) as (keyof typeof HOSTS)[]), 'github'] as const;
export type HookHost = keyof typeof HOSTS;

const TIMEOUT = 30_000;

/** A secret address, or only what is secret of it where the host is named. */
export function urlHook(given: string, host: HookHost | undefined, fetch = globalThis.fetch): Hook {
  const url = host && !given.includes('://') ? HOSTS[host].base + given : given;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new LuidConfigError('The hook is not an http(s) URL', {
      hint: `Pass https://…, or with --host ${Object.keys(HOSTS).join('|')} what follows the host's own URL.`,
    });
  }
  const known = Object.values(HOSTS).find(({ base }) => url.startsWith(base)) ?? (host && HOSTS[host]);
  const refused = known
    ? `Does the hook still exist? See ${known.where}.`
    : 'Does the hook still exist, and does it accept POST requests?';
  const name = `the hook at ${new URL(url).host}`;
  return { name, identity: url, fire: (signal) => post({ name, url, refused }, fetch, signal) };
}

export interface GithubTarget {
  /** `owner/name`. */
  readonly repo: string;
  /** The `event_type` that workflows listen to. */
  readonly event: string;
  readonly token: string | undefined;
  /** Another one than api.github.com. */
  readonly apiUrl: string | undefined;
}

/** Starts workflows that run `on: repository_dispatch`. */
export function githubHook({ repo, event, token, apiUrl }: GithubTarget, fetch = globalThis.fetch): Hook {
  if (!token) {
    throw new LuidConfigError('There is no token for GitHub', {
      hint: 'Set GITHUB_TOKEN in .env or in the environment: one that may write the contents of the repository.',
    });
  }
  const url = `${(apiUrl || 'https://api.github.com').replace(/\/+$/, '')}/repos/${repo}/dispatches`;
  const name = `${event} of ${repo}`;
  const request = {
    name,
    url,
    refused: 'Is the repository right, and may GITHUB_TOKEN write its contents?',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'astro-luid',
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.stringify({ event_type: event }),
  };
  return { name, identity: `${url} ${event}`, fire: (signal) => post(request, fetch, signal) };
}

interface Post {
  readonly name: string;
  readonly url: string;
  /** What to do when the target refuses the request (4xx). */
  readonly refused: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function post(
  { name, url, refused, headers = {}, body = '' }: Post,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
) {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      // Followed, a POST may become a GET, which fires nothing and is answered as if it had.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    await response.body?.cancel();
  } catch (cause) {
    signal.throwIfAborted();
    const reason = reasonOf(cause).replaceAll(url, '***');
    throw new HookFailed(`No response from ${name}: ${printable(reason, 200)}`, {
      hint: 'Can it be reached from here?',
    });
  }
  const { ok, status } = response;
  if (ok) return;
  throw new HookFailed(`${name} responded with ${status}`, {
    status,
    hint: hintFor(status, refused),
    isRefused: status < 500 && status !== 408 && status !== 425 && status !== 429,
    wait: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
  });
}

function hintFor(status: number, refused: string): string {
  if (status >= 500)
    return 'The host itself failed: nothing is wrong with the hook. See the status page of the host if it goes on.';
  if (status === 429) return 'The host limits how often its hooks may be called: raise --every or --settle.';
  if (status < 400) return 'The hook redirects, which is not followed: use the URL that it leads to.';
  return refused;
}

/** The innermost message says most: `fetch failed` says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}

/** A command in the shell, in the project's folder. What it prints is talk. */
export function execHook(command: string, dir: string): Hook {
  return {
    name: 'the command',
    identity: `exec ${command}`,
    async fire(signal) {
      signal.throwIfAborted();
      // In a group of its own, so that all that it started can be ended.
      const child = spawn(command, { cwd: dir, shell: true, stdio: ['ignore', 2, 2], detached: true });
      const stop = () => end(child.pid);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const [code, by] = await new Promise<[number | null, string | null]>((resolve, reject) => {
          child.on('error', reject);
          child.on('exit', (...how) => resolve(how));
        });
        signal.throwIfAborted();
        if (code === 0) return;
        throw new HookFailed(`The command ended with ${by ?? code}`, { hint: 'What it printed is above.' });
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
