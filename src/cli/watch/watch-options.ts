import {
  duration,
  flag,
  nonEmpty,
  type Option,
  oneOf,
  parseOptions,
  UsageError,
  type Values,
} from '../shared/command-options.ts';
import { SPACE_HELP, SPACE_OPTIONS } from '../shared/load-space.ts';
import { execHook, githubHook, HOOK_HOSTS, type Hook, refreshHook, urlHook } from './deploy-hooks.ts';

export const HELP = `luid watch: call a deploy hook when content changes

  --hook URL            the URL to POST to; it is a secret, so better set LUID_HOOK in .env
  --host HOST           ${HOOK_HOSTS.join(', ')}
                        For the first three, --hook may be only the secret part of the URL.
  --repo OWNER/NAME     with --host github: send repository_dispatch, authorized by GITHUB_TOKEN
  --event NAME          with --host github: the event_type (default: content-changed)
  --exec CMD            run a command instead; an exit code other than 0 is a failure
  --refresh URL         let a running site with \`revalidate: true\` check for changes instead: its URL, or
                        that of its /_luid/refresh; authorized by LUID_REFRESH_SECRET
  --every TIME          how often to check, 1s to 24d (default: 30s)
  --settle TIME         fire after this long without changes (default: 20s), at the latest
                        after 15 times as long
  --once                fire now, then exit
  --once --if-changed   fire if content changed since the last deploy, then exit (for cron)
  --fire-first          also fire at the first start, when no earlier deploy is known
  --drafts              watch drafts too, with the draft key
  --json                print events as lines of JSON
  --cache-dir DIR       Astro's cacheDir, if astro.config sets one (default: node_modules/.astro)
${SPACE_HELP}

The hook is called after every change, and only after a change; _updated_at and _status alone do not count.
The deployed state is stored in the cache, so a restart loses no change. A hook whose response got lost is
called again.

Exit codes: 0 fired, nothing to do, or stopped by SIGTERM (with --once: 143); 1 failure; 2 invalid options; 130
stopped by Ctrl-C.

  LUID_HOOK=https://… luid watch
  luid watch --host netlify --hook 5f1e… --every 1min
  GITHUB_TOKEN=… luid watch --host github --repo me/site
  luid watch --exec "npm run build && npm run deploy"
  LUID_REFRESH_SECRET=… luid watch --refresh https://site.example --settle 2s
  */5 * * * *  cd /srv/site && npx luid watch --once --if-changed
`;

/** Node.js timers are limited to 2^31 - 1 milliseconds (24.8 days); above that they fire at once. */
const MAX_INTERVAL = 24 * 24 * 60 * 60 * 1000;

const interval: Option<number> = {
  ...duration,
  expected: 'a duration from 1s to 24d, such as 30s or 10min',
  parse: (value) => {
    const time = duration.parse(value);
    return time !== undefined && time >= 1000 && time <= MAX_INTERVAL ? time : undefined;
  },
};

const repository: Option<string> = {
  type: 'string',
  expected: 'OWNER/NAME',
  parse: (value) => (/^[\w.-]+\/[\w.-]+$/.test(value) ? value : undefined),
};

const OPTIONS = {
  ...SPACE_OPTIONS,
  hook: nonEmpty('a URL'),
  host: oneOf(HOOK_HOSTS),
  repo: repository,
  event: nonEmpty('a name'),
  exec: nonEmpty('a command'),
  refresh: nonEmpty('a URL'),
  every: interval,
  settle: duration,
  once: flag,
  'if-changed': flag,
  'fire-first': flag,
  drafts: flag,
  json: flag,
  'cache-dir': nonEmpty('a folder'),
};
export type WatchOptions = Values<typeof OPTIONS>;

/** Parses the options and rejects invalid combinations. */
export function parseWatchOptions(args: string[]): WatchOptions {
  const options = parseOptions('watch', OPTIONS, args);
  if (!options.help) checkCombination(options);
  return options;
}

function checkCombination(options: WatchOptions): void {
  const { hook, host, repo, event, exec, refresh, once: isOnce } = options;
  const reject = (problem: string) => {
    throw new UsageError('watch', problem);
  };
  if (options['if-changed'] && !isOnce)
    reject('--if-changed requires --once (without --once the hook is only called after a change)');
  if (host === 'github' && (hook !== undefined || repo === undefined)) {
    reject('--host github requires --repo OWNER/NAME and no --hook');
  }
  if (host !== 'github' && (repo !== undefined || event !== undefined)) {
    reject('--repo and --event require --host github');
  }
  if (exec !== undefined && (hook !== undefined || host !== undefined)) {
    reject('--exec cannot be combined with --hook or --host');
  }
  if (refresh !== undefined && (hook ?? host ?? exec) !== undefined) {
    reject('--refresh cannot be combined with --hook, --host or --exec');
  }
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
