import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../support/run-command.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Creates a folder outside the repository, from which its packages cannot be resolved. */
export function createFolder(): { folder: string; remove: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'astro-luid-package-')));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Packs the built package and returns the path of the tarball. */
export async function pack(folder: string): Promise<string> {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The environment of a user's shell, without variables of Vitest, of a space, or of the npm that runs the tests. */
export function shellEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { VITEST, NODE_ENV, npm_config_call, npm_config_package, npm_config_yes, ...rest } = process.env;
  const kept = Object.entries(rest).filter(([name]) => !name.startsWith('LUID_'));
  return { ...Object.fromEntries(kept), ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...more };
}
