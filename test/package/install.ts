import { join } from 'node:path';
import { run } from '../support/run-command.ts';
import { ROOT, shellEnvironment, writeFiles } from './pack.ts';

export type Manager = 'npm' | 'pnpm';

const COMMANDS = {
  npm: ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: [join(ROOT, 'node_modules/.bin/pnpm'), 'install', '--prefer-offline', '--ignore-scripts'],
} satisfies Record<Manager, [string, ...string[]]>;

/** Later versions do not have binaries for all our machines. */
const OVERRIDES = { rolldown: '1.2.18' };

/** Creates a new project with these packages only. */
export async function install(
  manager: Manager,
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  const manifest = { type: 'module', private: true, dependencies, overrides: OVERRIDES };
  writeFiles(folder, {
    'package.json': JSON.stringify(manifest, undefined, 2),
    ...(manager === 'pnpm' && { 'pnpm-workspace.yaml': JSON.stringify({ overrides: OVERRIDES }) }),
  });
  const [command, ...args] = COMMANDS[manager];
  await run(command, args, { cwd: folder, env: shellEnvironment() });
}
