import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, LuidConfigError } from '../errors.ts';
import type { Environment } from './env-files.ts';
import type { SpaceCore } from './space.ts';

/** The names that the file of a space may have, in the folder of a site's sources. */
export const SPACE_FILES = ['space.ts', 'space.mts', 'space.js', 'space.mjs'] as const;

export function findSpaceFile(sourceFolder: string): string | undefined {
  return SPACE_FILES.map((name) => join(sourceFolder, name)).find((path) => existsSync(path));
}

export interface SpaceImport {
  /** The project's folder. */
  readonly root: string;
  readonly path: string;
  /** What Astro's `getSecret` gives while the file is imported. */
  readonly environment: Environment;
  /** What to do if Astro is not installed in `root`, or if the file does not say which space is meant. */
  readonly hints: { readonly noAstro: string; readonly several: string };
  /** The name that the space is exported by. Default: `space`, or the only one. */
  readonly name?: string | undefined;
}

export interface ImportedSpace {
  readonly space: SpaceCore;
  /** The name that it is exported by. */
  readonly name: string;
  /** The project's own files that the file imports, and itself. */
  readonly files: readonly string[];
}

/** Imports a file that exports a space as Astro would import it, and chooses the space. */
export async function importSpace(request: SpaceImport): Promise<ImportedSpace> {
  const { module, dependencies } = await importModule(request);
  const files = dependencies.filter((file) => !/[\\/]node_modules[\\/]/.test(file) && existsSync(file));
  const spaces = Object.entries(module).filter((entry): entry is [string, SpaceCore] => isSpace(entry[1]));
  return { ...choose(spaces, request), files: [...new Set([request.path, ...files])] };
}

/** Judged by its shape: the project may have another copy of this package. */
export function isSpace(value: unknown): value is SpaceCore {
  if (typeof value !== 'object' || value === null) return false;
  const { models, settings, connect } = value as Partial<SpaceCore>;
  return typeof models === 'object' && typeof settings === 'object' && typeof connect === 'function';
}

interface Imported {
  readonly module: Record<string, unknown>;
  readonly dependencies: readonly string[];
}
interface Vite {
  runnerImport(path: string, config: object): Promise<Imported>;
}

/** Through the Vite of the project's Astro, so that everything resolves as it does there. */
async function importModule({ root, path, environment, hints }: SpaceImport): Promise<Imported> {
  const { runnerImport } = await findVite(root, hints.noAstro);
  const forget = provideSecrets(environment);
  try {
    return await runnerImport(path, {
      root,
      logLevel: 'silent',
      // Of Vite 8 on; as Astro, which reads the paths of tsconfig.json itself.
      resolve: { tsconfigPaths: true },
      envPrefix: ['PUBLIC_', 'LUID_'],
      plugins: [secretsModule],
    });
  } catch (cause) {
    throw new LuidConfigError(`${relative(root, path)} cannot be imported: ${errorMessage(cause)}`, {
      hint: 'Fix the error above: a build would fail with it too.',
      cause,
    });
  } finally {
    forget();
  }
}

async function findVite(root: string, hint: string): Promise<Vite> {
  try {
    const astro = createRequire(join(root, 'package.json')).resolve('astro/package.json');
    return await import(pathToFileURL(createRequire(astro).resolve('vite')).href);
  } catch (cause) {
    throw new LuidConfigError(`Astro is not installed in ${root}`, { hint, cause });
  }
}

// A space file may ask Astro for its secrets. They are handed over beside the module's code, which errors may print.
const SECRETS = Symbol.for('astro-luid:secrets');
const secrets = globalThis as { [SECRETS]?: Environment | undefined };

function provideSecrets(environment: Environment): () => void {
  secrets[SECRETS] = environment;
  return () => {
    secrets[SECRETS] = undefined;
  };
}

const secretsModule = {
  name: 'astro-luid:secrets',
  resolveId: (id: string) => (id === 'astro:env/server' ? `\0${id}` : undefined),
  load: (id: string) =>
    id === '\0astro:env/server'
      ? `const secrets = globalThis[Symbol.for('astro-luid:secrets')] ?? process.env;
         export const getSecret = (name) => secrets[name];`
      : undefined,
};

function choose(spaces: readonly [string, SpaceCore][], { root, path, name, hints }: SpaceImport) {
  const file = relative(root, path);
  const names = spaces.map(([one]) => one).join(', ');
  const candidates = name === undefined ? preferred(spaces) : spaces.filter(([one]) => one === name);
  const [found] = candidates;
  if (!found) {
    throw new LuidConfigError(
      name === undefined ? `${file} exports no space` : `${file} exports no space called ${name}`,
      { hint: names ? `It exports ${names}.` : 'Export what defineSpace() returns.' },
    );
  }
  // One space under two names is one.
  if (candidates.some(([, space]) => space !== found[1])) {
    throw new LuidConfigError(`${file} exports several spaces: ${names}`, { hint: hints.several });
  }
  return { name: found[0], space: found[1] };
}

function preferred(spaces: readonly [string, SpaceCore][]): readonly [string, SpaceCore][] {
  const named = spaces.filter(([name]) => name === 'space');
  return named.length > 0 ? named : spaces;
}
