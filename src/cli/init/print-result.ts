import { join } from 'node:path';
import { printable } from '../../printable.ts';
import { note, styled, warn } from '../shared/output.ts';
import type { Access } from './connect.ts';
import { type GitState, gitStateOf } from './git.ts';
import type { ProjectFolder } from './inspect-project.ts';
import type { PlannedFile } from './planned-file.ts';
import type { FileToWrite } from './write-files.ts';

export function reportFiles(
  planned: readonly PlannedFile[],
  written: readonly FileToWrite[],
  kept: readonly string[],
): void {
  note('');
  for (const { path } of written) {
    const { about, state } = planned.find((file) => file.path === path) ?? {};
    const added = state === 'added to' && about !== undefined ? ` (added ${about})` : '';
    note(`${styled('green', 'wrote')} ${path}${added}`);
  }
  for (const path of kept) warn(`${path} differs and was kept; --yes --force replaces it.`);
  if (written.length === 0 && kept.length === 0) note('Nothing to do: everything is up to date.');
}

/** Asks git once more, now that `.gitignore` is as it will be. */
export function reportGit(folder: string, written: readonly FileToWrite[], before: GitState): void {
  if (before === 'no repository' || !written.some(({ secret }) => secret)) return;
  const state = gitStateOf(join(folder, '.env'));
  if (state === 'unknown') warn('git could not be asked whether it ignores .env: check before you commit.');
  if (state === 'not ignored' || state === 'tracked') {
    warn('git does not ignore .env, which holds the key: add it to .gitignore before you commit.');
  }
}

/** What the environment of this shell sets wins over `.env`, in builds too. */
export function warnOfOverrides({ baseUrl, apiKey }: Access): void {
  const { LUID_BASE_URL = baseUrl, LUID_API_KEY = apiKey } = process.env;
  const names = [LUID_BASE_URL !== baseUrl && 'LUID_BASE_URL', LUID_API_KEY !== apiKey && 'LUID_API_KEY'];
  for (const name of names.filter((one) => one !== false)) {
    warn(`${name} has another value in the environment, which takes precedence over .env: unset it.`);
  }
}

export function reportNext(
  dir: string | undefined,
  project: ProjectFolder,
  spaceFile: string,
  written: readonly FileToWrite[],
): void {
  if (written.length === 0) return;
  const { packageManager, isNew } = project;
  const needsInstall = written.some(({ path }) => path === 'package.json');
  const run = packageManager === 'npm' ? 'npm run dev' : `${packageManager} dev`;
  const commands = [
    dir !== undefined &&
      `cd ${/^[\w./-]+$/.test(dir) ? dir : `'${printable(dir).replaceAll("'", "'\\''")}'`}`,
    needsInstall && `${packageManager} install`,
    isNew
      ? run
      : `npx luid check${/^src\/space\.\w+$/.test(spaceFile) ? '' : ` --space ${printable(spaceFile)}`}`,
  ].filter((command) => command !== false);
  note(`\nNext:\n${commands.map((command) => `  ${command}`).join('\n')}`);
}
