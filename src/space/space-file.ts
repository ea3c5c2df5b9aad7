import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errorMessage, LuidConfigError } from '../shared/errors.ts';
import { sharedExpression, shareInProcess } from '../shared/process.ts';
import type { Environment } from './environment/env-files.ts';
import { importVite, type Vite } from './environment/project-vite.ts';
import type { SpaceCore } from './space.ts';

/** The file names of a space, in the source folder of a site. */
export const SPACE_FILES = ['space.ts', 'space.mts', 'space.js', 'space.mjs'] as const;

export function findSpaceFile(sourceFolder: string): string | undefined {
  return SPACE_FILES.map((name) => join(sourceFolder, name)).find((path) => existsSync(path));
}

export interface SpaceImport {
  /** The project's folder. */
  readonly root: string;
  readonly path: string;
  /** The secrets for Astro's `getSecret` while the file is imported. */
  readonly environment: Environment;
  /** The hints if Astro is not installed in `root`, and if the file exports several spaces. */
  readonly hints: { readonly noAstro: string; readonly several: string };
  /** The export to use. Default: `space`, or the only space. */
  readonly name?: string | undefined;
}

export interface ImportedSpace {
  readonly space: SpaceCore;
  /** The name of its export. */
  readonly name: string;
  /** The file, and the project's own files that it imports. */
  readonly files: readonly string[];
}

/** Imports a file as Astro would, and returns the space that it exports. */
export async function importSpace(request: SpaceImport): Promise<ImportedSpace> {
  const { module, dependencies } = await importModule(request);
  const files = dependencies.filter((file) => !/[\\/]node_modules[\\/]/.test(file) && existsSync(file));
  const spaces = Object.entries(module).filter((entry): entry is [string, SpaceCore] => isSpace(entry[1]));
  return { ...choose(spaces, request), files: [...new Set([request.path, ...files])] };
}

/** Checks the shape, not the class: the project may have another copy of this package. */
export function isSpace(value: unknown): value is SpaceCore {
  if (typeof value !== 'object' || value === null) return false;
  const { models, settings, connect } = value as Partial<SpaceCore>;
  return typeof models === 'object' && typeof settings === 'object' && typeof connect === 'function';
}

/** Uses the Vite of the project's Astro, so that imports resolve as they do there. */
export async function importModule({ root, path, environment, hints }: SpaceImport) {
  const { runnerImport } = await findVite(root, hints.noAstro);
  secrets.environment = environment;
  try {
    return await runnerImport(path, {
      root,
      logLevel: 'silent',
      // Supported by Vite 8 and later. Astro resolves the paths of tsconfig.json too.
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
    secrets.environment = undefined;
  }
}

async function findVite(root: string, hint: string): Promise<Vite> {
  try {
    return await importVite(root);
  } catch (cause) {
    throw new LuidConfigError(`Astro is not installed in ${root}`, { hint, cause });
  }
}

// A space file may call Astro's `getSecret`. The secrets are not in the code of the module, which errors may print.
const secrets = shareInProcess('secrets', (): { environment?: Environment | undefined } => ({}));

const secretsModule = {
  name: 'astro-luid:secrets',
  resolveId: (id: string) => (id === 'astro:env/server' ? `\0${id}` : undefined),
  load: (id: string) =>
    id === '\0astro:env/server'
      ? `const secrets = ${sharedExpression('secrets')}?.environment ?? process.env;
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
  // The same space may have two names.
  if (candidates.some(([, space]) => space !== found[1])) {
    throw new LuidConfigError(`${file} exports several spaces: ${names}`, { hint: hints.several });
  }
  return { name: found[0], space: found[1] };
}

function preferred(spaces: readonly [string, SpaceCore][]): readonly [string, SpaceCore][] {
  const named = spaces.filter(([name]) => name === 'space');
  return named.length > 0 ? named : spaces;
}
