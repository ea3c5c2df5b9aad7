import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';

/** Output that is a revision of an export may be long. */
const MAX_OUTPUT = 2 ** 31 - 1;

/** Runs git, but no program that the configuration of the repository names: it may be somebody else's. */
export function runGit(folder: string, args: readonly string[], input = '') {
  // Git sets these in hooks, where they point to another repository or index.
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  const noPrograms = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`];
  // A partial clone fetches missing objects, with a command from its configuration. This is the list of protocols.
  const noFetching = { GIT_ALLOW_PROTOCOL: 'none' };
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', folder, ...noPrograms, ...args], {
    env: { ...env, ...noFetching, LC_ALL: 'C' },
    input,
    maxBuffer: MAX_OUTPUT,
  });
  return { status, stdout, stderr: stderr?.toString() ?? '', isMissing: error !== undefined };
}
