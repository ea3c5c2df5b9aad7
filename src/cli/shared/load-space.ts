import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LuidConfigError } from '../../errors.ts';
import { type Environment, isOwnVariable, readEnvironment } from '../../space/env-files.ts';
import { SpaceRuntime } from '../../space/runtime.ts';
import type { RunningSpace } from '../../space/space.ts';
import { findSpaceFile, importSpace } from '../../space/space-file.ts';
import { text } from './command-options.ts';

export interface SpaceRequest {
  /** The project's folder. */
  readonly dir: string;
  /** The file that defines the space, relative to the project. Default: `src/space.ts` or the like. */
  readonly file?: string | undefined;
  /** The name it is exported by. Needed only where there are several. */
  readonly name?: string | undefined;
}

export interface LoadedSpace {
  readonly space: RunningSpace;
  /** The name that it is exported by. */
  readonly name: string;
  /** Where it is defined. */
  readonly path: string;
}

/** The options by which every command finds the space, and what it says of them. */
export const SPACE_OPTIONS = {
  dir: text('a folder'),
  space: text('a file'),
  export: text('the name of an export'),
};
export const SPACE_HELP = `  --dir DIR             the project (default: this folder)
  --space FILE          what exports the space (default: src/space.ts)
  --export NAME         which space, where it exports several`;

/**
 * The space that a project defines, imported as Astro would import it, with the project's `.env` files in
 * the environment.
 */
export async function loadSpace({ dir, file, name }: SpaceRequest): Promise<LoadedSpace> {
  const root = resolve(dir);
  const path = findFile(root, file);
  const hints = {
    noAstro: 'Run `npm install` there, or name the project’s folder by --dir DIR.',
    several: 'Choose one by --export NAME.',
  };
  const found = await importSpace({ root, path, name, environment: takeEnvironment(root), hints });
  return { path, name: found.name, space: { ...found.space, runtime: new SpaceRuntime() } };
}

function findFile(root: string, file: string | undefined): string {
  const path = file === undefined ? findSpaceFile(join(root, 'src')) : resolve(root, file);
  if (path && existsSync(path)) return path;
  const missing = file === undefined ? `${join(root, 'src')} has no space.ts` : `There is no file ${file}`;
  throw new LuidConfigError(missing, {
    hint: 'Run `npx astro-luid init` to write one, or name the file that exports the space by --space FILE.',
  });
}

/**
 * Puts this package's own variables from the project's `.env` files into the environment. No others: a
 * `NODE_OPTIONS` or `GITHUB_API_URL` there must have no effect. What is set already stays, as in Astro.
 */
function takeEnvironment(root: string): Environment {
  const environment = readEnvironment(pathToFileURL(`${root}/`), 'production');
  for (const [name, value] of Object.entries(environment)) {
    if (isOwnVariable(name)) process.env[name] = value;
  }
  return environment;
}
