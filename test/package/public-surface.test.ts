import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/run-command.ts';
import { ROOT } from './pack.ts';
import { publicSurface } from './public-surface.ts';

// A difference is a change for users and needs a line in CHANGELOG.md. `npx vitest run -u` updates the files.

test('every entry point exports the names in public-surface.txt', async () => {
  await expect(publicSurface(ROOT)).toMatchFileSnapshot('public-surface.txt');
});

test('every command takes the options in command-options.txt', async () => {
  const commands = [
    '',
    'init',
    'check',
    'doctor',
    'sync',
    'audit-build',
    'lint',
    'redirects',
    'watch',
    'export',
    'diff',
    'restore',
    'emulator',
  ];
  const lines = await Promise.all(commands.map(optionsOf));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('command-options.txt');
});

/** The commands and options that the help lists, without their descriptions. */
async function optionsOf(command: string): Promise<string> {
  const args = ['--no-warnings', join(ROOT, 'dist/cli/main.js'), ...(command ? [command] : []), '--help'];
  const help = await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } });
  const listed = [...help.matchAll(/^ {2}(\S+(?: \S+)*)(?: {2,}|$)/gm)].map(([, option]) => option);
  return [
    `luid ${command}`.trim(),
    ...listed.filter((option) => /^--|^[a-z]+(?:-[a-z]+)*$/.test(option ?? '')),
  ].join('\n  ');
}
