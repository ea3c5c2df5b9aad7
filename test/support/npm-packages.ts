import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, shellEnvironment } from '../package/pack.ts';
import { run } from './run-command.ts';

const CACHE = join(ROOT, 'node_modules/.cache/packages');
const { overrides } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Packages that only some tests need, and that are too large for everyone's `npm ci`. */
export interface NpmPackages {
  /** The path of a file in node_modules. */
  path(file: string): string;
  // biome-ignore lint/suspicious/noExplicitAny: packages that are not dependencies have no types here.
  import(file: string): Promise<any>;
}

/**
 * Installs exact versions of packages, once, in a folder of their own. Without a registry it logs which tests are skipped,
 * and returns `undefined`; in CI it throws.
 */
export async function npmPackages(
  tests: string,
  versions: Readonly<Record<string, string>>,
): Promise<NpmPackages | undefined> {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: versions, overrides });
  const folder = join(CACHE, createHash('sha256').update(manifest).digest('hex').slice(0, 12));
  try {
    if (!existsSync(folder)) await installInto(folder, manifest);
  } catch (error) {
    if (process.env.CI) throw error;
    console.log(`${Object.keys(versions).join(', ')} cannot be installed, so ${tests} are skipped.`);
    return undefined;
  }
  const path = (file: string) => join(folder, 'node_modules', file);
  return { path, import: (file) => import(/* @vite-ignore */ pathToFileURL(path(file)).href) };
}

/** Another process may install the same at the same time: the first to end is used. */
async function installInto(folder: string, manifest: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(own, 'package.json'), manifest);
    const args = [
      'install',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
    ];
    await run('npm', args, { cwd: own, env: shellEnvironment() });
    if (!existsSync(folder)) renameSync(own, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
