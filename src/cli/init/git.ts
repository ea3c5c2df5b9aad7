import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { LuidConfigError } from '../../errors.ts';

/**
 * What git does with a file, existing or not. `unknown`: there is a repository, but git could not be asked.
 */
export type GitState = 'no repository' | 'ignored' | 'not ignored' | 'tracked' | 'unknown';

/** What git does with a file; of a link, with what it points to as well: the worse of the two. */
export function gitStateOf(path: string): GitState {
  const places = new Set([resolve(path), ...(existsSync(path) ? [realpathSync(path)] : [])]);
  const states = [...places].map(askGit);
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown';
}

const WORST_FIRST: readonly GitState[] = ['tracked', 'not ignored', 'unknown', 'ignored', 'no repository'];

function askGit(path: string): GitState {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  const file = relative(folder, path);
  const tracked = git(folder, ['ls-files', '--error-unmatch', '--', `:(literal)${file}`]);
  if (tracked.isMissing) return hasRepository(folder) ? 'unknown' : 'no repository';
  if (tracked.status === 0) return 'tracked';
  if (/not a git repository/.test(tracked.stderr)) return 'no repository';
  const ignored = git(folder, ['check-ignore', '-q', '--', file]);
  if (ignored.status === 0) return 'ignored';
  return ignored.status === 1 ? 'not ignored' : 'unknown';
}

function git(folder: string, args: readonly string[]) {
  // Set inside of hooks, where they would name another repository or index.
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  const { status, stderr, error } = spawnSync('git', ['-C', folder, ...args], {
    env: { ...env, LC_ALL: 'C' },
    encoding: 'utf8',
  });
  return { status, stderr: stderr ?? '', isMissing: error !== undefined };
}

function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && hasRepository(dirname(folder));
}

/** Refuses to put a key into a file that git has, or would take whatever `.gitignore` says. */
export function checkNotTracked(path: string, state: GitState): void {
  const name = basename(path);
  if (state === 'tracked') {
    throw new LuidConfigError(`${name} is tracked by git: the API key would be committed`, {
      hint: `Run \`git rm --cached ${name}\` and commit that, or set LUID_BASE_URL and LUID_API_KEY in the environment or an ignored .env.local.`,
    });
  }
  const ignoreFile = join(dirname(path), '.gitignore');
  if (state === 'not ignored' && lstatSync(ignoreFile, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new LuidConfigError(
      `${name} is not ignored by git, and .gitignore is a link, which git does not follow`,
      {
        hint: `Replace the link by a file that contains the line ${name}.`,
      },
    );
  }
}

/** A `.gitignore` whose last line, which decides, is this one. */
export function withIgnored(text: string, line: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${line}${eol}`;
}
