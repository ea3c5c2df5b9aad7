import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/run-command.ts';
import { ROOT } from './pack.ts';
import { publicSurface } from './public-surface.ts';

// A change here is a change for users: it belongs in a changeset. `npx vitest run -u` accepts it.

test('every entry point exports the names that are written down', async () => {
  await expect(publicSurface(ROOT)).toMatchFileSnapshot('public-surface.txt');
});

test('every command takes the options that are written down', async () => {
  const commands = ['', 'init', 'check', 'sync', 'watch', 'emulator'];
  const lines = await Promise.all(commands.map(optionsOf));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('command-options.txt');
});

/** The commands and options that a help text lists, without the words that explain them. */
async function optionsOf(command: string): Promise<string> {
  const args = ['--no-warnings', join(ROOT, 'dist/cli/main.js'), ...(command ? [command] : []), '--help'];
  const help = await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } });
  const listed = [...help.matchAll(/^ {2}(\S+(?: \S+)*)(?: {2,}|$)/gm)].map(([, option]) => option);
  return [`luid ${command}`.trim(), ...listed.filter((option) => /^--|^[a-z]+$/.test(option ?? ''))].join(
    '\n  ',
  );
}
