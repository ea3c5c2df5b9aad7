import {
  BadOption,
  duration,
  flag,
  type Option,
  oneOf,
  parseOptions,
  text,
  type Values,
} from '../shared/command-options.ts';
import { SPACE_HELP, SPACE_OPTIONS } from '../shared/load-space.ts';
import { execHook, githubHook, HOOK_HOSTS, type Hook, urlHook } from './deploy-hooks.ts';

export const HELP = `luid watch: calls a deploy hook when content has changed

  --hook URL            the address to POST to, or LUID_HOOK in .env (better: it is a secret)
  --host HOST           ${HOOK_HOSTS.join(', ')}: the form of the hook
                        With the first three, --hook may be what follows the host's own address.
  --repo OWNER/NAME     with --host github: starts workflows on repository_dispatch, by GITHUB_TOKEN
  --event NAME          with --host github: the event_type (default: content-changed)
  --exec CMD            run a command instead; another exit code than 0 counts as failed
  --every TIME          how often to look, 1s to 24d (default: 30s)
  --settle TIME         how long content must be quiet (default: 20s); after 15 times that it fires anyway
  --once                fire now, and end
  --once --if-changed   fire if content changed since the last time, and end: for cron
  --fire-first          fire at the very first start, too, when nothing is known of earlier ones
  --drafts              watch what the key for drafts shows
  --json                what happens on stdout, a line of JSON each
  --cache-dir DIR       Astro's cacheDir, if astro.config sets one (default: node_modules/.astro)
${SPACE_HELP}

Every change is followed by a hook after it, and none is called without one; a difference in _updated_at
or _status alone is none. What was deployed is kept in the cache, so a restart loses nothing. A hook whose
answer got lost is called again.

Exit codes: 0 fired, nothing to do, or ended by SIGTERM; 1 it could not be done; 2 wrong usage; 130 ended by Ctrl-C.

  LUID_HOOK=https://… luid watch
  luid watch --host netlify --hook 5f1e… --every 1min
  GITHUB_TOKEN=… luid watch --host github --repo me/site
  luid watch --exec "npm run build && npm run deploy"
  */5 * * * *  cd /srv/site && npx luid watch --once --if-changed
`;

/** A timer of Node.js takes at most 2^31 - 1 milliseconds, 24.8 days, and fires at once above that. */
const LONGEST_INTERVAL = 24 * 24 * 60 * 60 * 1000;

const interval: Option<number> = {
  ...duration,
  wants: 'a time from 1s to 24d, such as 30s or 10min',
  read: (value) => {
    const time = duration.read(value);
    return time !== undefined && time >= 1000 && time <= LONGEST_INTERVAL ? time : undefined;
  },
};

const repository: Option<string> = {
  type: 'string',
  wants: 'OWNER/NAME',
  read: (value) => (/^[\w.-]+\/[\w.-]+$/.test(value) ? value : undefined),
};

const OPTIONS = {
  ...SPACE_OPTIONS,
  hook: text('an address'),
  host: oneOf(HOOK_HOSTS),
  repo: repository,
  event: text('a name'),
  exec: text('a command'),
  every: interval,
  settle: duration,
  once: flag,
  'if-changed': flag,
  'fire-first': flag,
  drafts: flag,
  json: flag,
  'cache-dir': text('a folder'),
};
export type WatchArguments = Values<typeof OPTIONS>;

/** Reads the options and refuses those that do not go together. */
export function parseWatch(args: string[]): WatchArguments {
  const options = parseOptions('watch', OPTIONS, args);
  if (!options.help) checkTogether(options);
  return options;
}

function checkTogether(options: WatchArguments): void {
  const { hook, host, repo, event, exec, once: isOnce } = options;
  const complain = (problem: string) => {
    throw new BadOption('watch', problem);
  };
  if (options['if-changed'] && !isOnce)
    complain('--if-changed goes with --once; without it, it is always so');
  if (host === 'github' && (hook !== undefined || repo === undefined)) {
    complain('--host github takes --repo OWNER/NAME, and no --hook');
  }
  if (host !== 'github' && (repo !== undefined || event !== undefined)) {
    complain('--repo and --event go with --host github');
  }
  if (exec !== undefined && (hook !== undefined || host !== undefined)) {
    complain('--exec takes the place of --hook and --host: give one of them');
  }
}

/** The hook that the options or the environment name. */
export function hookOf(
  { hook, host, repo = '', event = 'content-changed', exec }: WatchArguments,
  dir: string,
): Hook {
  const { LUID_HOOK, GITHUB_TOKEN: token, GITHUB_API_URL: apiUrl } = process.env;
  if (exec !== undefined) return execHook(exec, dir);
  if (host === 'github') return githubHook({ repo, event, token, apiUrl });
  const address = hook ?? LUID_HOOK;
  if (address) return urlHook(address, host);
  throw new BadOption(
    'watch',
    'there is nothing to call: give --hook URL, LUID_HOOK, --host github or --exec',
  );
}
