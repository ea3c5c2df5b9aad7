import { join } from 'node:path';
import { printable } from '../../../shared/printable.ts';
import { logInfo, logWarning, styled } from '../../shared/output.ts';
import { type GitState, gitState } from '../env/git.ts';
import type { EnvOverride } from '../env/space-variables.ts';
import type { ProjectFolder } from '../inspect-project.ts';
import type { Decisions } from '../plan/resolve-conflicts.ts';
import type { FileToWrite } from '../write-files.ts';

export function printWrittenFiles({ files, kept }: Decisions): void {
  logInfo('');
  for (const { path, about, state } of files) {
    const added = state === 'added to' && about !== undefined ? ` (added ${about})` : '';
    logInfo(`${styled('green', 'wrote')} ${path}${added}`);
  }
  for (const path of kept) logWarning(`${path} differs and was kept; pass --yes --force to replace it.`);
  if (files.length === 0 && kept.length === 0) logInfo('Nothing to do: everything is up to date.');
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

/** The shell and other `.env` files take precedence over `.env`, in builds too. */
export function warnAboutOverrides(overrides: readonly EnvOverride[]): void {
  for (const { name, where } of overrides) {
    const fix = where.startsWith('.') ? 'change it there' : 'unset it';
    logWarning(`${name} has a different value in ${where}, which takes precedence over .env: ${fix}.`);
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

/** An existing site has pages of its own, but none of the new collections yet. */
export function printPageSnippet({ path, code }: { readonly path: string; readonly code: string }): void {
  const lines = code.trimEnd().split('\n');
  logInfo(
    `\nA page per entry, for example as ${printable(path)}:\n\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}
