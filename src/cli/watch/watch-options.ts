import { LuidConfigError } from '../../shared/errors.ts';
import { headerName } from '../../shared/options.ts';
import { checkSecretLength } from '../../space/environment/secret-length.ts';
import { type CommandDefinition, UsageError, type Values } from '../shared/command.ts';
import { SPACE_OPTIONS } from '../shared/load-space.ts';
import { CACHE_OPTION } from '../shared/open-cache.ts';
import { duration, flag, type Option, oneOf, text, wholeNumber } from '../shared/option-kinds.ts';
import { execHook } from './exec-hook.ts';
import type { Hook } from './hook.ts';
import { githubHook, HOOK_HOSTS, refreshHook, urlHook } from './post-hooks.ts';

/** Node.js timers are limited to 2^31 - 1 milliseconds (24.8 days); above that they fire at once. */
const MAX_INTERVAL = 24 * 24 * 60 * 60 * 1000;

const time = duration('how often to check, 1s to 24d (default: 30s; with --listen 5min)');
const interval: Option<number> = {
  ...time,
  expected: 'a duration from 1s to 24d, such as 30s or 10min',
  parse: (value) => {
    const every = time.parse(value) ?? 0;
    return every >= 1000 && every <= MAX_INTERVAL ? every : undefined;
  },
};

const repository: Option<string> = {
  argument: 'OWNER/NAME',
  about: 'with --host github: send repository_dispatch, authorized by GITHUB_TOKEN',
  expected: 'OWNER/NAME',
  parse: (value) => (/^[\w.-]+\/[\w.-]+$/.test(value) ? value : undefined),
};

const OPTIONS = {
  hook: text('URL', 'the URL to POST to; it is a secret, so better set LUID_HOOK in .env', 'a URL'),
  host: oneOf(
    'HOST',
    `${HOOK_HOSTS.join(', ')}\nFor the first three, --hook may be only the secret part of the URL.`,
    HOOK_HOSTS,
  ),
  repo: repository,
  event: text('NAME', 'with --host github: the event_type (default: content-changed)', 'a name'),
  exec: text('CMD', 'run a command instead; an exit code other than 0 is a failure', 'a command'),
  refresh: text(
    'URL',
    `let a running site with \`revalidate: true\` check for changes instead: its URL, or
that of its /_luid/refresh; authorized by LUID_REFRESH_SECRET`,
    'a URL',
  ),
  listen: wholeNumber(
    'PORT',
    `check when a webhook of the service sends POST /_luid/refresh to this port, with
LUID_REFRESH_SECRET as x-luid-secret; what was not announced is found by --every`,
    65_535,
  ),
  header: {
    argument: 'NAME',
    about: 'with --listen: a header with the secret, besides x-luid-secret',
    expected: headerName.expected,
    parse: (value: string) => (headerName.accepts(value) ? value : undefined),
  },
  every: interval,
  settle: duration(
    'fire after this long without changes (default: 20s), at the latest\nafter 15 times as long',
  ),
  once: flag('fire now, then exit'),
  'if-changed': flag('with --once: fire only if content changed since the last deploy (for cron)'),
  'fire-first': flag('also fire at the first start, when no earlier deploy is known'),
  drafts: flag('watch drafts too, with the draft key'),
  json: flag('print events as lines of JSON'),
  ...CACHE_OPTION,
  ...SPACE_OPTIONS,
};
export type WatchOptions = Values<typeof OPTIONS>;

export const WATCH: CommandDefinition<typeof OPTIONS> = {
  name: 'watch',
  about: 'call a deploy hook when content changes',
  options: OPTIONS,
  notes: `The hook is called after every change, and only after a change; _updated_at and _status alone do not count.
The deployed state is stored in the cache, so a restart loses no change. A hook whose response got lost is
called again.

Exit codes: 0 fired, nothing to do, or stopped by SIGTERM (with --once: 143); 1 failure; 2 invalid options; 130
stopped by Ctrl-C.

  LUID_HOOK=https://… luid watch
  luid watch --host netlify --hook 5f1e… --every 1min
  GITHUB_TOKEN=… luid watch --host github --repo me/site
  luid watch --exec "npm run build && npm run deploy"
  LUID_REFRESH_SECRET=… luid watch --refresh https://site.example --settle 2s
  LUID_REFRESH_SECRET=… luid watch --listen 8787 --host netlify --hook 5f1e…
  */5 * * * *  cd /srv/site && npx luid watch --once --if-changed`,
};

/** Rejects options that contradict each other. */
export function checkCombination(options: WatchOptions): void {
  const { hook, host, repo, event, exec, refresh, listen, header, once: isOnce } = options;
  const isGithub = host === 'github';
  const problems: readonly (readonly [boolean, string])[] = [
    [
      options['if-changed'] && !isOnce,
      '--if-changed requires --once (without --once the hook is only called after a change)',
    ],
    [
      isGithub && (hook !== undefined || repo === undefined),
      '--host github requires --repo OWNER/NAME and no --hook',
    ],
    [!isGithub && (repo ?? event) !== undefined, '--repo and --event require --host github'],
    [listen !== undefined && isOnce, '--listen cannot be combined with --once'],
    [header !== undefined && listen === undefined, '--header requires --listen'],
    [exec !== undefined && (hook ?? host) !== undefined, '--exec cannot be combined with --hook or --host'],
    [
      refresh !== undefined && (hook ?? host ?? exec) !== undefined,
      '--refresh cannot be combined with --hook, --host or --exec',
    ],
  ];
  const found = problems.find(([isWrong]) => isWrong);
  if (found) throw new UsageError('watch', found[1]);
}

/** The secret that events must have. */
export function listenSecret(): string {
  const { LUID_REFRESH_SECRET: secret } = process.env;
  if (!secret) {
    throw new LuidConfigError('No secret for --listen', {
      hint: 'Set LUID_REFRESH_SECRET in .env or in the environment, and let the webhook send it as x-luid-secret.',
    });
  }
  checkSecretLength('LUID_REFRESH_SECRET', secret);
  return secret;
}

/** The hook from the options or the environment. */
export function createHook(
  { hook, host, repo = '', event = 'content-changed', exec, refresh }: WatchOptions,
  dir: string,
): Hook {
  const { LUID_HOOK, LUID_REFRESH_SECRET, GITHUB_TOKEN: token, GITHUB_API_URL: apiUrl } = process.env;
  if (exec !== undefined) return execHook(exec, dir);
  if (refresh !== undefined) return refreshHook(refresh, LUID_REFRESH_SECRET);
  if (host === 'github') return githubHook({ repo, event, token, apiUrl });
  const url = hook ?? LUID_HOOK;
  if (url) return urlHook(url, host);
  throw new UsageError(
    'watch',
    'no hook: pass --hook URL, --host github, --exec or --refresh, or set LUID_HOOK',
  );
}
