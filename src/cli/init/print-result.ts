import { join } from 'node:path';
import { printable } from '../../printable.ts';
import { logInfo, logWarning, styled } from '../shared/output.ts';
import type { Credentials } from './connect.ts';
import { type GitState, gitState } from './git.ts';
import type { ProjectFolder } from './inspect-project.ts';
import type { PlannedFile } from './planned-file.ts';
import type { FileToWrite } from './write-files.ts';

export function printWrittenFiles(
  planned: readonly PlannedFile[],
  written: readonly FileToWrite[],
  kept: readonly string[],
): void {
  logInfo('');
  for (const { path } of written) {
    const { about, state } = planned.find((file) => file.path === path) ?? {};
    const added = state === 'added to' && about !== undefined ? ` (added ${about})` : '';
    logInfo(`${styled('green', 'wrote')} ${path}${added}`);
  }
  for (const path of kept) logWarning(`${path} differs and was kept; pass --yes --force to replace it.`);
  if (written.length === 0 && kept.length === 0) logInfo('Nothing to do: everything is up to date.');
}

/** Checks again whether git ignores `.env`, now that `.gitignore` is written. */
export function warnIfNotIgnored(folder: string, written: readonly FileToWrite[], before: GitState): void {
  if (before === 'no repository' || !written.some(({ secret }) => secret)) return;
  const state = gitState(join(folder, '.env'));
  if (state === 'unknown')
    logWarning('Could not run git to check that .env is ignored: check before you commit.');
  if (state === 'not ignored' || state === 'tracked') {
    logWarning(
      'git does not ignore .env, which contains the API key: add it to .gitignore before you commit.',
    );
  }
}

/** Variables of the shell take precedence over `.env`, in builds too. */
export function warnAboutOverrides({ baseUrl, apiKey }: Credentials): void {
  const { LUID_BASE_URL = baseUrl, LUID_API_KEY = apiKey } = process.env;
  const names = [LUID_BASE_URL !== baseUrl && 'LUID_BASE_URL', LUID_API_KEY !== apiKey && 'LUID_API_KEY'];
  for (const name of names.filter((one) => one !== false)) {
    logWarning(
      `${name} has a different value in the environment, which takes precedence over .env: unset it.`,
    );
  }
}

export function printNextSteps(
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
  logInfo(`\nNext:\n${commands.map((command) => `  ${command}`).join('\n')}`);
}
