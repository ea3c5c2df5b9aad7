import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readEnvironment } from '../astro/dev-environment.ts';
import type { Space } from '../astro/space.ts';
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

const FILES = ['src/space.ts', 'src/space.mts', 'src/space.js', 'src/space.mjs'];

/**
 * The space that a project defines, imported as Astro would import it, with the project's `.env` files in
 * the environment.
 */
export async function loadSpace({ dir, file, name }: SpaceRequest): Promise<LoadedSpace> {
  const root = resolve(dir);
  const path = findFile(root, file);
  takeEnvironment(root);
  const exported = await importAs(root, path);
  const spaces = Object.entries(exported).filter(([, value]) => isSpace(value));
  return { path, ...choose(spaces as [string, Space][], relative(root, path), name) };
}

function findFile(root: string, file: string | undefined): string {
  const path = (file === undefined ? FILES : [file]).map((one) => resolve(root, one)).find(existsSync);
  if (path) return path;
  const missing = file === undefined ? `${join(root, 'src')} has no space.ts` : `There is no file ${file}`;
  throw new LuidConfigError(missing, {
    hint: 'Run `luid init` to write one, or name the file that exports the space by --space FILE.',
  });
}

/** What is set already is left alone, as Astro does it. */
function takeEnvironment(root: string): void {
  Object.assign(process.env, readEnvironment(pathToFileURL(`${root}/`), 'production'));
}

interface Vite {
  runnerImport<T>(path: string, config: object): Promise<{ module: T }>;
}

/** Imports a module through the Vite of the project's Astro, so that it resolves as it does there. */
async function importAs(root: string, path: string): Promise<Record<string, unknown>> {
  const { runnerImport } = await findVite(root);
  try {
    const { module } = await runnerImport<Record<string, unknown>>(path, {
      root,
      logLevel: 'silent',
      // Of Vite 8 on; as Astro, which reads the paths of tsconfig.json itself.
      resolve: { tsconfigPaths: true },
      envPrefix: ['PUBLIC_', 'LUID_'],
      plugins: [astroSecrets],
    });
    return module;
  } catch (cause) {
    throw new LuidConfigError(`${relative(root, path)} cannot be imported: ${messageOf(cause)}`, {
      hint: 'Correct it: what is wrong there is wrong in a build, too.',
      cause,
    });
  }
}

async function findVite(root: string): Promise<Vite> {
  try {
    const astro = createRequire(join(root, 'package.json')).resolve('astro/package.json');
    return await import(pathToFileURL(createRequire(astro).resolve('vite')).href);
  } catch (cause) {
    throw new LuidConfigError(`Astro is not installed in ${root}`, {
      hint: 'Run `npm install` there, or name the project’s folder by --dir DIR.',
      cause,
    });
  }
}

/** A space file may ask Astro for its secrets, which are the environment here. */
const astroSecrets = {
  name: 'astro-luid:secrets',
  resolveId: (id: string) => (id === 'astro:env/server' ? `\0${id}` : undefined),
  load: (id: string) =>
    id === '\0astro:env/server' ? 'export const getSecret = (name) => process.env[name];' : undefined,
};

/** By its shape: the project may have another copy of this package. */
function isSpace(value: unknown): value is Space {
  if (typeof value !== 'object' || value === null) return false;
  const { models, settings, connect } = value as Partial<Space>;
  return typeof models === 'object' && typeof settings === 'object' && typeof connect === 'function';
}

function choose(spaces: [string, Space][], file: string, name: string | undefined) {
  const names = spaces.map(([one]) => one).join(', ');
  const [found, second] = name === undefined ? spaces : spaces.filter(([one]) => one === name);
  if (!found) {
    throw new LuidConfigError(
      name === undefined ? `${file} exports no space` : `${file} exports no space called ${name}`,
      { hint: names ? `It exports ${names}.` : 'Export what defineSpace() gives.' },
    );
  }
  // One space under two names is one.
  if (second && spaces.some(([, space]) => space !== found[1])) {
    throw new LuidConfigError(`${file} exports several spaces: ${names}`, {
      hint: 'Choose one by --export NAME.',
    });
  }
  return { name: found[0], space: found[1] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
