import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LuidConfigError } from '../../errors.ts';
import { type Environment, isOwnVariable, readEnvironment } from '../../space/env-files.ts';
import { SpaceRuntime } from '../../space/runtime.ts';
import type { RunningSpace } from '../../space/space.ts';
import { findSpaceFile, importSpace } from '../../space/space-file.ts';
import { nonEmpty } from './command-options.ts';

export interface SpaceLocation {
  /** The project folder. */
  readonly dir: string;
  /** The file that defines the space, relative to the project. Default: `src/space.ts` or the like. */
  readonly file?: string | undefined;
  /** The name of the export. Required only if the file exports several spaces. */
  readonly name?: string | undefined;
}

export interface LoadedSpace {
  readonly space: RunningSpace;
  /** The name of the export. */
  readonly name: string;
  /** The file that defines it. */
  readonly path: string;
}

/** Options of every command that needs a space, and their help. */
export const SPACE_OPTIONS = {
  dir: nonEmpty('a folder'),
  space: nonEmpty('a file'),
  export: nonEmpty('the name of an export'),
};
export const SPACE_HELP = `  --dir DIR             the project folder (default: the current one)
  --space FILE          the file that exports the space (default: src/space.ts)
  --export NAME         which export, if the file has several spaces`;

/** Imports the space of a project as Astro would, with the project's `.env` files in the environment. */
export async function loadSpace({ dir, file, name }: SpaceLocation): Promise<LoadedSpace> {
  const root = resolve(dir);
  const path = findFile(root, file);
  const hints = {
    noAstro: 'Run `npm install` there, or pass the project folder as --dir DIR.',
    several: 'Pass --export NAME to choose one.',
  };
  const environment = await loadEnvironment(root);
  const found = await importSpace({ root, path, name, environment, hints });
  return { path, name: found.name, space: { ...found.space, runtime: new SpaceRuntime() } };
}

function findFile(root: string, file: string | undefined): string {
  const path = file === undefined ? findSpaceFile(join(root, 'src')) : resolve(root, file);
  if (path && existsSync(path)) return path;
  const missing = file === undefined ? `No space.ts in ${join(root, 'src')}` : `File not found: ${file}`;
  throw new LuidConfigError(missing, {
    hint: 'Run `npx astro-luid init` to write one, or pass the file that exports the space as --space FILE.',
  });
}

/**
 * Copies the variables of this package from the project's `.env` files into the environment, and no others:
 * `NODE_OPTIONS` or `GITHUB_API_URL` in a `.env` file must have no effect. As in Astro, existing variables win.
 */
async function loadEnvironment(root: string): Promise<Environment> {
  const environment = await readEnvironment({ root, mode: 'production' });
  for (const [name, value] of Object.entries(environment)) {
    if (isOwnVariable(name)) process.env[name] = value;
  }
  return environment;
}
