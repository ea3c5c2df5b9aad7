import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, isOwnVariable, readEnvironment } from '../astro/dev-environment.ts';
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
  const exported = await importAs(root, path, takeEnvironment(root));
  const spaces = Object.entries(exported).filter(([, value]) => isSpace(value));
  return { path, ...choose(spaces as [string, Space][], relative(root, path), name) };
}

function findFile(root: string, file: string | undefined): string {
  const path = (file === undefined ? FILES : [file]).map((one) => resolve(root, one)).find(existsSync);
  if (path) return path;
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

interface Vite {
  runnerImport<T>(path: string, config: object): Promise<{ module: T }>;
}

/** Imports a module through the Vite of the project's Astro, so that it resolves as it does there. */
async function importAs(
  root: string,
  path: string,
  environment: Environment,
): Promise<Record<string, unknown>> {
  const { runnerImport } = await findVite(root);
  try {
    const { module } = await runnerImport<Record<string, unknown>>(path, {
      root,
      logLevel: 'silent',
      // Of Vite 8 on; as Astro, which reads the paths of tsconfig.json itself.
      resolve: { tsconfigPaths: true },
      envPrefix: ['PUBLIC_', 'LUID_'],
      plugins: [astroSecrets(environment)],
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

/** A space file may ask Astro for secrets by name: those of the environment and of the `.env` files. */
function astroSecrets(environment: Environment) {
  return {
    name: 'astro-luid:secrets',
    resolveId: (id: string) => (id === 'astro:env/server' ? `\0${id}` : undefined),
    load: (id: string) =>
      id === '\0astro:env/server'
        ? `const known = new Map(${JSON.stringify(Object.entries(environment))});\nexport const getSecret = (name) => known.get(name);`
        : undefined,
  };
}

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
