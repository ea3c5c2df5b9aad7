import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readEnvironment } from '../astro/dev-environment.ts';
import type { Space } from '../astro/space.ts';
import { findSpaceFile, importSpace } from '../astro/space-file.ts';
import { LuidConfigError } from '../errors.ts';
import { text } from './options.ts';

export interface SpaceRequest {
  /** The project's folder. */
  readonly dir: string;
  /** The file that defines the space, relative to the project. Default: `src/space.ts` or the like. */
  readonly file?: string | undefined;
  /** The name it is exported by. Needed only where there are several. */
  readonly name?: string | undefined;
}

export interface LoadedSpace {
  readonly space: Space;
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
  takeEnvironment(root);
  const hints = {
    noAstro: 'Run `npm install` there, or name the project’s folder by --dir DIR.',
    several: 'Choose one by --export NAME.',
  };
  const found = await importSpace({ root, path, name, environment: process.env, hints });
  return { path, name: found.name, space: found.space };
}

function findFile(root: string, file: string | undefined): string {
  const path = file === undefined ? findSpaceFile(join(root, 'src')) : resolve(root, file);
  if (path && existsSync(path)) return path;
  const missing = file === undefined ? `${join(root, 'src')} has no space.ts` : `There is no file ${file}`;
  throw new LuidConfigError(missing, {
    hint: 'Run `npx astro-luid init` to write one, or name the file that exports the space by --space FILE.',
  });
}

/** What is set already is left alone, as Astro does it. */
function takeEnvironment(root: string): void {
  Object.assign(process.env, readEnvironment(pathToFileURL(`${root}/`), 'production'));
}
