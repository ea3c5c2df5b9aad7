import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Connect, createConnection } from '../../client/http/connection.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { ConnectedSpace } from '../space.ts';
import { findSettingIn } from './environment.ts';
import { importVite } from './project-vite.ts';

export type Environment = NodeJS.Dict<string>;

export interface EnvFiles {
  /** The project's folder. */
  readonly root: string;
  /** Vite's `envDir`, if the site sets it. */
  readonly envDir?: string | false | undefined;
  /** `production`, `development`, or that of `astro build --mode`. */
  readonly mode: string;
}

/** The environment with the `.env` files, read as Astro will read them. Astro does not load them for astro.config. */
export async function readEnvironment({ root, envDir = root, mode }: EnvFiles): Promise<Environment> {
  const vite = await importVite(root).catch(() => undefined);
  if (!vite) return readWithoutVite(envDir, mode);
  const original = process.env;
  // `loadEnv` sets BROWSER and a few others of the files.
  process.env = { ...original };
  try {
    return vite.loadEnv(mode, envDir, '');
  } finally {
    process.env = original;
  }
}

/** Where Astro is not installed yet: the same without expanding `$NAME` in values. */
function readWithoutVite(envDir: string | false, mode: string): Environment {
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  const files = envDir === false ? [] : names.map((name) => join(envDir, name));
  // Vite skips folders and the like too.
  const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  const values = files.filter(isFile).map((file) => parseEnv(readFileSync(file, 'utf8')));
  return Object.assign({}, ...values, process.env);
}

/** Whether commands read a variable from `.env` files: this package's own, and the token for `luid watch`. */
export function isOwnVariable(name: string): boolean {
  return name.startsWith('LUID_') || name === 'GITHUB_TOKEN';
}

/** The space's own connection; with URL and key from `environment` if only Astro's secrets have them. */
export function connectFrom(space: ConnectedSpace, environment: Environment, drafts: boolean): Connect {
  const own = space.connect({ drafts });
  return async () => {
    try {
      return await own();
    } catch (error) {
      const variable = drafts ? 'LUID_DRAFT_API_KEY' : 'LUID_API_KEY';
      const { settings } = space;
      const baseUrl = findSettingIn(environment, 'baseUrl', settings);
      const apiKey = environment[variable];
      if (!LuidConfigError.is(error) || !baseUrl || !apiKey) throw error;
      const apiKeyHeader = findSettingIn(environment, 'apiKeyHeader', settings);
      return createConnection({ ...settings, baseUrl, apiKey, apiKeyHeader, apiKeyVariable: variable });
    }
  };
}
