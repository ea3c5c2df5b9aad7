import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../support/run-command.ts';
import { ROOT, shellEnvironment, writeFiles } from './pack.ts';

/** What is made by installing and building an example, and is not in the repository. */
const MADE = new Set(['node_modules', 'dist', '.astro', '.cache', '.env', 'package-lock.json']);

/** Copies an example and installs it as its README says, with the packed package instead of one from the registry. */
export async function installExample(name: string, project: string, tarball: string): Promise<void> {
  const source = join(ROOT, 'examples', name);
  cpSync(source, project, { recursive: true, filter: (path) => !MADE.has(basename(path)) });
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  manifest.dependencies['astro-luid'] = `file:${tarball}`;
  writeFiles(project, { 'package.json': JSON.stringify(manifest, undefined, 2) });
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags], { cwd: project, env: shellEnvironment() });
}
