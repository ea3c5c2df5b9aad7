import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LuidConfigError } from '../../shared/errors.ts';
import { type Environment, isOwnVariable, readEnvironment } from '../../space/environment/env-files.ts';
import { SpaceRuntime } from '../../space/runtime.ts';
import type { RunningSpace } from '../../space/space.ts';
import { findSpaceFile, importSpace } from '../../space/space-file.ts';
import type { Values } from './command.ts';
import { text } from './option-kinds.ts';

export const dirOption = text('DIR', 'the project folder (default: the current one)', 'a folder');

/** Options of every command that needs a space. */
export const SPACE_OPTIONS = {
  dir: dirOption,
  space: text('FILE', 'the file that exports the space (default: src/space.ts)', 'a file'),
  export: text('NAME', 'which export, if the file has several spaces', 'the name of an export'),
};

export interface LoadedSpace {
  readonly space: RunningSpace;
  /** The name of the export. */
  readonly name: string;
  /** The file that defines it. */
  readonly path: string;
  /** The project folder. */
  readonly dir: string;
}

/** Imports the space of a project as Astro would, with the project's `.env` files in the environment. */
export async function loadSpace(options: Partial<Values<typeof SPACE_OPTIONS>>): Promise<LoadedSpace> {
  const dir = resolve(options.dir ?? '.');
  const path = findFile(dir, options.space);
  const environment = await loadEnvironment(dir);
  const hints = {
    noAstro: 'Run `npm install` there, or pass the project folder as --dir DIR.',
    several: 'Pass --export NAME to choose one.',
  };
  const found = await importSpace({ root: dir, path, name: options.export, environment, hints });
  return { dir, path, name: found.name, space: { ...found.space, runtime: new SpaceRuntime() } };
}

/** Adds the variables in the `.env` files of a project to the environment. */
export async function loadEnvironment(dir: string): Promise<Environment> {
  // The variables of this package and no others: `NODE_OPTIONS` or `GITHUB_API_URL` in a `.env` file must have no
  // effect. As in Astro, existing variables win.
  const environment = await readEnvironment({ root: dir, mode: 'production' });
  for (const [name, value] of Object.entries(environment)) {
    if (isOwnVariable(name)) process.env[name] = value;
  }
  return environment;
}

function findFile(root: string, file: string | undefined): string {
  const path = file === undefined ? findSpaceFile(join(root, 'src')) : resolve(root, file);
  if (path && existsSync(path)) return path;
  const missing = file === undefined ? `No space.ts in ${join(root, 'src')}` : `File not found: ${file}`;
  throw new LuidConfigError(missing, {
    hint: 'Run `npx astro-luid init` to write one, or pass the file that exports the space as --space FILE.',
  });
}
