import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { LuidConfigError } from '../../../shared/errors.ts';
import { runGit } from '../../shared/run-git.ts';

/** What git does with a file, existing or not. `unknown`: there is a repository, but git could not be run. */
export type GitState = 'no repository' | 'ignored' | 'not ignored' | 'tracked' | 'unknown';

/** The git state of a file. For a symbolic link: the worse of its own state and that of its target. */
export function gitState(path: string): GitState {
  const paths = new Set([resolve(path), ...(existsSync(path) ? [realpathSync(path)] : [])]);
  const states = [...paths].map(queryGit);
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown';
}

const WORST_FIRST: readonly GitState[] = ['tracked', 'not ignored', 'unknown', 'ignored', 'no repository'];

function queryGit(path: string): GitState {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  const file = relative(folder, path);
  const tracked = runGit(folder, ['ls-files', '--error-unmatch', '--', `:(literal)${file}`]);
  if (tracked.isMissing) return hasRepository(folder) ? 'unknown' : 'no repository';
  if (tracked.status === 0) return 'tracked';
  if (/not a git repository/.test(tracked.stderr)) return 'no repository';
  const ignored = runGit(folder, ['check-ignore', '-q', '--', file]);
  if (ignored.status === 0) return 'ignored';
  return ignored.status === 1 ? 'not ignored' : 'unknown';
}

function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && hasRepository(dirname(folder));
}

/** Throws if a key in this file would be committed, whatever `.gitignore` says. */
export function refuseTracked(path: string, state: GitState): void {
  const name = basename(path);
  if (state === 'tracked') {
    throw new LuidConfigError(`${name} is tracked by git: the API key would be committed`, {
      hint: `Run \`git rm --cached ${name}\` and commit that, or set LUID_BASE_URL and LUID_API_KEY in the environment or an ignored .env.local.`,
    });
  }
  const ignoreFile = join(dirname(path), '.gitignore');
  if (state === 'not ignored' && lstatSync(ignoreFile, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new LuidConfigError(
      `${name} is not ignored by git: .gitignore is a symbolic link, which git does not follow`,
      {
        hint: `Replace the link with a file that contains the line ${name}.`,
      },
    );
  }
}

/** Appends a line to a `.gitignore`: the last matching line wins. */
export function addIgnoreLine(text: string, line: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${line}${eol}`;
}
